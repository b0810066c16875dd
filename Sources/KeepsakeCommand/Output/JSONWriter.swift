import CommandSupport
import Foundation
import Keepsake

/// Writes JSON part by part: in one line, or indented.
///
/// Only what was written since the last full piece is in memory, where there is an output to take the pieces.
struct JSONWriter {
  /// Longer pieces are handed over to the output; bytes in base 64 are written in parts of this length.
  private static let pieceByteCount = 3 << 15

  /// An array or an object that has begun and not yet ended.
  private struct Level {
    var isEmpty = true
    /// True for an entry of a dictionary: an object with a key and a value.
    var isEntry = false
    var cutNames = CutNames()
  }

  private let output: Output?
  private let isIndented: Bool
  private var bytes: [UInt8] = []
  private var levels: [Level] = []
  /// True when the name of a member has been written, and its value has not.
  private var isAfterName = false
  private var keptNames = KeptNames()

  /// Begins a document.
  ///
  /// - Parameters:
  ///   - output: The output that takes what is written; without it, ``text`` has it.
  ///   - indented: Whether each value has a line of its own.
  init(to output: Output? = nil, indented: Bool = false) {
    (self.output, isIndented) = (output, indented)
  }

  /// The text that has not been handed over to an output.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// True when the writer is in no array or object.
  var isAtTop: Bool { levels.isEmpty }

  mutating func beginObject() { begin("{") }
  mutating func endObject() { end("}") }
  mutating func beginArray() { begin("[") }
  mutating func endArray() { end("]") }

  /// Writes the name of a member, whose value follows.
  mutating func write(name: String) {
    beginMember()
    append(quoted: name)
    endName()
  }

  /// Writes a value.
  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: write(verbatim: "null")
    case .bool(let value): write(verbatim: value ? "true" : "false")
    case .number(let digits): write(verbatim: digits)
    case .string(let text):
      beginValue()
      append(quoted: text)
    case .array(let values):
      beginArray()
      for value in values { write(value) }
      endArray()
    case .object(let members):
      beginObject()
      write(members)
      endObject()
    }
  }

  /// Writes members of the object that has begun.
  mutating func write(_ members: [JSONValue.Member]) {
    for member in members {
      write(name: member.name)
      write(member.value)
    }
  }

  /// Breaks the line between two values or after the last one, also where the document is not indented.
  mutating func breakLine() throws {
    bytes.append(UInt8(ascii: "\n"))
    try handOverPiece()
  }

  /// Hands over what has been written, if it is a full piece.
  mutating func handOverPiece() throws {
    if bytes.count >= Self.pieceByteCount { try handOver() }
  }

  /// Hands over everything that has been written.
  mutating func handOver() throws {
    guard let output else { return }
    try output.write(bytes: bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  // MARK: - Separators

  private mutating func begin(_ bracket: Unicode.Scalar) {
    beginValue()
    bytes.append(UInt8(ascii: bracket))
    levels.append(Level())
  }

  private mutating func end(_ bracket: Unicode.Scalar) {
    let level = levels.popLast()
    if level?.isEmpty == false { indent() }
    bytes.append(UInt8(ascii: bracket))
  }

  private mutating func beginValue() {
    let last = levels.count - 1
    if !isAfterName, last >= 0 {
      if levels[last].isEntry {
        write(name: levels[last].isEmpty ? "key" : "value")
      } else {
        beginMember()
      }
    }
    isAfterName = false
  }

  private mutating func beginMember() {
    if !levels[levels.count - 1].isEmpty { bytes.append(UInt8(ascii: ",")) }
    levels[levels.count - 1].isEmpty = false
    indent()
  }

  private mutating func endName() {
    bytes.append(UInt8(ascii: ":"))
    if isIndented { bytes.append(UInt8(ascii: " ")) }
    isAfterName = true
  }

  private mutating func indent() {
    guard isIndented else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * levels.count))
  }

  // MARK: - Texts

  private mutating func write(verbatim text: String) {
    beginValue()
    bytes.append(utf8: text)
  }

  private mutating func append(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    text.appendEscaped(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }
}

// MARK: - Values of archives

extension JSONWriter: DynamicValueVisitor {
  mutating func visit(_ value: DynamicValue) throws {
    if case .bytes(let content) = value {
      try write(base64: content)
    } else if let plain = value.plainJSON {
      write(plain)
    }
    try handOverPiece()
  }

  mutating func begin(_ container: DynamicContainer) throws {
    switch container {
    case .array, .set, .entries: beginArray()
    case .names: beginObject()
    case .entry:
      beginObject()
      levels[levels.count - 1].isEntry = true
    case .record(let typeName, let schemaVersion):
      beginObject()
      write(typeName: typeName, schemaVersion)
    case .enumeration(let name):
      beginObject()
      write(name: name.name)
    }
  }

  mutating func end(_ container: DynamicContainer) throws {
    switch container {
    case .array, .set, .entries: endArray()
    case .names, .entry, .record, .enumeration: endObject()
    }
    try handOverPiece()
  }

  mutating func visit(key: DynamicRecord.Field) throws {
    beginMember()
    let name = keptNames.name(of: key)
    let ending = levels[levels.count - 1].cutNames.ending(of: name.printed)
    append(name, ending)
    endName()
  }

  /// Writes the name of a key as a value.
  mutating func write(nameOf key: DynamicRecord.Field, _ cutNames: inout CutNames) {
    beginValue()
    let name = keptNames.name(of: key)
    append(name, cutNames.ending(of: name.printed))
  }

  private mutating func append(_ name: KeptNames.Name, _ ending: String) {
    bytes.append(UInt8(ascii: "\""))
    if let escaped = name.escaped {
      bytes.append(contentsOf: escaped)
    } else {
      name.printed.text.appendEscaped(to: &bytes)
    }
    bytes.append(utf8: ending)
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func visit(name: String) throws { write(name: name) }

  /// Writes the type and the version of a record, if it has them.
  private mutating func write(typeName: String, _ schemaVersion: UInt32) {
    if !typeName.isEmpty {
      write(name: KeySpelling.type)
      write(.string(typeName))
    }
    if schemaVersion != 0 {
      write(name: KeySpelling.schemaVersion)
      write(.number(schemaVersion))
    }
  }

  private mutating func write(base64 content: [UInt8]) throws {
    beginValue()
    bytes.append(UInt8(ascii: "\""))
    for start in stride(from: 0, to: content.count, by: Self.pieceByteCount) {
      let piece = content[start..<min(content.count, start + Self.pieceByteCount)]
      bytes.append(contentsOf: Data(piece).base64EncodedString().utf8)
      try handOverPiece()
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension String {
  /// Adds the text to a string of JSON, with an escape for each scalar that steers a terminal.
  fileprivate func appendEscaped(to bytes: inout [UInt8]) {
    withUTF8Span { text in
      // The bytes from here on are to be copied as they are.
      var start = 0
      var index = text.endOfPlainASCII(from: 0)
      while index < text.count {
        let (scalar, count) = text.scalar(at: index)
        if scalar.isASCII || scalar.steersDisplay {
          bytes.append(copying: text.extracting(start..<index))
          scalar.appendEscape(to: &bytes)
          start = index + count
        }
        index = text.endOfPlainASCII(from: index + count)
      }
      bytes.append(copying: text.extracting(start..<text.count))
    }
  }
}

extension Unicode.Scalar {
  fileprivate func appendEscape(to bytes: inout [UInt8]) {
    switch self {
    case "\"": bytes.append(utf8: "\\\"")
    case "\\": bytes.append(utf8: "\\\\")
    case "\n": bytes.append(utf8: "\\n")
    case "\t": bytes.append(utf8: "\\t")
    case "\r": bytes.append(utf8: "\\r")
    default:
      for unit in Character(self).utf16 {
        let digits = String(unit, radix: 16)
        let zeros = String(repeating: "0", count: 4 - digits.count)
        bytes.append(utf8: "\\u\(zeros)\(digits)")
      }
    }
  }
}

extension Span<UInt8> {
  /// The character that begins at an offset of a text in UTF-8, and the number of its bytes.
  fileprivate func scalar(at offset: Int) -> (Unicode.Scalar, count: Int) {
    let lead = self[offset]
    if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
    let count = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    var value = UInt32(lead & 0x7F >> UInt8(count))
    for index in offset + 1..<offset + count { value = value << 6 | UInt32(self[index] & 0x3F) }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", count)
  }
}

/// The names of keys in scopes, escaped for JSON and kept for the next record.
///
/// A record of one byte may have keys in 63 scopes each, so making a name takes longer than all the rest.
private struct KeptNames {
  struct Name {
    let printed: PrintedName
    /// The name with its escapes if it is kept.
    let escaped: [UInt8]?
  }

  /// With more bytes of names than these, the names begin anew.
  private static let mostBytes = 1 << 20
  /// The names by the objects that fields share, which are kept so that no other object gets their address.
  private var names: [ObjectIdentifier: (key: AnyObject, name: Name)] = [:]
  private var byteCount = 0

  mutating func name(of key: DynamicRecord.Field) -> Name {
    guard let shared = key.sharedKey else {
      return Name(printed: PrintedName(of: key), escaped: nil)
    }
    let id = ObjectIdentifier(shared)
    if let known = names[id] { return known.name }
    let printed = PrintedName(of: key)
    var escaped: [UInt8] = []
    printed.text.appendEscaped(to: &escaped)
    let name = Name(printed: printed, escaped: escaped)
    byteCount += escaped.count
    if byteCount > Self.mostBytes {
      names.removeAll(keepingCapacity: true)
      byteCount = 0
    }
    names[id] = (shared, name)
    return name
  }
}

import CommandSupport
import Foundation
import Keepsake

/// Writes JSON part by part: in one line, or indented.
///
/// Only what was written since the last full piece is in memory, where there is an output to take the pieces.
struct JSONWriter {
  /// Longer pieces are written to the output; bytes in base 64 are written in parts of this length.
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
  private var nameCache = NameCache()

  /// Begins a document, which ``text`` has unless there is an output.
  init(to output: Output? = nil, indented: Bool = false) {
    (self.output, isIndented) = (output, indented)
  }

  /// The text that was not written to an output yet.
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
    try flushFullPiece()
  }

  /// Writes the text so far to the output, if it is a full piece.
  mutating func flushFullPiece() throws {
    if bytes.count >= Self.pieceByteCount { try flush() }
  }

  /// Writes all text so far to the output.
  mutating func flush() throws {
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
    text.withUTF8Span { append(quoted: $0) }
  }

  private mutating func append(quoted text: Span<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    bytes.append(escaping: text)
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
    try flushFullPiece()
  }

  /// Writes the kinds of values that are most frequent straight from the archive.
  mutating func visit(stored coder: borrowing ValueDecoder) throws {
    switch coder.value.tag {
    case _ where coder.value.isNil: write(verbatim: "null")
    case .string:
      try coder.withLentText { text in
        beginValue()
        append(quoted: text)
      }
    case .int8, .int16, .int32, .int64:
      beginValue()
      bytes.append(decimal: coder.scalar.signed)
    case .bool: write(verbatim: coder.scalar.low == 0 ? "false" : "true")
    default: return try visit(coder.dynamicValue())
    }
    try flushFullPiece()
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
    try flushFullPiece()
  }

  mutating func visit(key: DynamicRecord.Field) throws {
    beginMember()
    let row = nameCache.row(of: key)
    append(row, nameCache[row].cutText.map { levels[levels.count - 1].cutNames.ending(of: $0) })
    endName()
  }

  mutating func write(nameOf key: DynamicRecord.Field, _ cutNames: inout CutNames) {
    beginValue()
    let row = nameCache.row(of: key)
    append(row, nameCache[row].cutText.map { cutNames.ending(of: $0) })
  }

  private mutating func append(_ row: Int, _ ending: String?) {
    bytes.append(UInt8(ascii: "\""))
    bytes.append(copying: nameCache[row].escaped.span)
    if let ending { bytes.append(utf8: ending) }
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
      try flushFullPiece()
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension [UInt8] {
  /// Appends a text to a string of JSON, with an escape for each scalar that controls a terminal.
  fileprivate mutating func append(escaping text: Span<UInt8>) {
    // The bytes from here on are to be copied as they are.
    var start = 0
    var index = text.endOfPlainASCII(from: 0)
    while index < text.count {
      let (scalar, count) = text.scalar(at: index)
      if scalar.isASCII || scalar.steersDisplay {
        append(copying: text.extracting(start..<index))
        scalar.appendEscape(to: &self)
        start = index + count
      }
      index = text.endOfPlainASCII(from: index + count)
    }
    append(copying: text.extracting(start..<text.count))
  }

  /// Appends the decimal digits of a number, after a minus sign if it is negative.
  fileprivate mutating func append(decimal number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    let first = count
    var rest = number.magnitude
    repeat {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    var (left, right) = (first, count - 1)
    while left < right {
      swapAt(left, right)
      (left, right) = (left + 1, right - 1)
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

/// A cache of the names of keys, escaped for JSON.
///
/// A record of one byte may have keys in 63 scopes each, so making a name takes longer than all the rest.
private struct NameCache {
  struct Row {
    let key: ArchiveKey
    /// The object that fields of one key in scopes share; it is kept so that no other object gets its address.
    let shared: AnyObject?
    let escaped: [UInt8]
    /// The text of a name that is cut; nil for any other one.
    let cutText: String?

    /// The row of the empty name, which has no bytes.
    static var empty: Row { Row(key: "", shared: nil, escaped: [], cutText: nil) }
  }

  /// The number of rows, a power of two; a row has the last name whose hash selected it.
  private static let rowCount = 1024
  private var rows: [Row] = []

  subscript(row: Int) -> Row {
    _read { yield rows[row] }
  }

  /// The row of the name of a key.
  mutating func row(of field: DynamicRecord.Field) -> Int {
    let (key, shared) = (field.key, field.sharedKey)
    let hash = shared.map { Int(bitPattern: ObjectIdentifier($0)) >> 4 } ?? key.identityHash
    let index = hash & (Self.rowCount - 1)
    if rows.isEmpty { rows = Array(repeating: .empty, count: Self.rowCount) }
    if rows[index].shared === shared, rows[index].key.isIdentical(to: key) { return index }
    let name = PrintedName(of: field)
    var escaped: [UInt8] = []
    name.text.withUTF8Span { escaped.append(escaping: $0) }
    rows[index] = Row(key: key, shared: shared, escaped: escaped, cutText: name.cutText)
    return index
  }
}

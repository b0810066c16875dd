import CommandSupport
import Keepsake

/// Reads a document of JSON (RFC 8259), strictly: no comments, no name twice in an object.
struct JSONParser {
  /// The deepest nesting that is read.
  static let depthLimit = 128

  private let bytes: [UInt8]
  private let source: String
  private var offset = 0

  /// Reads a document.
  ///
  /// `source` is what it is called in the sentence that refuses it.
  static func parse(_ bytes: [UInt8], from source: String) throws(Failure) -> JSONValue {
    try bytes.requireUTF8(from: source)
    var parser = JSONParser(bytes: bytes, source: source)
    let value = try parser.value(depth: 0)
    parser.skipBlanks()
    guard parser.offset == bytes.count else {
      throw parser.failure("something follows the document")
    }
    return value
  }

  private init(bytes: [UInt8], source: String) {
    self.bytes = bytes
    self.source = source
    // A mark of the order of bytes may stand before it.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private func failure(_ reason: String) -> Failure {
    Failure(
      "\(source) is not JSON as it should be: \(reason) \(bytes.place(of: offset)).", .damaged)
  }

  private mutating func skipBlanks() {
    while let byte, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private mutating func value(depth: Int) throws(Failure) -> JSONValue {
    guard depth < Self.depthLimit else { throw failure("it is nested too deeply") }
    skipBlanks()
    switch byte {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw failure("it ends too early")
    default: return try number()
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(Failure) -> JSONValue {
    guard bytes[offset...].starts(with: word.utf8) else { throw failure("a value was expected") }
    offset += word.utf8.count
    return value
  }

  private mutating func array(depth: Int) throws(Failure) -> JSONValue {
    offset += 1
    var values: [JSONValue] = []
    skipBlanks()
    if take("]") { return .array(values) }
    while true {
      values.append(try value(depth: depth + 1))
      skipBlanks()
      if take("]") { return .array(values) }
      guard take(",") else { throw failure("a comma or ] was expected") }
    }
  }

  private mutating func object(depth: Int) throws(Failure) -> JSONValue {
    offset += 1
    var members: [JSONValue.Member] = []
    // Names are compared by their bytes, as keys are.
    var names: Set<ArchiveKey> = []
    skipBlanks()
    if take("}") { return .object(members) }
    while true {
      skipBlanks()
      guard byte == UInt8(ascii: "\"") else { throw failure("a name in quotes was expected") }
      let name = try string()
      guard names.insert(ArchiveKey(name)).inserted else {
        throw failure("the name \"\(name.shortened)\" stands twice in an object")
      }
      skipBlanks()
      guard take(":") else { throw failure("a colon was expected") }
      members.append(JSONValue.Member(name, try value(depth: depth + 1)))
      skipBlanks()
      if take("}") { return .object(members) }
      guard take(",") else { throw failure("a comma or } was expected") }
    }
  }

  private mutating func digits() -> Int {
    let start = offset
    while let byte, (0x30...0x39).contains(byte) { offset += 1 }
    return offset - start
  }

  private mutating func number() throws(Failure) -> JSONValue {
    let start = offset
    _ = take("-")
    let leading = offset
    let count = digits()
    guard count > 0 else { throw failure("a value was expected") }
    guard count == 1 || bytes[leading] != UInt8(ascii: "0") else {
      throw failure("a number begins with a zero that means nothing")
    }
    if take("."), digits() == 0 { throw failure("a number ends with its point") }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      if digits() == 0 { throw failure("a number ends before its exponent") }
    }
    return .number(String(decoding: bytes[start..<offset], as: UTF8.self))
  }

  private mutating func string() throws(Failure) -> String {
    offset += 1
    var text: [UInt8] = []
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else {
          throw failure("a string is not UTF-8")
        }
        offset += 1
        return string
      case UInt8(ascii: "\\"):
        offset += 1
        text += String(try escape()).utf8
      case ..<0x20: throw failure("a string has a control character that is not escaped")
      default:
        text.append(byte)
        offset += 1
      }
    }
    throw failure("a string does not end")
  }

  private mutating func escape() throws(Failure) -> Unicode.Scalar {
    guard let byte else { throw failure("a string does not end") }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: throw failure("a string has an escape that JSON does not know")
    }
  }

  private mutating func unicodeEscape() throws(Failure) -> Unicode.Scalar {
    let unit = try codeUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // Two halves of a pair make one character.
    guard UTF16.isLeadSurrogate(unit), take("\\"), take("u") else {
      throw failure("a string has half a character")
    }
    let trail = try codeUnit()
    guard UTF16.isTrailSurrogate(trail) else { throw failure("a string has half a character") }
    return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
  }

  private mutating func codeUnit() throws(Failure) -> UInt16 {
    let digits = bytes[offset...].prefix(4).compactMap { Unicode.Scalar($0).hexadecimalDigit }
    guard digits.count == 4 else { throw failure("a string has an escape without four digits") }
    offset += 4
    return digits.reduce(0) { $0 << 4 | $1 }
  }
}

extension Unicode.Scalar {
  /// The value of a hexadecimal digit.
  fileprivate var hexadecimalDigit: UInt16? {
    switch self {
    case "0"..."9": UInt16(clamping: value - 0x30)
    case "a"..."f": UInt16(clamping: value - 0x61 + 10)
    case "A"..."F": UInt16(clamping: value - 0x41 + 10)
    default: nil
    }
  }
}

import CommandSupport
import Keepsake

/// Reads a document of JSON (RFC 8259), strictly: no comments, no name twice in an object.
///
/// Foundation's parser reports neither a repeated name nor the exact digits of a number.
struct JSONParser {
  /// The maximum depth of nesting.
  static let depthLimit = 128

  private var cursor: TextCursor

  /// Reads a document.
  ///
  /// `source` is the name of the document in errors.
  static func parse(_ bytes: [UInt8], from source: String) throws(Failure) -> JSONValue {
    do throws(ImportError) {
      return try parse(bytes)
    } catch {
      throw Failure(error, in: source, "is not JSON as it should be")
    }
  }

  private static func parse(_ bytes: [UInt8]) throws(ImportError) -> JSONValue {
    var parser = JSONParser(cursor: try TextCursor(bytes))
    let value = try parser.value(depth: 0)
    parser.cursor.skipBlanks()
    guard parser.cursor.byte == nil else {
      throw parser.cursor.error("something follows the document")
    }
    return value
  }

  private mutating func value(depth: Int) throws(ImportError) -> JSONValue {
    guard depth < Self.depthLimit else { throw cursor.error("it is nested too deeply") }
    cursor.skipBlanks()
    switch cursor.byte {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw cursor.error("it ends too early")
    default: return try number()
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(ImportError) -> JSONValue {
    guard cursor.take(word: word) else { throw cursor.error("a value was expected") }
    return value
  }

  private mutating func array(depth: Int) throws(ImportError) -> JSONValue {
    cursor.offset += 1
    var values: [JSONValue] = []
    cursor.skipBlanks()
    if cursor.take("]") { return .array(values) }
    while true {
      values.append(try value(depth: depth + 1))
      cursor.skipBlanks()
      if cursor.take("]") { return .array(values) }
      guard cursor.take(",") else { throw cursor.error("a comma or ] was expected") }
    }
  }

  private mutating func object(depth: Int) throws(ImportError) -> JSONValue {
    cursor.offset += 1
    var members: [JSONValue.Member] = []
    // Names are compared by their bytes, as keys are.
    var names: Set<ArchiveKey> = []
    cursor.skipBlanks()
    if cursor.take("}") { return .object(members) }
    while true {
      cursor.skipBlanks()
      guard cursor.byte == UInt8(ascii: "\"") else {
        throw cursor.error("a name in quotes was expected")
      }
      let name = try string()
      guard names.insert(ArchiveKey(name)).inserted else {
        throw cursor.error("the name \"\(name.shortened)\" is there twice in an object")
      }
      cursor.skipBlanks()
      guard cursor.take(":") else { throw cursor.error("a colon was expected") }
      members.append(JSONValue.Member(name, try value(depth: depth + 1)))
      cursor.skipBlanks()
      if cursor.take("}") { return .object(members) }
      guard cursor.take(",") else { throw cursor.error("a comma or } was expected") }
    }
  }

  private mutating func digits() -> Int {
    let start = cursor.offset
    while let byte = cursor.byte, (0x30...0x39).contains(byte) { cursor.offset += 1 }
    return cursor.offset - start
  }

  private mutating func number() throws(ImportError) -> JSONValue {
    let start = cursor.offset
    _ = cursor.take("-")
    let hasZero = cursor.byte == UInt8(ascii: "0")
    let count = digits()
    guard count > 0 else { throw cursor.error("a value was expected") }
    guard count == 1 || !hasZero else {
      throw cursor.error("a number begins with a zero that means nothing")
    }
    if cursor.take("."), digits() == 0 { throw cursor.error("a number ends with its point") }
    if cursor.take("e") || cursor.take("E") {
      if !cursor.take("+") { _ = cursor.take("-") }
      if digits() == 0 { throw cursor.error("a number ends before its exponent") }
    }
    return .number(String(decoding: cursor.read(from: start), as: UTF8.self))
  }

  private mutating func string() throws(ImportError) -> String {
    cursor.offset += 1
    var text: [UInt8] = []
    while let byte = cursor.byte {
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else {
          throw cursor.error("a string is not UTF-8")
        }
        cursor.offset += 1
        return string
      case UInt8(ascii: "\\"):
        cursor.offset += 1
        text += String(try escape()).utf8
      case ..<0x20: throw cursor.error("a string has a control character that is not escaped")
      default:
        text.append(byte)
        cursor.offset += 1
      }
    }
    throw cursor.error("a string does not end")
  }

  private mutating func escape() throws(ImportError) -> Unicode.Scalar {
    guard let byte = cursor.byte else { throw cursor.error("a string does not end") }
    cursor.offset += 1
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
    default: throw cursor.error("a string has an escape that JSON does not know")
    }
  }

  private mutating func unicodeEscape() throws(ImportError) -> Unicode.Scalar {
    let unit = try codeUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // A lead and a trail surrogate make one character.
    guard UTF16.isLeadSurrogate(unit), cursor.take("\\"), cursor.take("u") else {
      throw cursor.error("a string has half a character")
    }
    let trail = try codeUnit()
    guard UTF16.isTrailSurrogate(trail) else {
      throw cursor.error("a string has half a character")
    }
    return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
  }

  private mutating func codeUnit() throws(ImportError) -> UInt16 {
    let digits = cursor.rest.prefix(4).compactMap { Unicode.Scalar($0).hexadecimalDigit }
    guard digits.count == 4 else {
      throw cursor.error("a string has an escape without four digits")
    }
    cursor.offset += 4
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

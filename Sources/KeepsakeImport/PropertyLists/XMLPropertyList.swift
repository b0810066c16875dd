import KeepsakeArchive
import KeepsakeDocuments

/// Reads a property list of XML: its elements, and the other XML around them.
///
/// A file that declares entities of its own is refused, so nothing in it expands to longer text.
struct XMLPropertyList {
  /// A tag, whose attributes are skipped.
  private struct Tag {
    enum Kind {
      case start, end, empty
    }

    let name: String
    let kind: Kind
  }

  /// In XML a reference of a keyed archive is a dictionary of one number, which has this name.
  private static let referenceName = "CF$UID"
  /// The least depth of a reference, since the top-level parts of a keyed archive are not references.
  private static let referenceDepth = 2

  private var cursor: TextCursor
  private let withReferences: Bool
  private var list = PropertyListDocument()

  private init(_ bytes: [UInt8], withReferences: Bool) throws(ImportError) {
    cursor = try TextCursor(bytes)
    self.withReferences = withReferences
  }

  /// Reads a document in UTF-8.
  static func parse(
    _ bytes: [UInt8], withReferences: Bool
  ) throws(ImportError) -> PropertyListDocument {
    var parser = try XMLPropertyList(bytes, withReferences: withReferences)
    parser.list.top = try parser.document()
    try parser.skipToMarkup()
    guard parser.cursor.byte == nil else {
      throw parser.cursor.error("something follows the property list")
    }
    return parser.list
  }

  // MARK: - Values

  private mutating func document() throws(ImportError) -> PropertyListNode {
    try requireKnownEncoding()
    let tag = try nextTag()
    guard tag.name == "plist", tag.kind == .start else { return try node(of: tag, depth: 0) }
    let value = try node(of: try nextTag(), depth: 0)
    let end = try nextTag()
    guard end.kind == .end, end.name == tag.name else {
      throw cursor.error("it has more than one value")
    }
    return value
  }

  private mutating func node(of tag: Tag, depth: Int) throws(ImportError) -> PropertyListNode {
    guard depth < PropertyList.depthLimit else {
      throw cursor.error("it is nested too deeply", .limitExceeded)
    }
    guard tag.kind != .end else {
      throw cursor.error("a value was expected, and </\(tag.name.shortened)> is there")
    }
    switch tag.name {
    case "dict":
      let members = try members(of: tag, depth: depth)
      if withReferences, depth >= Self.referenceDepth, let number = reference(in: members) {
        return .reference(number)
      }
      return list.add(members)
    case "array":
      var elements: [PropertyListNode] = []
      while let next = try next(in: tag) { elements.append(try node(of: next, depth: depth + 1)) }
      return list.add(elements)
    default: return list.add(try scalar(of: tag))
    }
  }

  private mutating func scalar(of tag: Tag) throws(ImportError) -> DynamicValue {
    switch tag.name {
    case "true", "false":
      guard try text(of: tag).allSatisfy({ $0.isWhitespace }) else {
        throw cursor.error("there is text in <\(tag.name)>")
      }
      return .bool(tag.name == "true")
    case "string": return .string(try text(of: tag))
    case "integer": return try integer(try text(of: tag).trimmed)
    case "real": return try real(try text(of: tag).trimmed)
    case "date":
      let text = try text(of: tag).trimmed
      guard let date = PropertyList.date(text) else {
        throw cursor.error(
          "there is no date \"\(text.shortened)\"; write one as 2001-12-31T23:59:59Z")
      }
      return .date(date)
    case "data":
      guard let data = PropertyList.bytes(base64: try text(of: tag)) else {
        throw cursor.error("the text in <data> is not base 64")
      }
      return .bytes(data)
    default: throw cursor.error("<\(tag.name.shortened)> is not an element of property lists")
    }
  }

  private mutating func members(
    of tag: Tag, depth: Int
  ) throws(ImportError) -> [PropertyListNode.Member] {
    var members: [PropertyListNode.Member] = []
    while let next = try next(in: tag) {
      guard next.name == "key" else { throw cursor.error("a <key> was expected in a dictionary") }
      let name = list.names.add(try text(of: next))
      members.append(.init(node: try node(of: try nextTag(), depth: depth + 1), name: name))
    }
    if let repetition = list.names.repetition(in: members[...]) {
      throw cursor.error(repetition)
    }
    return members
  }

  /// The number of a reference of a keyed archive; nil for the members of another dictionary.
  private func reference(in members: [PropertyListNode.Member]) -> UInt64? {
    guard members.count == 1, case .scalar(let index) = members[0].node,
      case .signed(let number, _) = list.scalars[index],
      list.names[members[0].name].hasSameBytes(as: Self.referenceName)
    else { return nil }
    return UInt64(exactly: number)
  }

  private func integer(_ text: String) throws(ImportError) -> DynamicValue {
    // Property lists have hexadecimal numbers, too.
    let sign = text.hasPrefix("-") ? "-" : ""
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    if isHexadecimal, digits.dropFirst(2).allSatisfy(\.isHexDigit),
      let value = Int128(sign + digits.dropFirst(2), radix: 16)
    {
      return DynamicValue(wholeNumber: value)
    }
    if !isHexadecimal, let value = DynamicValue(wholeNumber: text) { return value }
    throw cursor.error("\"\(text.shortened)\" is not an integer of at most 128 bits")
  }

  private func real(_ text: String) throws(ImportError) -> DynamicValue {
    switch text.lowercased() {
    case "nan", "+nan": return .double(.nan)
    case "-nan": return .double(-.nan)
    case "inf", "+inf", "infinity", "+infinity": return .double(.infinity)
    case "-inf", "-infinity": return .double(-.infinity)
    default: break
    }
    do throws(Double.DecimalFailure) {
      return .double(try Double(decimal: text))
    } catch {
      throw cursor.error("the real number \"\(text.shortened)\" \(error.reason)")
    }
  }

  // MARK: - XML

  /// Moves past the next occurrence of a word.
  private mutating func skip(through word: String) throws(ImportError) {
    guard cursor.skip(through: word) else { throw cursor.error("it ends too early") }
  }

  /// The declaration names the encoding, if it is not UTF-8.
  private mutating func requireKnownEncoding() throws(ImportError) {
    guard cursor.isNext("<?xml") else { return }
    let start = cursor.offset
    try skip(through: "?>")
    // A value is in quotes, and its name precedes it.
    let parts = cursor.read(from: start).split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'")
    }
    for (name, value) in zip(parts, parts.dropFirst())
    where String(decoding: name, as: UTF8.self).contains("encoding") {
      let encoding = String(decoding: value, as: UTF8.self)
      guard !["utf-8", "utf8", "us-ascii", "ascii"].contains(encoding.lowercased()) else { return }
      throw cursor.error(
        "it says that it is in \"\(encoding.shortened)\", and only UTF-8 is read; convert it first, for example with iconv"
      )
    }
  }

  /// Skips blanks, comments, instructions and the name of the document type.
  private mutating func skipToMarkup() throws(ImportError) {
    while let byte = cursor.byte {
      if TextCursor.isBlank(byte) {
        cursor.offset += 1
      } else if cursor.take(word: "<!--") {
        try skip(through: "-->")
      } else if cursor.isNext("<?") {
        try skip(through: "?>")
      } else if cursor.isNext("<!DOCTYPE") {
        let start = cursor.offset
        try skip(through: ">")
        guard !cursor.read(from: start).contains(UInt8(ascii: "[")) else {
          throw cursor.error("it declares a document type of its own, which is not read")
        }
      } else {
        return
      }
    }
  }

  private mutating func nextTag() throws(ImportError) -> Tag {
    try skipToMarkup()
    guard let byte = cursor.byte else { throw cursor.error("it ends too early") }
    guard byte == UInt8(ascii: "<") else { throw cursor.error("a tag was expected") }
    return try tag()
  }

  /// The next tag in an element; `nil` at its end.
  private mutating func next(in element: Tag) throws(ImportError) -> Tag? {
    if element.kind == .empty { return nil }
    let tag = try nextTag()
    guard tag.kind == .end else { return tag }
    guard tag.name == element.name else { throw unclosed(element, tag) }
    return nil
  }

  private func unclosed(_ element: Tag, _ tag: Tag) -> ImportError {
    cursor.error("<\(element.name)> does not end before </\(tag.name.shortened)>")
  }

  /// Reads a tag from its first byte on.
  private mutating func tag() throws(ImportError) -> Tag {
    cursor.offset += 1
    let isEnd = cursor.byte == UInt8(ascii: "/")
    if isEnd { cursor.offset += 1 }
    let start = cursor.offset
    let ends = [UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "<")]
    while let byte = cursor.byte, !TextCursor.isBlank(byte), !ends.contains(byte) {
      cursor.offset += 1
    }
    let name = String(decoding: cursor.read(from: start), as: UTF8.self)
    guard !name.isEmpty else { throw cursor.error("a tag has no name") }
    while let byte = cursor.byte {
      cursor.offset += 1
      switch byte {
      case UInt8(ascii: ">"): return Tag(name: name, kind: isEnd ? .end : .start)
      case UInt8(ascii: "/") where !isEnd && cursor.byte == UInt8(ascii: ">"):
        cursor.offset += 1
        return Tag(name: name, kind: .empty)
      case UInt8(ascii: "\""): try skip(through: "\"")
      case UInt8(ascii: "'"): try skip(through: "'")
      case UInt8(ascii: "<"): throw cursor.error("a tag does not end")
      default: break
      }
    }
    throw cursor.error("it ends too early")
  }

  /// Reads the text of an element that contains no other elements, and its end tag.
  private mutating func text(of element: Tag) throws(ImportError) -> String {
    if element.kind == .empty { return "" }
    var text: [UInt8] = []
    while let byte = cursor.byte {
      if byte == UInt8(ascii: "&") {
        text += String(try character()).utf8
      } else if byte != UInt8(ascii: "<") {
        text.append(byte)
        cursor.offset += 1
      } else if cursor.take(word: "<!--") {
        try skip(through: "-->")
      } else if cursor.take(word: "<![CDATA[") {
        let start = cursor.offset
        try skip(through: "]]>")
        text += cursor.read(from: start).dropLast(3)
      } else {
        let tag = try tag()
        guard tag.kind == .end, tag.name == element.name else { throw unclosed(element, tag) }
        guard let string = String(validating: text, as: UTF8.self) else {
          throw cursor.error("a text is not UTF-8")
        }
        return string
      }
    }
    throw cursor.error("it ends too early")
  }

  /// Reads a character that is written as `&…;`.
  private mutating func character() throws(ImportError) -> Unicode.Scalar {
    let rest = cursor.rest.dropFirst()
    let name = rest.prefix(12).prefix { $0 != UInt8(ascii: ";") }
    guard rest.dropFirst(name.count).first == UInt8(ascii: ";"),
      let scalar = Self.character(String(decoding: name, as: UTF8.self))
    else { throw cursor.error("a character is written by & and a name that XML does not have") }
    cursor.offset = name.endIndex + 1
    return scalar
  }

  private static func character(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "apos": return "'"
    case "quot": return "\""
    default:
      let isHexadecimal = name.hasPrefix("#x")
      let digits = name.dropFirst(isHexadecimal ? 2 : 1)
      guard name.hasPrefix("#"), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
        let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), number > 0
      else { return nil }
      return Unicode.Scalar(number)
    }
  }
}

extension String {
  /// The text without blanks around it.
  fileprivate var trimmed: String {
    String(decoding: utf8.drop { TextCursor.isBlank($0) }, as: UTF8.self).withoutBlanksAtEnd
  }

  private var withoutBlanksAtEnd: String {
    String(decoding: utf8.reversed().drop { TextCursor.isBlank($0) }.reversed(), as: UTF8.self)
  }
}

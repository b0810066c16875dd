import Keepsake

/// A document of JSON as a flat list of its values, each array and each object before what is in it.
///
/// Texts and numbers stay in the bytes of the document, and each name is listed once.
struct JSONDocument {
  /// A value, in sixteen bytes.
  struct Node: BitwiseCopyable {
    private var kindAndName: UInt32
    /// The offset of a number or of a text without its quotes, or of the bracket of an array or an object.
    let start: UInt32
    /// The bytes of a number or a text, or how many values an array or an object has.
    fileprivate(set) var count: UInt32
    /// The index of the node that follows the value and all that is in it.
    fileprivate(set) var end: UInt32

    init(_ kind: Kind, name: Int, start: Int, count: Int = 0, end: Int) {
      kindAndName = UInt32(truncatingIfNeeded: name) << 4 | kind.rawValue
      self.start = UInt32(truncatingIfNeeded: start)
      self.count = UInt32(truncatingIfNeeded: count)
      self.end = UInt32(truncatingIfNeeded: end)
    }

    var kind: Kind { Kind(rawValue: kindAndName & 15) ?? .null }

    /// The number of the name of a member; for an element it says nothing.
    var name: Int { Int(kindAndName >> 4) }

    /// Ends an array or an object.
    mutating func close(_ kind: Kind, count: Int, end: Int) {
      self = Node(kind, name: name, start: Int(start), count: count, end: end)
    }
  }

  enum Kind: UInt32 {
    case null, no, yes
    case text
    /// A text with escapes, whose bytes are among the decoded ones.
    case decodedText
    case wholeNumber
    /// A whole number of more than 18 digits, which may be too large for every integer.
    case longWholeNumber
    /// A number with a point, or a negative zero.
    case realNumber
    /// A number with an exponent, or a very long one: it may be too large or too small for a `Double`.
    case scaledNumber
    case array
    /// An array of numbers, some whole and some not, and of nulls.
    case mixedNumbers
    case object
    /// An object whose values all have a fixed width in an archive.
    case cell
    /// An object of more names than a record holds.
    case dictionary
  }

  /// The largest document: every offset and every number of a name fits into a node.
  static let largestByteCount = 1 << 30

  let bytes: [UInt8]
  /// The bytes of texts with escapes.
  let decoded: [UInt8]
  /// The values; the first one is the document itself.
  let nodes: [Node]
  /// The names; the first one is that of the document, and has no meaning.
  let names: [ArchiveKey]
  /// The indexes of the numbers that may be too large or too small for every value.
  let wideNumbers: [Int]

  /// The bytes of a text, or the digits of a number.
  func withBytes<Result>(of node: Node, _ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    let range = Int(node.start)..<Int(node.start) + Int(node.count)
    if node.kind == .decodedText { return try body(decoded.span.extracting(range)) }
    return try body(bytes.span.extracting(range))
  }

  /// The text, or the digits of a number.
  func string(of node: Node) -> String {
    let range = Int(node.start)..<Int(node.start) + Int(node.count)
    return String(
      decoding: (node.kind == .decodedText ? decoded : bytes)[range], as: UTF8.self)
  }
}

extension JSONValue {
  init(_ document: JSONDocument) {
    var index = 0
    self.init(document, &index)
  }

  /// The value of a node; moves to the node that follows it.
  private init(_ document: JSONDocument, _ index: inout Int) {
    let node = document.nodes[index]
    index += 1
    switch node.kind {
    case .null: self = .null
    case .no: self = .bool(false)
    case .yes: self = .bool(true)
    case .text, .decodedText: self = .string(document.string(of: node))
    case .wholeNumber, .longWholeNumber, .realNumber, .scaledNumber:
      self = .number(document.string(of: node))
    case .array, .mixedNumbers:
      self = .array((0..<node.count).map { _ in JSONValue(document, &index) })
    case .object, .cell, .dictionary:
      self = .object(
        (0..<node.count).map { _ in
          let name = document.names[document.nodes[index].name].name
          return Member(name, JSONValue(document, &index))
        })
    }
  }
}

import CommandSupport
import Keepsake

/// Reads a document of JSON (RFC 8259), strictly: no comments, no name twice in an object.
///
/// Foundation's parser reports neither a repeated name nor the exact digits of a number.
struct JSONParser {
  /// The maximum depth of nesting.
  static let depthLimit = 128
  private static var quote: UInt8 { UInt8(ascii: "\"") }
  private static var backslash: UInt8 { UInt8(ascii: "\\") }
  /// A bit for each blank, by its number: tab, line feed, carriage return and space.
  private static var blanks: UInt64 { 1 << 0x09 | 1 << 0x0A | 1 << 0x0D | 1 << 0x20 }

  private let bytes: [UInt8]
  private let source: String
  private var offset: Int
  /// True when all bytes are UTF-8, so that no string has to be checked.
  private let isUTF8: Bool
  private let depthLimit: Int

  private var nodes: [JSONDocument.Node] = []
  private var decoded: [UInt8] = []
  private var wideNumbers: [Int] = []
  private var names = [Name()]
  private var keys: [ArchiveKey] = [""]
  private var numbers: [ArchiveKey: Int] = [:]
  /// The innermost array or object that is open; without one, the document.
  private var level = Level(node: 0, isObject: false, name: 0, firstInUse: 0)
  /// The arrays and objects around it.
  private var outer: [Level] = []
  /// The names of all open objects, each with what ``Name/depth`` was before.
  private var namesInUse: [(name: Int, outerDepth: Int)] = []

  /// A name that the document has, as it was written first.
  private struct Name {
    var start = 0
    var count = 0
    /// The name that last followed this one in an object: the next object is expected to be alike.
    var next = 0
    /// The first name in the last object under this name, or in an array under it.
    var first = 0
    /// The depth of the innermost open object that has the name; 0 when none has it.
    var depth = 0
  }

  /// An array or an object that has begun and not ended.
  private struct Level {
    let node: Int
    let isObject: Bool
    /// The name of the last member; in an array, and before the first member, that of the array or object.
    var name: Int
    /// The index of its first name in ``namesInUse``.
    let firstInUse: Int
    var count = 0
    var cellCount = 0
    var contents: Contents = []
  }

  /// Which kinds of values an array or an object has.
  private struct Contents: OptionSet {
    let rawValue: UInt8
    static let whole = Contents(rawValue: 1)
    static let real = Contents(rawValue: 2)
    /// Values that are neither numbers nor null.
    static let other = Contents(rawValue: 4)
    /// Values without a fixed width in an archive.
    static let variable = Contents(rawValue: 8)
  }

  /// Reads a document.
  ///
  /// `source` is the name of the document in errors.
  static func document(
    _ bytes: [UInt8], from source: String, depthLimit: Int = depthLimit
  ) throws(Failure) -> JSONDocument {
    var parser = try JSONParser(bytes, from: source, depthLimit: depthLimit)
    // Room for a document of short values; what is not used costs nothing.
    parser.nodes.reserveCapacity(bytes.count / 8 + 1)
    return try parser.refusing { (parser) throws(ImportError) in
      let document = try parser.readDocument()
      parser.skipBlanks()
      guard parser.offset == bytes.count else {
        throw parser.error("something follows the document")
      }
      return document
    }
  }

  /// Reads a document as a tree of values.
  static func parse(_ bytes: [UInt8], from source: String) throws(Failure) -> JSONValue {
    JSONValue(try document(bytes, from: source))
  }

  /// Begins to read documents that follow each other, as those of JSON lines do.
  init(_ bytes: [UInt8], from source: String, depthLimit: Int = depthLimit) throws(Failure) {
    (self.bytes, self.source, self.depthLimit) = (bytes, source, depthLimit)
    do throws(ImportError) {
      offset = try TextCursor(bytes).offset
    } catch {
      throw Self.failure(error, source)
    }
    isUTF8 = bytes.span.isUTF8
    guard bytes.count <= JSONDocument.largestByteCount else {
      throw Failure("\(source) has more than \(JSONDocument.largestByteCount) bytes.", .damaged)
    }
  }

  /// Reads the next document; nil at the end.
  mutating func next() throws(Failure) -> JSONDocument? {
    skipBlanks()
    if offset == bytes.count { return nil }
    (nodes, decoded, wideNumbers) = ([], [], [])
    return try refusing { (parser) throws(ImportError) in try parser.readDocument() }
  }

  private mutating func refusing(
    _ read: (inout JSONParser) throws(ImportError) -> JSONDocument
  ) throws(Failure) -> JSONDocument {
    do throws(ImportError) { return try read(&self) } catch { throw Self.failure(error, source) }
  }

  private static func failure(_ error: ImportError, _ source: String) -> Failure {
    Failure(error, in: source, "is not JSON as it should be")
  }

  private mutating func readDocument() throws(ImportError) -> JSONDocument {
    repeat { try value() } while try moveToNextValue()
    return JSONDocument(
      bytes: bytes, decoded: decoded, nodes: nodes, names: keys, wideNumbers: wideNumbers)
  }

  /// Reads a value; of an array or an object, all up to its first value without others.
  private mutating func value() throws(ImportError) {
    while true {
      skipBlanks()
      guard offset < bytes.count else { throw error("it ends too early") }
      switch bytes[offset] {
      case UInt8(ascii: "{"):
        open(isObject: true)
        if take("}") { return close() }
        try name()
      case UInt8(ascii: "["):
        open(isObject: false)
        if take("]") { return close() }
        guard outer.count < depthLimit else { throw tooDeep }
      case Self.quote:
        let text = try text()
        return add(
          text.isDecoded ? .decodedText : .text, at: text.start, text.count, [.other, .variable])
      case UInt8(ascii: "t"): return try word("true", .yes, .other)
      case UInt8(ascii: "f"): return try word("false", .no, .other)
      case UInt8(ascii: "n"): return try word("null", .null, [])
      default: return try number()
      }
    }
  }

  /// Moves past a comma, and past the ends of arrays and objects before it; returns false at the end of the document.
  private mutating func moveToNextValue() throws(ImportError) -> Bool {
    while !outer.isEmpty {
      skipBlanks()
      if take(level.isObject ? "}" : "]") {
        close()
        continue
      }
      guard take(",") else {
        throw error("a comma or \(level.isObject ? "}" : "]") was expected")
      }
      if level.isObject { try name() }
      return true
    }
    return false
  }

  // MARK: - Arrays and objects

  /// Begins an array or an object, and moves to what is in it.
  private mutating func open(isObject: Bool) {
    let name = level.name
    outer.append(level)
    level = Level(
      node: nodes.count, isObject: isObject, name: name, firstInUse: namesInUse.count)
    nodes.append(.init(.array, name: name, start: offset, end: 0))
    offset += 1
    skipBlanks()
  }

  private mutating func close() {
    let (ended, contents) = (level, level.contents)
    guard let next = outer.popLast() else { return }
    level = next
    var kind = JSONDocument.Kind.array
    if ended.isObject {
      let exceedsShape = DynamicRecord.exceedsShape(ended.count, cellCount: ended.cellCount)
      let isCell = !contents.contains(.variable) && ended.count > 0
      kind = exceedsShape ? .dictionary : isCell ? .cell : .object
      while namesInUse.count > ended.firstInUse, let (name, outerDepth) = namesInUse.popLast() {
        names[name].depth = outerDepth
      }
    } else if contents == [.whole, .real] {
      kind = .mixedNumbers
    }
    nodes[ended.node].close(kind, count: ended.count, end: nodes.count)
    level.count += 1
    level.cellCount += kind == .cell ? 1 : 0
    level.contents.formUnion(kind == .cell ? .other : [.other, .variable])
  }

  private mutating func add(
    _ kind: JSONDocument.Kind, at start: Int, _ count: Int, _ contents: Contents
  ) {
    nodes.append(
      .init(kind, name: level.name, start: start, count: count, end: nodes.count + 1))
    level.count += 1
    level.contents.formUnion(contents)
  }

  private var tooDeep: ImportError { error("it is nested too deeply") }

  /// Reads the name of a member, and moves to its value.
  private mutating func name() throws(ImportError) {
    skipBlanks()
    guard offset < bytes.count, bytes[offset] == Self.quote else {
      throw error("a name in quotes was expected")
    }
    let name = try knownName()
    // Names are compared by their bytes, as keys are.
    guard names[name].depth != outer.count else {
      throw error("the name \"\(keys[name].name.shortened)\" is there twice in an object")
    }
    namesInUse.append((name, names[name].depth))
    names[name].depth = outer.count
    level.name = name
    skipBlanks()
    guard take(":") else { throw error("a colon was expected") }
    guard outer.count < depthLimit else { throw tooDeep }
  }

  /// Reads a name, and returns its number.
  private mutating func knownName() throws(ImportError) -> Int {
    let (last, isFirst) = (level.name, level.count == 0)
    let expected = isFirst ? names[last].first : names[last].next
    if expected != 0 {
      let (start, count) = (names[expected].start, names[expected].count)
      if Self.isName(at: offset + 1, start, count, in: bytes.span) {
        offset += count + 2
        return expected
      }
    }
    let start = offset + 1
    let text = try text()
    let key = ArchiveKey(
      String(
        decoding: (text.isDecoded ? decoded : bytes)[text.start..<text.start + text.count],
        as: UTF8.self))
    let name = numbers[key] ?? names.count
    if name == names.count {
      numbers[key] = name
      keys.append(key)
      names.append(Name(start: start, count: offset - 1 - start))
    }
    if isFirst { names[last].first = name } else { names[last].next = name }
    return name
  }

  /// Whether a name is at an offset, written as it was at an earlier one, with a quotation mark after it.
  ///
  /// It is no method of the parser, which would be copied for each call.
  private static func isName(
    at offset: Int, _ earlier: Int, _ count: Int, in bytes: Span<UInt8>
  ) -> Bool {
    guard offset + count < bytes.count, bytes[offset + count] == quote else { return false }
    for index in 0..<count where bytes[offset + index] != bytes[earlier + index] { return false }
    return true
  }

  // MARK: - Numbers and words

  private mutating func word(
    _ word: String, _ kind: JSONDocument.Kind, _ contents: Contents
  ) throws(ImportError) {
    var end = offset
    for byte in word.utf8 {
      guard end < bytes.count, bytes[end] == byte else { throw error("a value was expected") }
      end += 1
    }
    add(kind, at: offset, 0, contents)
    offset = end
  }

  private mutating func number() throws(ImportError) {
    let start = offset
    let isNegative = take("-")
    let hasZero = offset < bytes.count && bytes[offset] == UInt8(ascii: "0")
    let count = digits()
    guard count > 0 else { throw error("a value was expected") }
    guard count == 1 || !hasZero else {
      throw error("a number begins with a zero that means nothing")
    }
    var kind: JSONDocument.Kind = count > Self.shortDigitCount ? .longWholeNumber : .wholeNumber
    // An integer cannot be -0.
    if isNegative, hasZero { kind = .realNumber }
    if take(".") {
      kind = .realNumber
      if digits() == 0 { throw error("a number ends with its point") }
    }
    if take("e") || take("E") {
      kind = .scaledNumber
      if !take("+") { _ = take("-") }
      if digits() == 0 { throw error("a number ends before its exponent") }
    }
    if kind == .realNumber, offset - start > Self.longestReal { kind = .scaledNumber }
    if kind == .longWholeNumber || kind == .scaledNumber { wideNumbers.append(nodes.count) }
    let isWhole = kind == .wholeNumber || kind == .longWholeNumber
    add(kind, at: start, offset - start, isWhole ? .whole : .real)
  }

  /// Every number of so many digits fits into 64 bits.
  private static let shortDigitCount = 18
  /// A number of at most so many characters, without an exponent, is in the range of `Double`.
  private static let longestReal = 300

  private mutating func digits() -> Int {
    let start = offset
    while offset < bytes.count, bytes[offset] &- 0x30 < 10 { offset += 1 }
    return offset - start
  }

  // MARK: - Strings

  /// Reads a string: where its bytes are, and whether these are decoded ones.
  private mutating func text() throws(ImportError) -> (start: Int, count: Int, isDecoded: Bool) {
    let start = offset + 1
    offset = bytes.span.endOfPlainText(from: start)
    if offset < bytes.count, bytes[offset] == Self.quote {
      try endText(from: start)
      return (start, offset - 1 - start, false)
    }
    let first = decoded.count
    var piece = start
    while offset < bytes.count {
      switch bytes[offset] {
      case Self.quote:
        decoded.append(contentsOf: bytes[piece..<offset])
        try endText(from: start)
        return (first, decoded.count - first, true)
      case Self.backslash:
        decoded.append(contentsOf: bytes[piece..<offset])
        offset += 1
        decoded.append(contentsOf: String(try escape()).utf8)
        piece = offset
        offset = bytes.span.endOfPlainText(from: offset)
      default: throw error("a string has a control character that is not escaped")
      }
    }
    throw error("a string does not end")
  }

  /// Moves past the quotation mark after a text.
  private mutating func endText(from start: Int) throws(ImportError) {
    // An escape does not complete a character, so the bytes as they are written tell.
    guard isUTF8 || bytes.span.extracting(start..<offset).isUTF8 else {
      throw error("a string is not UTF-8")
    }
    offset += 1
  }

  private mutating func escape() throws(ImportError) -> Unicode.Scalar {
    guard offset < bytes.count else { throw error("a string does not end") }
    offset += 1
    switch bytes[offset - 1] {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: throw error("a string has an escape that JSON does not know")
    }
  }

  private mutating func unicodeEscape() throws(ImportError) -> Unicode.Scalar {
    let unit = try codeUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // A lead and a trail surrogate make one character.
    guard UTF16.isLeadSurrogate(unit), take("\\"), take("u") else {
      throw error("a string has half a character")
    }
    let trail = try codeUnit()
    guard UTF16.isTrailSurrogate(trail) else {
      throw error("a string has half a character")
    }
    return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
  }

  private mutating func codeUnit() throws(ImportError) -> UInt16 {
    let digits = bytes[offset...].prefix(4).compactMap { Unicode.Scalar($0).hexadecimalDigit }
    guard digits.count == 4 else {
      throw error("a string has an escape without four digits")
    }
    offset += 4
    return digits.reduce(0) { $0 << 4 | $1 }
  }

  // MARK: - Bytes

  private mutating func skipBlanks() {
    while offset < bytes.count, bytes[offset] <= 0x20,
      Self.blanks &>> UInt64(bytes[offset]) & 1 != 0
    {
      offset += 1
    }
  }

  /// Moves past an ASCII character if it is next, and returns whether it was.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  /// The error that names a fault, and the place by its line and column.
  private func error(_ message: String) -> ImportError {
    guard var cursor = try? TextCursor(bytes) else { return ImportError(.damaged, message) }
    cursor.offset = offset
    return cursor.error(message)
  }
}

extension Unicode.Scalar {
  /// The value of a hexadecimal digit.
  var hexadecimalDigit: UInt16? {
    switch self {
    case "0"..."9": UInt16(clamping: value - 0x30)
    case "a"..."f": UInt16(clamping: value - 0x61 + 10)
    case "A"..."F": UInt16(clamping: value - 0x41 + 10)
    default: nil
    }
  }
}

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
  /// The numbers of the names by their content.
  private var numbers = HashIndex()
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
      parser.skipBlanks(in: bytes.span)
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
    let bytes = self.bytes
    skipBlanks(in: bytes.span)
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
    // Each method gets the bytes as a span, since the parser is changed while they are read.
    let bytes = self.bytes
    let text = bytes.span
    repeat { try value(in: text) } while try moveToNextValue(in: text)
    return JSONDocument(
      bytes: bytes, decoded: decoded, nodes: nodes, names: keys, wideNumbers: wideNumbers)
  }

  /// Reads a value; of an array or an object, all up to its first value without others.
  private mutating func value(in text: Span<UInt8>) throws(ImportError) {
    while true {
      skipBlanks(in: text)
      guard offset < text.count else { throw error("it ends too early") }
      switch text[offset] {
      case UInt8(ascii: "{"):
        open(isObject: true, in: text)
        if take("}", in: text) { return close() }
        try name(in: text)
      case UInt8(ascii: "["):
        open(isObject: false, in: text)
        if take("]", in: text) { return close() }
        guard outer.count < depthLimit else { throw tooDeep }
      case Self.quote:
        let string = try string(in: text)
        return add(
          string.isDecoded ? .decodedText : .text, at: string.start, string.count,
          [.other, .variable])
      case UInt8(ascii: "t"): return try word("true", .yes, .other, in: text)
      case UInt8(ascii: "f"): return try word("false", .no, .other, in: text)
      case UInt8(ascii: "n"): return try word("null", .null, [], in: text)
      default: return try number(in: text)
      }
    }
  }

  /// Moves past a comma, and past the ends of arrays and objects before it; returns false at the end of the document.
  private mutating func moveToNextValue(in text: Span<UInt8>) throws(ImportError) -> Bool {
    while !outer.isEmpty {
      skipBlanks(in: text)
      if take(",", in: text) {
        if level.isObject { try name(in: text) }
        return true
      }
      guard take(level.isObject ? "}" : "]", in: text) else {
        throw error("a comma or \(level.isObject ? "}" : "]") was expected")
      }
      close()
    }
    return false
  }

  // MARK: - Arrays and objects

  /// Begins an array or an object, and moves to what is in it.
  private mutating func open(isObject: Bool, in text: Span<UInt8>) {
    let name = level.name
    outer.append(level)
    level = Level(
      node: nodes.count, isObject: isObject, name: name, firstInUse: namesInUse.count)
    nodes.append(.init(.array, name: name, start: offset, end: 0))
    offset += 1
    skipBlanks(in: text)
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
  private mutating func name(in text: Span<UInt8>) throws(ImportError) {
    skipBlanks(in: text)
    guard offset < text.count, text[offset] == Self.quote else {
      throw error("a name in quotes was expected")
    }
    let name = try knownName(in: text)
    // Names are compared by their bytes, as keys are.
    let outerDepth = names[name].depth
    guard outerDepth != outer.count else {
      throw error("the name \"\(keys[name].name.shortened)\" is there twice in an object")
    }
    namesInUse.append((name, outerDepth))
    names[name].depth = outer.count
    level.name = name
    skipBlanks(in: text)
    guard take(":", in: text) else { throw error("a colon was expected") }
    guard outer.count < depthLimit else { throw tooDeep }
  }

  private mutating func knownName(in text: Span<UInt8>) throws(ImportError) -> Int {
    let (last, isFirst) = (level.name, level.count == 0)
    let expected = isFirst ? names[last].first : names[last].next
    if expected != 0 {
      // The bytes include the quotation mark after the name.
      let (start, count) = (names[expected].start, names[expected].count + 1)
      if text.hasSameBytes(count, at: start, and: offset + 1) {
        offset += count + 1
        return expected
      }
    }
    let start = offset + 1
    let string = try string(in: text)
    let range = string.start..<string.start + string.count
    let key = ArchiveKey(
      String(decoding: (string.isDecoded ? decoded : bytes)[range], as: UTF8.self))
    let hash = key.hashValue
    let known = numbers.number(hash) { keys[$0] == key }
    let name = known ?? names.count
    if known == nil {
      numbers.add(name, hash)
      keys.append(key)
      names.append(Name(start: start, count: offset - 1 - start))
    }
    if isFirst { names[last].first = name } else { names[last].next = name }
    return name
  }

  // MARK: - Numbers and words

  private mutating func word(
    _ word: String, _ kind: JSONDocument.Kind, _ contents: Contents, in text: Span<UInt8>
  ) throws(ImportError) {
    var end = offset
    for byte in word.utf8 {
      guard end < text.count, text[end] == byte else { throw error("a value was expected") }
      end += 1
    }
    add(kind, at: offset, 0, contents)
    offset = end
  }

  private mutating func number(in text: Span<UInt8>) throws(ImportError) {
    let start = offset
    let isNegative = take("-", in: text)
    let hasZero = offset < text.count && text[offset] == UInt8(ascii: "0")
    let count = digits(in: text)
    guard count > 0 else { throw error("a value was expected") }
    guard count == 1 || !hasZero else {
      throw error("a number begins with a zero that means nothing")
    }
    var kind: JSONDocument.Kind = count > Self.shortDigitCount ? .longWholeNumber : .wholeNumber
    // An integer cannot be -0.
    if isNegative, hasZero { kind = .realNumber }
    if take(".", in: text) {
      kind = .realNumber
      if digits(in: text) == 0 { throw error("a number ends with its point") }
    }
    if take("e", in: text) || take("E", in: text) {
      kind = .scaledNumber
      if !take("+", in: text) { _ = take("-", in: text) }
      if digits(in: text) == 0 { throw error("a number ends before its exponent") }
    }
    if kind == .realNumber, offset - start > Self.longestReal { kind = .scaledNumber }
    if kind == .longWholeNumber || kind == .scaledNumber { wideNumbers.append(nodes.count) }
    let isWhole = kind == .wholeNumber || kind == .longWholeNumber
    add(kind, at: start, offset - start, isWhole ? .whole : .real)
  }

  /// The greatest number of digits with which every number fits into 64 bits.
  private static let shortDigitCount = 18
  /// The greatest length at which every number without an exponent is in the range of `Double`.
  private static let longestReal = 300

  private mutating func digits(in text: Span<UInt8>) -> Int {
    var end = offset
    while end < text.count, text[end] &- 0x30 < 10 { end += 1 }
    defer { offset = end }
    return end - offset
  }

  // MARK: - Strings

  /// Reads a string: where its bytes are, and whether these are decoded ones.
  private mutating func string(
    in text: Span<UInt8>
  ) throws(ImportError) -> (start: Int, count: Int, isDecoded: Bool) {
    let start = offset + 1
    offset = text.endOfPlainText(from: start)
    if offset < text.count, text[offset] == Self.quote {
      try endString(from: start, in: text)
      return (start, offset - 1 - start, false)
    }
    let first = decoded.count
    var piece = start
    while offset < text.count {
      switch text[offset] {
      case Self.quote:
        decoded.append(copying: text.extracting(piece..<offset))
        try endString(from: start, in: text)
        return (first, decoded.count - first, true)
      case Self.backslash:
        decoded.append(copying: text.extracting(piece..<offset))
        offset += 1
        decoded.append(contentsOf: String(try escape(in: text)).utf8)
        piece = offset
        offset = text.endOfPlainText(from: offset)
      default: throw error("a string has a control character that is not escaped")
      }
    }
    throw error("a string does not end")
  }

  /// Moves past the quotation mark after a string.
  private mutating func endString(from start: Int, in text: Span<UInt8>) throws(ImportError) {
    // No escape completes a character of UTF-8, so it is enough to check the bytes as they are written.
    guard isUTF8 || text.extracting(start..<offset).isUTF8 else {
      throw error("a string is not UTF-8")
    }
    offset += 1
  }

  private mutating func escape(in text: Span<UInt8>) throws(ImportError) -> Unicode.Scalar {
    guard offset < text.count else { throw error("a string does not end") }
    offset += 1
    switch text[offset - 1] {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape(in: text)
    default: throw error("a string has an escape that JSON does not know")
    }
  }

  private mutating func unicodeEscape(
    in text: Span<UInt8>
  ) throws(ImportError) -> Unicode.Scalar {
    let unit = try codeUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // A lead and a trail surrogate make one character.
    guard UTF16.isLeadSurrogate(unit), take("\\", in: text), take("u", in: text) else {
      throw error("a string has half a character")
    }
    let trail = try codeUnit()
    guard UTF16.isTrailSurrogate(trail) else {
      throw error("a string has half a character")
    }
    return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
  }

  private mutating func codeUnit() throws(ImportError) -> UInt16 {
    guard let unit = [UInt8](hexadecimal: bytes[offset...].prefix(4)), unit.count == 2 else {
      throw error("a string has an escape without four digits")
    }
    offset += 4
    return UInt16(unit[0]) << 8 | UInt16(unit[1])
  }

  // MARK: - Bytes

  @inline(__always)
  private mutating func skipBlanks(in text: Span<UInt8>) {
    while offset < text.count, text[offset] <= 0x20,
      Self.blanks &>> UInt64(text[offset]) & 1 != 0
    {
      offset += 1
    }
  }

  /// Moves past an ASCII character if it is next, and returns whether it was.
  @inline(__always)
  private mutating func take(_ character: Unicode.Scalar, in text: Span<UInt8>) -> Bool {
    guard offset < text.count, text[offset] == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  /// An error with a message, and with the line and column of the parser.
  private func error(_ message: String) -> ImportError {
    guard var cursor = try? TextCursor(bytes) else { return ImportError(.damaged, message) }
    cursor.offset = offset
    return cursor.error(message)
  }
}

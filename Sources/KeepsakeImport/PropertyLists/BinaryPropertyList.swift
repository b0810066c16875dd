import KeepsakeArchive
import KeepsakeDocuments

/// Reads a property list of the binary form: objects that name each other by number, found through a table of offsets.
///
/// Each object is read within the bytes before the table. Several objects may name the same one, so a small file can
/// describe an endless value. Therefore the reader counts the values that it makes.
struct BinaryPropertyList {
  static let signature = Array("bplist".utf8)
  private static let trailerByteCount = 32
  /// The cost of a value besides its bytes.
  private static let valueCost = 16
  /// In place of an offset at which no object can start.
  private static let noOffset = 0

  private let bytes: [UInt8]
  private let referenceByteCount: Int
  private let top: Int
  /// The byte at which each object starts, or ``noOffset``.
  private let offsets: [Int]
  /// The position at which the objects end and the table of offsets begins.
  private let table: Int
  /// True when the references of keyed archives are read; otherwise they are refused.
  private let withReferences: Bool
  /// The objects that contain the next one.
  private var outer: [Int] = []
  private var list = PropertyListDocument()
  /// The numbers of the names that were read before, by the numbers of their objects.
  private var nameNumbers: [UInt32?]
  /// A cache of names in ASCII, by their bytes: some writers store a name again for each dictionary.
  private var storedNames = [StoredName](repeating: .none, count: StoredName.rowCount)
  /// The cost that is left for further values.
  ///
  /// A file that names no array or dictionary twice needs 16 for each byte, and the length of its texts.
  private var remaining: Int

  /// A row of the cache of names.
  private struct StoredName {
    static let rowCount = 1 << 10
    /// A row without a name: no name that is looked up is empty.
    static let none = StoredName(ends: NameEnds(first: 0, last: 0), content: 0..<0, number: 0)

    let ends: NameEnds
    let content: Range<Int>
    let number: UInt32
  }

  /// The first and the last eight bytes of a name, which are all of most names.
  private struct NameEnds: Equatable {
    static let byteCount = 8
    let first, last: UInt64
  }

  /// Reads the whole document, each object as often as it is named.
  static func parse(
    _ bytes: [UInt8], withReferences: Bool
  ) throws(ImportError) -> PropertyListDocument {
    var reader = try BinaryPropertyList(bytes, withReferences: withReferences)
    reader.list.top = try reader.node(reader.top)
    return reader.list
  }

  /// Reads the last bytes, which say where everything else is.
  private init(_ bytes: [UInt8], withReferences: Bool) throws(ImportError) {
    (self.bytes, self.withReferences) = (bytes, withReferences)
    let trailer = bytes.count - Self.trailerByteCount
    guard trailer >= Self.signature.count + 2 else {
      throw ImportError(.damaged, "it ends too early", at: .byte(bytes.count))
    }
    let offsetByteCount = Int(bytes[trailer + 6])
    referenceByteCount = Int(bytes[trailer + 7])
    let counts = [8, 16, 24].map { Int(exactly: bytes.integer(at: trailer + $0, 8)) }
    guard (1...8).contains(offsetByteCount), (1...8).contains(referenceByteCount),
      let objectCount = counts[0], let top = counts[1], let table = counts[2],
      table >= Self.signature.count + 2, table <= trailer, top < objectCount,
      objectCount <= (trailer - table) / offsetByteCount
    else {
      throw ImportError(
        .damaged, "its last bytes name objects that are not in it", at: .byte(trailer))
    }
    (self.top, self.table) = (top, table)
    offsets = Self.offsets(in: bytes, objectCount, at: table, byteCount: offsetByteCount)
    nameNumbers = [UInt32?](repeating: nil, count: objectCount)
    remaining = 64 * max(bytes.count, 1 << 12)
  }

  // MARK: - Objects

  private mutating func node(_ number: Int) throws(ImportError) -> PropertyListNode {
    guard outer.count < PropertyList.depthLimit else {
      throw ImportError(
        .limitExceeded, "it is nested too deeply", at: .object(number, byte: nil))
    }
    let offset = try offset(of: number)
    let marker = bytes[offset]
    switch marker {
    case 0x80...0x87:
      guard withReferences else {
        throw error(
          "it refers to objects as archives of NSKeyedArchiver do, which are no plain values",
          number, offset)
      }
      try pay(0, number)
      return .reference(
        bytes.integer(try content(after: offset + 1, Int(marker & 0x0F) + 1, of: number)))
    case 0xA0...0xAF:
      let range = try counted(offset, of: number, width: referenceByteCount)
      try open(number)
      let elements = try elements(range)
      outer.removeLast()
      return .array(elements)
    case 0xD0...0xDF:
      let range = try counted(offset, of: number, width: 2 * referenceByteCount)
      try open(number)
      let members = try members(range)
      outer.removeLast()
      if let repetition = list.names.repetition(in: list.members[members]) {
        throw ImportError(.damaged, repetition, at: .object(number, byte: nil))
      }
      return .dictionary(members)
    default:
      let value = try scalar(number, marker, offset)
      switch value {
      case .string(let text): try pay(text.utf8.count, number)
      case .bytes(let bytes): try pay(bytes.count, number)
      default: try pay(0, number)
      }
      return list.add(value)
    }
  }

  /// The elements of an array.
  private mutating func elements(_ range: Range<Int>) throws(ImportError) -> Range<Int> {
    let first = list.elements.count
    let count = range.count / referenceByteCount
    list.elements.append(contentsOf: repeatElement(.empty, count: count))
    var start = range.lowerBound
    for index in first..<first + count {
      list.elements[index] = try node(reference(at: start))
      start += referenceByteCount
    }
    return first..<first + count
  }

  /// The members of a dictionary, whose range has all names and then all values.
  private mutating func members(
    _ range: Range<Int>
  ) throws(ImportError) -> Range<Int> {
    let first = list.members.count
    let half = range.count / 2
    let count = half / referenceByteCount
    list.members.append(contentsOf: repeatElement(.empty, count: count))
    var start = range.lowerBound
    for index in first..<first + count {
      let name = try name(reference(at: start))
      let node = try node(reference(at: start + half))
      list.members[index] = PropertyListNode.Member(node: node, name: name)
      start += referenceByteCount
    }
    return first..<first + count
  }

  /// The number of the name that an object is.
  private mutating func name(_ number: Int) throws(ImportError) -> UInt32 {
    if number < nameNumbers.count, let name = nameNumbers[number] {
      try pay(list.names[name].utf8.count, number)
      return name
    }
    let offset = try offset(of: number)
    // The bytes of a name in ASCII; empty for another one, which is not in the cache.
    var content = 0..<0
    var ends = StoredName.none.ends
    if bytes[offset] & 0xF0 == 0x50 {
      content = try counted(offset, of: number, width: 1)
      ends = nameEnds(content)
      if let known = storedName(ends, content) {
        try pay(content.count, number)
        nameNumbers[number] = known
        return known
      }
    }
    guard (0x50...0x6F).contains(bytes[offset]),
      case .string(let name) = try scalar(number, bytes[offset], offset)
    else {
      throw ImportError(
        .damaged, "a name in a dictionary is no text", at: .object(number, byte: nil))
    }
    try pay(name.utf8.count, number)
    let nameNumber = list.names.add(name)
    nameNumbers[number] = nameNumber
    if !content.isEmpty {
      storedNames[row(of: ends)] = StoredName(ends: ends, content: content, number: nameNumber)
    }
    return nameNumber
  }

  /// The number of a name in ASCII that is in the cache; nil for an empty name.
  private func storedName(_ ends: NameEnds, _ content: Range<Int>) -> UInt32? {
    let known = storedNames[row(of: ends)]
    let count = content.count
    guard known.ends == ends, known.content.count == count, count > 0,
      count <= 2 * NameEnds.byteCount
        || bytes.span.hasSameBytes(count, at: known.content.lowerBound, and: content.lowerBound)
    else { return nil }
    return known.number
  }

  private func nameEnds(_ content: Range<Int>) -> NameEnds {
    let count = min(content.count, NameEnds.byteCount)
    return NameEnds(
      first: bytes.integer(at: content.lowerBound, count),
      last: bytes.integer(at: content.upperBound - count, count))
  }

  private func row(of ends: NameEnds) -> Int {
    Int(mixedWords(ends.first, ends.last) >> 32) & (StoredName.rowCount - 1)
  }

  /// Begins an array or a dictionary.
  private mutating func open(_ number: Int) throws(ImportError) {
    guard !outer.contains(number) else {
      throw ImportError(
        .damaged, "an object contains itself", at: .object(number, byte: nil))
    }
    try pay(0, number)
    outer.append(number)
  }

  private func scalar(
    _ number: Int, _ marker: UInt8, _ offset: Int
  ) throws(ImportError) -> DynamicValue {
    let low = Int(marker & 0x0F)
    switch marker {
    case 0x00: return .null
    case 0x08, 0x09: return .bool(marker == 0x09)
    case 0x10...0x14:
      let content = try content(after: offset + 1, 1 << low, of: number)
      // Integers have a sign from eight bytes on.
      if low < 3 { return .signed(Int64(bytes.integer(content)), bitWidth: 64) }
      if low == 3 {
        return .signed(Int64(bitPattern: bytes.integer(content)), bitWidth: 64)
      }
      return DynamicValue(wholeNumber: bytes.signedInteger(content))
    case 0x22:
      let bits = bytes.integer(try content(after: offset + 1, 4, of: number))
      return .float(Float(bitPattern: UInt32(clamping: bits)))
    case 0x23:
      let bits = bytes.integer(try content(after: offset + 1, 8, of: number))
      return .double(Double(bitPattern: bits))
    case 0x33:
      let bits = bytes.integer(try content(after: offset + 1, 8, of: number))
      let seconds = Double(bitPattern: bits)
      guard seconds.isFinite else { throw error("a date does not exist", number, offset) }
      return .date(ArchiveDate(secondsSinceReferenceDate: seconds))
    case 0x40...0x4F:
      return .bytes(Array(bytes[try counted(offset, of: number, width: 1)]))
    case 0x50...0x5F:
      let content = try counted(offset, of: number, width: 1)
      guard bytes.span.extracting(content).isASCII, let text = bytes.string(in: content) else {
        throw error("a text in ASCII has other characters", number, offset)
      }
      return .string(text)
    case 0x60...0x6F:
      let content = try counted(offset, of: number, width: 2)
      let units = stride(from: content.lowerBound, to: content.upperBound, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      guard let text = String(validating: units, as: UTF16.self) else {
        throw error("a text has half a character", number, offset)
      }
      return .string(text)
    default:
      throw error("it has a kind of object that property lists do not have", number, offset)
    }
  }

  private mutating func pay(_ byteCount: Int, _ number: Int) throws(ImportError) {
    remaining -= Self.valueCost + byteCount
    guard remaining >= 0 else {
      throw ImportError(
        .limitExceeded,
        "its objects are named so often that it would become many times as long as the file",
        at: .object(number, byte: nil))
    }
  }

  // MARK: - Bytes

  /// The byte at which each object starts.
  private static func offsets(
    in bytes: [UInt8], _ objectCount: Int, at table: Int, byteCount: Int
  ) -> [Int] {
    let span = bytes.span
    return (0..<objectCount).map { number in
      let stated = span.bigEndianInteger(at: table + number * byteCount, byteCount: byteCount)
      let offset = Int(clamping: stated)
      return offset >= signature.count + 2 && offset < table ? offset : noOffset
    }
  }

  /// The byte at which an object starts, which comes before the table.
  private func offset(of number: Int) throws(ImportError) -> Int {
    guard number < offsets.count, offsets[number] != Self.noOffset else {
      throw ImportError(
        .damaged, "an object is named that is not in it", at: .object(number, byte: nil))
    }
    return offsets[number]
  }

  /// The bytes of an object that has its count in its first byte, or in an integer after it.
  private func counted(
    _ offset: Int, of number: Int, width: Int
  ) throws(ImportError) -> Range<Int> {
    var (count, start) = (Int(bytes[offset] & 0x0F), offset + 1)
    if count == 0x0F {
      guard start < table, (0x10...0x13).contains(bytes[start]) else {
        throw error("it has no count", number, offset)
      }
      let stated = try content(after: start + 1, 1 << Int(bytes[start] & 0x0F), of: number)
      guard let long = Int(exactly: bytes.integer(stated)) else {
        throw error("it is longer than the file", number, offset)
      }
      (count, start) = (long, stated.upperBound)
    }
    guard count <= (table - start) / width else {
      throw error("it is longer than the file", number, offset)
    }
    return start..<start + count * width
  }

  private func content(
    after start: Int, _ count: Int, of number: Int
  ) throws(ImportError) -> Range<Int> {
    guard count <= table - start else {
      throw error("it is longer than the file", number, start)
    }
    return start..<start + count
  }

  /// The number of an object.
  ///
  /// One that is too large for an `Int` is clamped, and still names no object.
  private func reference(at start: Int) -> Int {
    Int(clamping: bytes.integer(at: start, referenceByteCount))
  }

  private func error(_ message: String, _ number: Int, _ offset: Int) -> ImportError {
    ImportError(.damaged, message, at: .object(number, byte: offset))
  }
}

extension [UInt8] {
  /// An integer of at most eight bytes, the most significant first.
  fileprivate func integer(_ range: Range<Int>) -> UInt64 {
    integer(at: range.lowerBound, range.count)
  }

  fileprivate func integer(at offset: Int, _ count: Int) -> UInt64 {
    span.bigEndianInteger(at: offset, byteCount: count)
  }

  /// An integer of up to 16 bytes with a sign.
  fileprivate func signedInteger(_ range: Range<Int>) -> Int128 {
    let isNegative = self[range.lowerBound] & 0x80 != 0
    return self[range].reduce(isNegative ? -1 : 0) { $0 << 8 | Int128($1) }
  }
}

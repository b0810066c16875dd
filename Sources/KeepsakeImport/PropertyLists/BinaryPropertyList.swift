import KeepsakeArchive
import KeepsakeDocuments

/// Reads a property list of the binary form.
///
/// Several objects may name the same one, so a small file can describe an endless value. Therefore the reader counts
/// the values that it makes.
struct BinaryPropertyList {
  static let signature = Array("bplist".utf8)
  /// The cost of a value, to which the number of its bytes is added.
  private static let valueCost = 16

  private let objects: BinaryObjects
  /// True when the references of keyed archives are read; otherwise they are refused.
  private let withReferences: Bool
  /// The objects that contain the next one.
  private var outer: [Int] = []
  private var list = PropertyListDocument()
  /// A cache of names in ASCII, by their bytes: some writers store a name again for each dictionary.
  private var storedNames = [StoredName](repeating: .none, count: StoredName.rowCount)
  /// The remaining budget for values.
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

  /// The first and the last eight bytes of a name; most names have no others.
  private struct NameEnds: Equatable {
    static let byteCount = 8
    let first, last: UInt64

    var row: Int { Int(mixedWords(first, last) >> 32) & (StoredName.rowCount - 1) }
  }

  /// Reads the whole document, each object as often as it is named.
  static func parse(
    _ bytes: [UInt8], withReferences: Bool
  ) throws(ImportError) -> PropertyListDocument {
    var reader = BinaryPropertyList(
      objects: try BinaryObjects(bytes), withReferences: withReferences)
    // A keyed archive that Foundation wrote on Linux has a member for each 30 bytes, and fewer elements and scalars.
    reader.list.reserveCapacity(bytes.count / 28)
    reader.list.top = try reader.node(reader.objects.top)
    return reader.list
  }

  private init(objects: BinaryObjects, withReferences: Bool) {
    (self.objects, self.withReferences) = (objects, withReferences)
    remaining = 64 * max(objects.bytes.count, 1 << 12)
  }

  private mutating func node(_ number: Int) throws(ImportError) -> PropertyListNode {
    guard outer.count < PropertyList.depthLimit else {
      throw ImportError(
        .limitExceeded, "it is nested too deeply", at: .object(number, byte: nil))
    }
    let offset = try objects.offset(of: number)
    let marker = objects.bytes[offset]
    switch marker {
    case 0x80...0x87:
      guard withReferences else {
        throw objects.error(
          "it refers to objects as archives of NSKeyedArchiver do, which are not plain values",
          number, offset)
      }
      try pay(0, number)
      return .reference(
        try objects.integer(after: offset + 1, Int(marker & 0x0F) + 1, of: number))
    case 0xA0...0xAF:
      let range = try objects.counted(offset, of: number, width: objects.referenceByteCount)
      try open(number)
      let elements = try elements(range)
      outer.removeLast()
      return .array(elements)
    case 0xD0...0xDF:
      let range = try objects.counted(offset, of: number, width: 2 * objects.referenceByteCount)
      try open(number)
      let members = try members(range, of: number)
      outer.removeLast()
      return .dictionary(members)
    default:
      let value = try objects.scalar(number, marker, offset)
      try pay(value.contentByteCount, number)
      return list.add(value)
    }
  }

  private mutating func elements(_ range: Range<Int>) throws(ImportError) -> Range<Int> {
    let first = list.elements.count
    let count = range.count / objects.referenceByteCount
    for _ in 0..<count { list.elements.append(.empty) }
    var start = range.lowerBound
    for index in first..<first + count {
      list.elements[index] = try node(objects.reference(at: start))
      start += objects.referenceByteCount
    }
    return first..<first + count
  }

  /// The members of a dictionary, whose range has all names and then all values.
  private mutating func members(
    _ range: Range<Int>, of number: Int
  ) throws(ImportError) -> Range<Int> {
    let first = list.members.count
    let middle = range.lowerBound + range.count / 2
    var start = range.lowerBound
    while start < middle {
      let name = try name(objects.reference(at: start))
      list.members.append(PropertyListNode.Member(node: .empty, name: name))
      start += objects.referenceByteCount
    }
    let members = first..<list.members.count
    if let repetition = list.names.repetition(in: list.members[members]) {
      throw ImportError(.damaged, repetition, at: .object(number, byte: nil))
    }
    for index in members {
      list.members[index].node = try node(objects.reference(at: start))
      start += objects.referenceByteCount
    }
    return members
  }

  /// The number, among the names, of the name that is stored as an object.
  private mutating func name(_ number: Int) throws(ImportError) -> UInt32 {
    let offset = try objects.offset(of: number)
    let marker = objects.bytes[offset]
    // The bytes of a name in ASCII; empty for another one, which is not in the cache.
    var content = 0..<0
    var ends = StoredName.none.ends
    if marker & 0xF0 == 0x50 {
      content = try objects.counted(offset, of: number, width: 1)
      try pay(content.count, number)
      let endByteCount = min(content.count, NameEnds.byteCount)
      ends = NameEnds(
        first: objects.integer(at: content.lowerBound, endByteCount),
        last: objects.integer(at: content.upperBound - endByteCount, endByteCount))
      let known = storedNames[ends.row]
      if known.ends == ends, known.content.count == content.count, !content.isEmpty,
        content.count <= 2 * NameEnds.byteCount
          || objects.bytes.span.hasSameBytes(
            content.count, at: known.content.lowerBound, and: content.lowerBound)
      {
        return known.number
      }
    }
    guard (0x50...0x6F).contains(marker),
      case .string(let name) = try objects.scalar(number, marker, offset)
    else {
      throw ImportError(
        .damaged, "a name in a dictionary is not a text", at: .object(number, byte: nil))
    }
    if content.isEmpty { try pay(name.utf8.count, number) }
    let nameNumber = list.names.add(name)
    if !content.isEmpty {
      storedNames[ends.row] = StoredName(ends: ends, content: content, number: nameNumber)
    }
    return nameNumber
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

  @inline(__always)
  private mutating func pay(_ byteCount: Int, _ number: Int) throws(ImportError) {
    remaining -= Self.valueCost + byteCount
    guard remaining >= 0 else {
      throw ImportError(
        .limitExceeded,
        "its objects are named so often that it would become many times as long as the file",
        at: .object(number, byte: nil))
    }
  }
}

import KeepsakeSeal

/// The checked header of an entry in a plaintext, and the ranges of its name and its content.
struct EntryHeader: Sendable {
  let version: Int
  let representation: JournalRecord.Representation
  /// Milliseconds since 1970.
  let time: Int64
  let name: Range<Int>
  let content: Range<Int>

  /// The length of the entry whose header is at `offset`; nil when the header breaks a rule or is not whole.
  static func length(in bytes: [UInt8], at offset: Int) -> Int? {
    guard bytes.count - offset >= JournalFormat.entryHeaderLength else { return nil }
    let content = Int(clamping: bytes.littleEndian(at: offset, as: UInt32.self))
    let name = Int(bytes.littleEndian(at: offset + 4, as: UInt16.self))
    guard content <= JournalFormat.maximumContentLength,
      name <= JournalFormat.maximumTypeNameLength
    else { return nil }
    return JournalFormat.entryHeaderLength + name + content
  }

  /// Reads the beginning of a long entry, without its content; nil when it breaks a rule.
  init?(begunIn bytes: [UInt8]) {
    guard let length = EntryHeader.length(in: bytes, at: 0), length > bytes.count else {
      return nil
    }
    self.init(bytes, at: 0, length: length)
  }

  /// Reads the entry at `offset`, and sets `offset` after it; nil when it breaks a rule.
  init?(parsing bytes: [UInt8], at offset: inout Int) {
    guard let length = EntryHeader.length(in: bytes, at: offset), length <= bytes.count - offset
    else { return nil }
    self.init(bytes, at: offset, length: length)
    offset += length
  }

  /// Reads an entry whose length was checked.
  private init?(_ bytes: [UInt8], at offset: Int, length: Int) {
    let nameStart = offset + JournalFormat.entryHeaderLength
    let nameEnd = nameStart + Int(bytes.littleEndian(at: offset + 4, as: UInt16.self))
    let version = bytes.littleEndian(at: offset + 8, as: UInt32.self)
    guard let representation = JournalRecord.Representation(rawValue: bytes[offset + 6]),
      bytes[offset + 7] == 0, version <= UInt32(Int32.max), nameEnd <= bytes.count,
      nameStart == nameEnd
        || String(validating: bytes[nameStart..<nameEnd], as: UTF8.self) != nil
    else { return nil }
    self.version = Int(clamping: version)
    self.representation = representation
    time = bytes.littleEndian(at: offset + 12, as: Int64.self)
    name = nameStart..<nameEnd
    content = nameEnd..<offset + length
  }
}

/// An entry with its place in the journal, not yet decoded.
@usableFromInline struct FoundEntry: Sendable {
  @usableFromInline let number: UInt64
  @usableFromInline let missingBefore: UInt64
  /// Milliseconds since 1970.
  @usableFromInline let time: Int64
  @usableFromInline let record: JournalRecord
}

/// The entries of one plaintext; the content of each is copied when it is taken.
@usableFromInline struct FoundEntries: RandomAccessCollection, Sendable {
  private let plaintext: [UInt8]
  private var places: [(number: UInt64, header: EntryHeader)] = []
  /// The number of entries that are missing before the first one; no entry is missing between the others.
  private var missingBefore: UInt64 = 0

  init(in plaintext: [UInt8] = []) { self.plaintext = plaintext }

  mutating func reserveCapacity(_ count: Int) { places.reserveCapacity(count) }

  mutating func append(_ header: EntryHeader, number: UInt64, missingBefore missing: UInt64) {
    if places.isEmpty { missingBefore = missing }
    places.append((number, header))
  }

  @usableFromInline var startIndex: Int { 0 }
  @usableFromInline var endIndex: Int { places.count }

  @usableFromInline subscript(index: Int) -> FoundEntry {
    let (number, header) = places[index]
    let name = plaintext[header.name]
    return FoundEntry(
      number: number, missingBefore: index == 0 ? missingBefore : 0, time: header.time,
      record: JournalRecord(
        Array(plaintext[header.content]),
        typeName: name.isEmpty ? "" : String(decoding: name, as: UTF8.self),
        version: header.version, representation: header.representation))
  }
}

import KeepsakeSeal

/// The header of an entry in a plaintext, which was checked, and the ranges of its name and its content.
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

  /// Reads the begin of a long entry, without its content; nil when it breaks a rule.
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

/// An entry in the plaintext of a frame, whose content is not copied.
struct FoundEntry: Sendable {
  fileprivate let plaintext: [UInt8]
  fileprivate let header: EntryHeader

  /// Milliseconds since 1970.
  var time: Int64 { header.time }
  /// The length of the content.
  var byteCount: Int { header.content.count }

  /// The entry, with a copy of its content.
  var record: JournalRecord {
    JournalRecord(
      Array(plaintext[header.content]),
      typeName: header.name.isEmpty
        ? "" : String(decoding: plaintext[header.name], as: UTF8.self),
      version: header.version, representation: header.representation)
  }
}

/// An entry with its place in the journal, not yet decoded.
@usableFromInline struct NumberedEntry: Sendable {
  @usableFromInline let number: UInt64
  @usableFromInline let missingBefore: UInt64
  let stored: FoundEntry
}

/// The entries of one plaintext, which they share: an array of them would retain it once for each.
@usableFromInline struct FoundEntries: RandomAccessCollection, Sendable {
  private struct Place: Sendable {
    let number: UInt64
    let missingBefore: UInt64
    let header: EntryHeader
  }

  private let plaintext: [UInt8]
  private var places: [Place] = []

  init(in plaintext: [UInt8] = []) { self.plaintext = plaintext }

  mutating func reserveCapacity(_ count: Int) { places.reserveCapacity(count) }

  mutating func append(_ header: EntryHeader, number: UInt64, missingBefore: UInt64) {
    places.append(Place(number: number, missingBefore: missingBefore, header: header))
  }

  @usableFromInline var startIndex: Int { 0 }
  @usableFromInline var endIndex: Int { places.count }

  @usableFromInline subscript(index: Int) -> NumberedEntry {
    let place = places[index]
    return NumberedEntry(
      number: place.number, missingBefore: place.missingBefore,
      stored: FoundEntry(plaintext: plaintext, header: place.header))
  }
}

// The parts of an archive that are not tables or records, each with what it says, one way to write it
// and one to read it (Spec/archive.md, 3 and 4.1). Fields are written and read in their order, so no
// offset of a field is stated twice.

/// The first bytes of every archive (Spec/archive.md, 3.1).
enum ArchiveHeader {
  static let byteCount = 64
  /// 89 "KSA" 0D 0A 1A 0A: not text, and damaged by any transfer that converts line ends.
  private static let magic: UInt64 = 0x0A1A_0A0D_4153_4B89
  private static let version: UInt16 = 0

  static func write(to bytes: inout ByteBuffer) {
    let end = bytes.count + byteCount
    bytes.append(magic)
    bytes.append(version)
    bytes.appendZeros(end - bytes.count)
  }

  /// Checks the first bytes, as many as there are of the header.
  static func check(_ bytes: ByteRegion) throws(ArchiveError) {
    var fields = FieldCursor(bytes, at: 0)
    guard let first: UInt64 = fields.next() else {
      throw ArchiveError(.truncated, "the archive has only \(bytes.end) bytes", offset: 0)
    }
    guard first == magic else {
      throw ArchiveError(.notAnArchive, "the bytes do not begin as an archive does", offset: 0)
    }
    guard bytes.end >= byteCount else {
      throw ArchiveError(.truncated, "the archive ends inside its header", offset: bytes.end)
    }
    let place = fields.offset
    let stored: UInt16 = fields.next() ?? .max
    guard stored == version else {
      throw ArchiveError(
        .unsupportedVersion,
        "the archive is of format version \(stored), and this library reads version \(version)",
        offset: place)
    }
    let _: UInt16? = fields.next()  // The minor version, which readers ignore.
    let required = fields.offset
    guard fields.next() == (0 as UInt32) else {
      throw ArchiveError(
        .unsupportedFeature, "the archive uses a feature that this library does not know",
        offset: required)
    }
    let _: UInt32? = fields.next()  // Features that readers may ignore.
    guard bytes.isZero(in: fields.offset..<byteCount) else {
      throw ArchiveError(
        .damaged, "reserved bytes of the header are not zero", offset: fields.offset)
    }
  }
}

/// The first bytes of a segment (Spec/archive.md, 4.1).
struct SegmentHead: Equatable {
  static let byteCount = 64
  static let marker: UInt32 = 0x6745_534B  // "KSEg"

  var number: UInt32
  /// The number of the first record; record 0 is the archive's own, record n that of object n.
  var firstRecord: UInt32
  var recordCount: UInt32
  /// How many entries of the tables are new in the segment.
  var newEntries: TableCounts
  var tablesByteCount: Int
  var recordsByteCount: Int
  var segmentByteCount: Int

  func write(to bytes: inout ByteBuffer) {
    bytes.append(SegmentHead.marker)
    for word in [number, firstRecord, recordCount] { bytes.append(word) }
    newEntries.write(to: &bytes)
    bytes.append(0 as UInt32)
    for length in [tablesByteCount, recordsByteCount, segmentByteCount, 0] {
      bytes.append(UInt64(length))
    }
  }

  /// Reads the head at an offset; nil when there is none.
  init?(_ bytes: ByteRegion, at offset: Int) {
    var fields = FieldCursor(bytes, at: offset)
    guard fields.next() == SegmentHead.marker, let number: UInt32 = fields.next(),
      let first: UInt32 = fields.next(), let count: UInt32 = fields.next(),
      let newEntries = TableCounts(&fields), fields.next() == (0 as UInt32),
      let tables = fields.nextLength(), let records = fields.nextLength(),
      let total = fields.nextLength(), fields.next() == (0 as UInt64)
    else { return nil }
    self.init(
      number: number, firstRecord: first, recordCount: count, newEntries: newEntries,
      tablesByteCount: tables, recordsByteCount: records, segmentByteCount: total)
  }

  init(
    number: UInt32, firstRecord: UInt32, recordCount: UInt32, newEntries: TableCounts,
    tablesByteCount: Int, recordsByteCount: Int, segmentByteCount: Int
  ) {
    self.number = number
    self.firstRecord = firstRecord
    self.recordCount = recordCount
    self.newEntries = newEntries
    self.tablesByteCount = tablesByteCount
    self.recordsByteCount = recordsByteCount
    self.segmentByteCount = segmentByteCount
  }

  /// The head of the segment that a row describes.
  init(_ row: SegmentRow, number: Int, newEntries: TableCounts) {
    self.init(
      number: UInt32(truncatingIfNeeded: number), firstRecord: row.firstRecord,
      recordCount: row.recordCount, newEntries: newEntries,
      tablesByteCount: row.byteCount - row.tablesOffset, recordsByteCount: row.recordsByteCount,
      segmentByteCount: row.byteCount)
  }

  /// What the segment directory says of the segment that begins with this head.
  func row(at offset: Int) -> SegmentRow {
    SegmentRow(
      offset: offset, byteCount: segmentByteCount, firstRecord: firstRecord,
      recordCount: recordCount, recordsByteCount: recordsByteCount)
  }
}

/// One row of the segment directory in the footer, and where the parts of the segment lie
/// (Spec/archive.md, 3.2 and 4.1).
struct SegmentRow: Equatable {
  static let byteCount = 32
  /// A segment ends with the first record that brings its records to this size.
  static let fullByteCount = 256 * 1024
  /// An entry of a record directory.
  static let directoryEntryByteCount = 4
  /// Where in a row the number of the first record is, by which rows are searched.
  static let firstRecordOffset = 16

  var offset: Int
  var byteCount: Int
  /// The number of the first record; record 0 is the archive's own, record n that of object n.
  var firstRecord: UInt32
  var recordCount: UInt32
  var recordsByteCount: Int

  /// Where the records begin, from the start of the segment.
  var recordsOffset: Int { SegmentHead.byteCount }

  /// Where the record directory begins, from the start of the segment: after the padding of the
  /// records.
  var directoryOffset: Int { padded(recordsOffset + recordsByteCount) }

  /// The bytes of the record directory with its padding: an entry for each record, and where the last
  /// one ends.
  var directoryByteCount: Int {
    padded((Int(recordCount) + 1) * SegmentRow.directoryEntryByteCount)
  }

  /// Where the new entries of the tables begin, from the start of the segment.
  var tablesOffset: Int { directoryOffset + directoryByteCount }

  /// Where in the archive the entry of a record of the segment lies; after the last is one more.
  func directoryEntry(_ index: Int) -> Int {
    offset + directoryOffset + index * SegmentRow.directoryEntryByteCount
  }

  /// The bytes of a record: from its entry of the directory to the next one.
  @inline(__always)
  func recordRange(
    _ index: Int, in view: ByteView, limits: ArchiveLimits
  ) throws(ArchiveError) -> Range<Int> {
    let entry = directoryEntry(index)
    return try recordRange(
      from: view.load(UInt32.self, at: entry),
      to: view.load(UInt32.self, at: directoryEntry(index + 1)), at: entry, limits: limits)
  }

  /// The bytes between two entries of the record directory.
  @inline(__always)
  func recordRange(
    from start: UInt32, to end: UInt32, at entry: Int, limits: ArchiveLimits
  ) throws(ArchiveError) -> Range<Int> {
    guard start < end, Int(end) <= recordsByteCount else {
      throw ArchiveError(
        .damaged, "the record directory does not increase strictly", offset: entry)
    }
    let records = offset + recordsOffset
    let range = records + Int(start)..<records + Int(end)
    if range.count > limits.recordByteCount { throw ArchiveError.recordTooLong(range) }
    return range
  }

  func write(to bytes: inout ByteBuffer) {
    bytes.append(UInt64(offset))
    bytes.append(UInt64(byteCount))
    bytes.append(firstRecord)
    bytes.append(recordCount)
    bytes.append(UInt64(recordsByteCount))
  }

  /// Reads a row whose words a function gives by their offsets; nil when it describes no segment
  /// between the header and the footer of an archive.
  init?(
    at place: Int, footerOffset: Int, _ load: (Int) throws(ArchiveError) -> UInt64
  ) throws(ArchiveError) {
    guard let offset = Int(exactly: try load(place)),
      let byteCount = Int(exactly: try load(place + 8)),
      let records = Int(exactly: try load(place + 24)),
      offset.isMultiple(of: 8), offset >= ArchiveHeader.byteCount, offset <= footerOffset,
      byteCount.isMultiple(of: 8), byteCount <= footerOffset - offset, records <= byteCount
    else { return nil }
    let numbers = try load(place + SegmentRow.firstRecordOffset)
    self.init(
      offset: offset, byteCount: byteCount, firstRecord: UInt32(truncatingIfNeeded: numbers),
      recordCount: UInt32(truncatingIfNeeded: numbers >> 32), recordsByteCount: records)
    guard recordCount >= 1, tablesOffset <= byteCount else { return nil }
  }

  init(
    offset: Int, byteCount: Int, firstRecord: UInt32, recordCount: UInt32, recordsByteCount: Int
  ) {
    self.offset = offset
    self.byteCount = byteCount
    self.firstRecord = firstRecord
    self.recordCount = recordCount
    self.recordsByteCount = recordsByteCount
  }
}

extension ArchiveError {
  /// The error of a record that has more bytes than the limit allows.
  @inline(never)
  @usableFromInline
  static func recordTooLong(_ range: Range<Int>) -> ArchiveError {
    ArchiveError(
      .limitExceeded, "a record has \(range.count) bytes, more than the limit allows",
      offset: range.lowerBound)
  }
}

/// What a footer begins with (Spec/archive.md, 3.2).
struct FooterHead: Equatable, Sendable {
  static let byteCount = 64
  static let marker: UInt32 = 0x7846_534B  // "KSFx"
  /// An entry of the list of conditional references.
  static let conditionalByteCount = 4
  /// Where the number of objects is, for errors.
  static let objectCountOffset = 8
  /// Where the number of the root is, for errors.
  static let rootOffset = 12

  var segmentCount: Int
  /// How many objects there are; record 0 is none.
  var objectCount: Int
  var root: UInt32
  /// How many entries the tables have, and how many bytes they take with their padding.
  var counts: TableCounts
  var lengths: TableLengths
  /// How many entries the list of conditional references has.
  var conditionalCount: Int

  /// The bytes of the list of conditional references with its padding.
  var conditionalsByteCount: Int { padded(conditionalCount * FooterHead.conditionalByteCount) }

  /// The bytes of the segment directory.
  var directoryByteCount: Int { segmentCount * SegmentRow.byteCount }

  func write(to bytes: inout ByteBuffer) {
    bytes.append(FooterHead.marker)
    bytes.append(UInt32(truncatingIfNeeded: segmentCount))
    bytes.append(UInt32(truncatingIfNeeded: objectCount))
    bytes.append(root)
    counts.write(to: &bytes)
    bytes.append(UInt32(truncatingIfNeeded: conditionalCount))
    for length in [lengths.keys, lengths.types, lengths.shapes, 0] { bytes.append(UInt64(length)) }
  }

  /// Reads the head of a footer that has so many bytes after it, and checks that they are those that
  /// the head speaks of; a reader that goes forward knows of no bound.
  init(_ bytes: ByteRegion, at offset: Int, room: Int? = nil) throws(ArchiveError) {
    var fields = FieldCursor(bytes, at: offset)
    guard fields.next() == FooterHead.marker, let segments: UInt32 = fields.next(),
      let objects: UInt32 = fields.next(), let root: UInt32 = fields.next(),
      let counts = TableCounts(&fields), let conditionals: UInt32 = fields.next()
    else {
      throw ArchiveError(.damaged, "the footer does not begin as it must", offset: offset)
    }
    segmentCount = Int(segments)
    objectCount = Int(objects)
    self.root = root
    self.counts = counts
    conditionalCount = Int(conditionals)
    lengths = TableLengths()
    for table in [\TableLengths.keys, \.types, \.shapes] {
      let place = fields.offset
      guard let length = fields.nextLength(), length.isMultiple(of: 8),
        length <= (room ?? .max) - lengths.total
      else {
        throw ArchiveError(
          .damaged, "a table of the footer is longer than the footer", offset: place)
      }
      lengths[keyPath: table] = length
    }
    guard segmentCount >= 1, fields.next() == (0 as UInt64),
      room.map({ $0 - lengths.total - conditionalsByteCount == directoryByteCount }) ?? true
    else {
      throw ArchiveError(
        .damaged, "the footer is not as long as its tables", offset: offset)
    }
  }

  init(
    segmentCount: Int, objectCount: Int, root: UInt32, counts: TableCounts, lengths: TableLengths,
    conditionalCount: Int
  ) {
    self.segmentCount = segmentCount
    self.objectCount = objectCount
    self.root = root
    self.counts = counts
    self.lengths = lengths
    self.conditionalCount = conditionalCount
  }
}

/// The last bytes of every archive (Spec/archive.md, 3.3).
struct ArchiveTail: Equatable {
  static let byteCount = 32
  private static let marker: UInt32 = 0x6454_534B  // "KSTd"

  var footerOffset: Int
  var footerByteCount: Int
  /// The length of the archive with its tail.
  var archiveByteCount: Int
  var segmentCount: Int

  func write(to bytes: inout ByteBuffer) {
    for length in [footerOffset, footerByteCount, archiveByteCount] {
      bytes.append(UInt64(length))
    }
    bytes.append(UInt32(truncatingIfNeeded: segmentCount))
    bytes.append(ArchiveTail.marker)
  }

  /// The tail of an archive whose footer lies in a range.
  init(footer: Range<Int>, segmentCount: Int) {
    footerOffset = footer.lowerBound
    footerByteCount = footer.count
    archiveByteCount = footer.upperBound + ArchiveTail.byteCount
    self.segmentCount = segmentCount
  }

  /// Reads the tail of an archive of a length, and checks that it points to a footer which ends where
  /// the tail begins.
  init(_ bytes: ByteRegion, archiveByteCount: Int) throws(ArchiveError) {
    let place = archiveByteCount - ArchiveTail.byteCount
    var fields = FieldCursor(bytes, at: place)
    let (offset, length, total) = (fields.nextLength(), fields.nextLength(), fields.nextLength())
    guard let segments: UInt32 = fields.next(), fields.next() == ArchiveTail.marker,
      total == archiveByteCount
    else {
      throw ArchiveError(
        .truncated, "the archive does not end as an archive does", offset: archiveByteCount)
    }
    guard let offset, let length, offset >= ArchiveHeader.byteCount, offset <= place,
      offset.isMultiple(of: 8), length == place - offset, length >= FooterHead.byteCount
    else {
      throw ArchiveError(.damaged, "the tail points to no footer", offset: place)
    }
    self.init(footer: offset..<place, segmentCount: Int(segments))
  }
}

/// An offset with the padding after it.
@inline(__always)
func padded(_ offset: Int) -> Int { (offset + 7) & ~7 }

/// Goes through the fields of a part in their order.
struct FieldCursor {
  private let bytes: ByteRegion
  private(set) var offset: Int

  init(_ bytes: ByteRegion, at offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  /// The next integer, nil when the bytes end before it does.
  mutating func next<Word: FixedWidthInteger & BitwiseCopyable>() -> Word? {
    guard let word = bytes.load(Word.self, at: offset) else { return nil }
    offset += MemoryLayout<Word>.size
    return word
  }

  /// The next 64 bits as a length or an offset; nil when that is more than any memory has.
  mutating func nextLength() -> Int? {
    let word: UInt64? = next()
    return word.flatMap { Int(exactly: $0) }
  }
}

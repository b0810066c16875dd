/// The bytes of an opened archive with its tables, shared by all decoders of it.
///
/// Of an archive that is not in memory as a whole, each storage holds a part: the record of one
/// object, or some of them.
@usableFromInline
final class ArchiveStorage: Sendable {
  private let bytes: HeldBytes
  @usableFromInline let view: ByteView
  @usableFromInline let shapes: RawSlice<ShapeRow>
  let index: ArchiveIndex
  /// What holds the archive's own record, if it is not this one.
  private let start: ArchiveStart?
  /// Whether the whole archive is there.
  let isWhole: Bool
  let frame: ArchiveFrame

  var limits: ArchiveLimits { index.limits }
  var tables: ReaderTables {
    _read { yield index.tables }
  }

  /// Opens an archive that is in memory.
  init(_ bytes: [UInt8], limits: ArchiveLimits) throws(ArchiveError) {
    let region = ByteRegion(bytes)
    let frame = try ArchiveFrame(byteCount: bytes.count, limits: limits) { _ in region }
    let tables = try ReaderTables(
      region, at: frame.tablesOffset, counts: frame.counts, lengths: frame.lengths, limits: limits)
    index = ArchiveIndex(limits: limits, frame: frame, tables: tables)
    shapes = RawSlice(index.tables.shapes, 0..<index.tables.shapes.count)
    self.bytes = HeldBytes(bytes)
    view = self.bytes.view
    start = nil
    isWhole = true
    self.frame = frame
  }

  /// A part of an archive.
  init(_ part: ByteRegion, _ index: ArchiveIndex, start: ArchiveStart?) {
    self.index = index
    self.start = start
    isWhole = false
    frame = index.frame
    shapes = RawSlice(index.tables.shapes, 0..<index.tables.shapes.count)
    bytes = HeldBytes(part.bytes, origin: part.origin)
    view = bytes.view
  }

  /// Opens the record of an object.
  func openedRecord(_ range: Range<Int>) throws(ArchiveError) -> OpenedRecord {
    try OpenedRecord(view, shapes, range)
  }

  /// The storage that holds the record of an object, and where.
  func located(
    _ number: UInt32
  ) throws(ArchiveError) -> (storage: ArchiveStorage, range: Range<Int>) {
    if isWhole { return (self, try recordRange(number)) }
    if number == 0, let start { return (start.storage, start.record) }
    let range = try recordRange(number)
    return (try part(range), range)
  }

  /// The record of an object, opened, and the storage that holds it.
  func openedObject(
    _ number: UInt32
  ) throws(ArchiveError) -> (storage: ArchiveStorage, record: OpenedRecord) {
    do {
      let (storage, range) = try located(number)
      let record = try storage.openedRecord(range)
      try record.checkIsObject(number)
      return (storage, record)
    } catch {
      throw error.inObject(ArchiveObjectID(number))
    }
  }

  /// A storage that holds a range of the archive, from the multiple of eight on that lies before it:
  /// so what is aligned in the archive is so in memory.
  func part(_ range: Range<Int>) throws(ArchiveError) -> ArchiveStorage {
    guard let source = index.source else { return self }
    // A segment is 256 KiB and its last record long, unless it has huge tables.
    guard range.count - 2 * SegmentRow.fullByteCount <= limits.recordByteCount else {
      throw ArchiveError(
        .limitExceeded, "a record has more bytes than the limit allows", offset: range.lowerBound)
    }
    let region = try source.read(range.lowerBound & ~7..<range.upperBound)
    return ArchiveStorage(region, index, start: start)
  }

  /// An integer anywhere in the archive.
  @inline(__always)
  private func load<Word: FixedWidthInteger & BitwiseCopyable>(
    _ type: Word.Type, at offset: Int
  ) throws(ArchiveError) -> Word {
    if isWhole { return view.load(Word.self, at: offset) }
    return try loadFromSource(type, at: offset)
  }

  @inline(never)
  private func loadFromSource<Word: FixedWidthInteger & BitwiseCopyable>(
    _ type: Word.Type, at offset: Int
  ) throws(ArchiveError) -> Word {
    guard let source = index.source else { return view.load(Word.self, at: offset) }
    return try source.load(Word.self, at: offset)
  }

  /// Whether a range of the archive, of a few bytes, is zero.
  func isZero(_ range: Range<Int>) throws(ArchiveError) -> Bool {
    for offset in range where try load(UInt8.self, at: offset) != 0 { return false }
    return true
  }

  /// One row of the segment directory, checked against the archive's extent.
  func segmentRow(_ index: Int) throws(ArchiveError) -> SegmentRow {
    let offset = frame.rowOffset(index)
    let row = try SegmentRow(at: offset, footerOffset: frame.footerOffset) {
      (place) throws(ArchiveError) in try load(UInt64.self, at: place)
    }
    guard let row else {
      throw ArchiveError(
        .damaged, "row \(index) of the segment directory describes no segment", offset: offset)
    }
    return row
  }

  /// The segment that holds a record, found by searching the segment directory.
  func segmentRow(holding number: UInt32) throws(ArchiveError) -> SegmentRow {
    var low = 0
    var high = frame.segmentCount - 1
    while low < high {
      let middle = (low + high + 1) / 2
      let offset = frame.rowOffset(middle) + SegmentRow.firstRecordOffset
      if try load(UInt32.self, at: offset) <= number { low = middle } else { high = middle - 1 }
    }
    let row = try segmentRow(low)
    guard number >= row.firstRecord, number - row.firstRecord < row.recordCount else {
      throw ArchiveError(
        .damaged, "no segment holds object #\(number)", offset: frame.rowsOffset)
    }
    return row
  }

  /// The bytes of a record.
  func recordRange(_ number: UInt32) throws(ArchiveError) -> Range<Int> {
    let row = try segmentRow(holding: number)
    return try recordRange(Int(number - row.firstRecord), in: row)
  }

  /// The bytes of a record of a segment: from its entry of the directory to the next one.
  func recordRange(_ index: Int, in row: SegmentRow) throws(ArchiveError) -> Range<Int> {
    let entry = row.directoryEntry(index)
    return try row.recordRange(
      from: try load(UInt32.self, at: entry),
      to: try load(UInt32.self, at: row.directoryEntry(index + 1)), at: entry, limits: limits)
  }

  /// The object of a reference that lies at an offset, nil for none.
  func object(_ number: UInt32, at offset: Int) throws(ArchiveError) -> ArchiveObjectID? {
    if number == 0 { return nil }
    guard Int(number) <= frame.objectCount else {
      throw ArchiveError(
        .damaged, "a reference to object #\(number), which does not exist", offset: offset)
    }
    return ArchiveObjectID(number)
  }

  /// Checks that a conditional reference is in the list of their objects; of an archive that is read
  /// forward, that is known only at the end.
  func checkConditional(_ number: UInt32) throws(ArchiveError) {
    if number != 0, !index.isStream { _ = try conditionalObject(number) }
  }

  /// The object of a conditional reference, or nil when it was not stored.
  func conditionalObject(_ number: UInt32) throws(ArchiveError) -> ArchiveObjectID? {
    guard !index.isStream else {
      throw ArchiveError(
        .notYetRead, "the object of conditional reference \(number) is named at the end")
    }
    guard number >= 1, Int(number) <= frame.conditionalCount else {
      throw ArchiveError(
        .damaged, "a conditional reference to number \(number), which does not exist")
    }
    let offset = frame.conditionalOffset(Int(number))
    let id = try load(UInt32.self, at: offset)
    guard Int(id) <= frame.objectCount else {
      throw ArchiveError(
        .damaged, "a conditional reference leads to object #\(id), which does not exist",
        offset: offset)
    }
    return id == 0 ? nil : ArchiveObjectID(id)
  }
}

/// The archive's own record, kept for as long as parts of the archive are read.
struct ArchiveStart {
  let storage: ArchiveStorage
  let record: Range<Int>
}

/// What all parts of an opened archive share: its tables, and where its other bytes are.
final class ArchiveIndex: Sendable {
  let limits: ArchiveLimits
  let frame: ArchiveFrame
  let tables: ReaderTables
  /// Where bytes come from that are not there; nil for an archive in memory.
  let source: BlockCache?
  /// Whether the archive is read forward, so that what comes behind a segment is not known.
  let isStream: Bool

  init(
    limits: ArchiveLimits, frame: ArchiveFrame, tables: consuming ReaderTables,
    source: BlockCache? = nil, isStream: Bool = false
  ) {
    self.limits = limits
    self.frame = frame
    self.tables = tables
    self.source = source
    self.isStream = isStream
  }
}

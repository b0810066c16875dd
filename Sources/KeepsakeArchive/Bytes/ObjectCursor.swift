/// Goes through the objects of an archive in their order, segment by segment.
@usableFromInline
struct ObjectCursor {
  private let storage: ArchiveStorage
  /// What holds the segment.
  private var partOwner: ArchiveStorage
  @usableFromInline var part: BorrowedReference<ArchiveStorage>
  private var segment = 0
  private var row: SegmentRow
  @usableFromInline var view: ByteView
  @usableFromInline let shapes: RawSlice<ShapeRow>
  /// The number of the next record, and how many of the segment are left.
  @usableFromInline var number: UInt32 = 0
  @usableFromInline var rest: UInt32
  /// Where the records of the segment end, counted from where they begin.
  @usableFromInline var limit: Int
  /// Where the records of the segment begin.
  @usableFromInline var records: Int
  /// Where the next record begins, counted from the first, and where its end is stated.
  @usableFromInline var offset: UInt32 = 0
  @usableFromInline var directory: Int
  /// The longest record.
  @usableFromInline let recordLimit: Int

  /// A cursor before the first object.
  @usableFromInline
  init(_ storage: ArchiveStorage) throws(ArchiveError) {
    self.storage = storage
    shapes = storage.shapes
    recordLimit = storage.limits.recordByteCount
    row = try storage.segmentRow(0)
    guard row.firstRecord == 0, row.offset == ArchiveHeader.byteCount else {
      throw ArchiveError(
        .damaged, "the first segment does not begin with the first record", offset: row.offset)
    }
    partOwner = try storage.part(row.offset..<row.offset + row.tablesOffset)
    part = unsafe BorrowedReference(partOwner)
    view = partOwner.view
    records = row.offset + row.recordsOffset
    directory = row.directoryEntry(1)
    rest = row.recordCount
    limit = row.recordsByteCount
    offset = view.load(UInt32.self, at: row.directoryEntry(0))
    // The archive's own record comes first.
    _ = try next()
  }

  /// The next object, if there is one; its number is the one before ``number``.
  @inlinable
  @inline(__always)
  mutating func next() throws(ArchiveError) -> OpenedRecord? {
    if rest == 0, try !nextSegment() { return nil }
    let end = view.load(UInt32.self, at: directory)
    guard offset < end, Int(end) <= limit else { throw badDirectory() }
    let range = records &+ Int(offset)..<records &+ Int(end)
    let record: OpenedRecord
    do throws(ArchiveError) {
      if range.count > recordLimit { throw ArchiveError.recordTooLong(range) }
      record = try OpenedRecord(view, shapes, range)
      try record.checkIsObject(number)
    } catch {
      throw located(error)
    }
    number &+= 1
    rest &-= 1
    offset = end
    directory &+= MemoryLayout<UInt32>.size
    return record
  }

  /// The decoder of the object that was next, for as long as the cursor is there.
  @inlinable
  @inline(__always)
  func lend(_ record: OpenedRecord) -> ObjectDecoder {
    ObjectDecoder(
      record, objectID: ArchiveObjectID(number &- 1), depth: 1, view: view, storage: part,
      graph: nil)
  }

  @inline(never)
  @usableFromInline
  func located(_ error: ArchiveError) -> ArchiveError { error.inObject(ArchiveObjectID(number)) }

  @inline(never)
  @usableFromInline
  func badDirectory() -> ArchiveError {
    located(
      ArchiveError(
        .damaged, "the record directory does not increase strictly", offset: directory))
  }

  @inline(never)
  @usableFromInline
  mutating func nextSegment() throws(ArchiveError) -> Bool {
    segment += 1
    let next = row.firstRecord &+ row.recordCount
    if segment == storage.frame.segmentCount {
      guard Int(next) == storage.frame.objectCount + 1 else {
        throw ArchiveError(
          .damaged, "the segments hold not as many objects as the footer says",
          offset: storage.frame.rowsOffset)
      }
      return false
    }
    let end = row.offset + row.byteCount
    row = try storage.segmentRow(segment)
    // So no byte is read twice, however the rows were forged.
    guard row.firstRecord == next, row.offset == end else {
      throw ArchiveError(
        .damaged, "segment \(segment) does not follow the one before it", offset: row.offset)
    }
    partOwner = try storage.part(row.offset..<row.offset + row.tablesOffset)
    part = unsafe BorrowedReference(partOwner)
    view = partOwner.view
    records = row.offset + row.recordsOffset
    directory = row.directoryEntry(1)
    rest = row.recordCount
    limit = row.recordsByteCount
    offset = view.load(UInt32.self, at: row.directoryEntry(0))
    return true
  }
}

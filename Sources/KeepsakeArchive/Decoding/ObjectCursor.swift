/// Goes through the objects of an archive in their order, segment by segment.
@usableFromInline
struct ObjectCursor {
  private let storage: ArchiveStorage
  private var segment = 0
  private var row: SegmentRow
  /// The record within the segment.
  private var index: Int
  private var record: OpenedRecord

  /// A cursor before the first object.
  @usableFromInline
  init(_ storage: ArchiveStorage) throws(ArchiveError) {
    self.storage = storage
    row = try storage.segmentRow(0)
    guard row.firstRecord == 0 else {
      throw ArchiveError(
        .damaged, "the first segment does not begin with the first record", offset: row.offset)
    }
    // Record 0 is the archive's own.
    index = 0
    record = try OpenedRecord(storage, object: storage.recordRange(0, in: row))
  }

  private var number: UInt32 { row.firstRecord &+ UInt32(truncatingIfNeeded: index) }

  /// Opens the next object, if there is one.
  @usableFromInline
  mutating func advance() throws(ArchiveError) -> Bool {
    index &+= 1
    if index == Int(row.recordCount), try !nextSegment() { return false }
    do {
      record = try OpenedRecord(storage, object: storage.recordRange(index, in: row))
    } catch {
      throw error.inObject(ArchiveObjectID(number))
    }
    return true
  }

  @inline(never)
  private mutating func nextSegment() throws(ArchiveError) -> Bool {
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
    row = try storage.segmentRow(segment)
    index = 0
    guard row.firstRecord == next else {
      throw ArchiveError(
        .damaged, "segment \(segment) does not follow the one before it", offset: row.offset)
    }
    return true
  }

  /// A decoder of the object, to be used before the cursor moves on.
  @usableFromInline
  func decoder() -> ObjectDecoder {
    ObjectDecoder(
      record, objectID: ArchiveObjectID(number), depth: 1, owned: false,
      storage: BorrowedReference(storage), graph: nil)
  }
}

/// Goes through the objects of an archive in their order, segment by segment.
@usableFromInline
struct ObjectCursor {
  private let storage: ArchiveStorage
  /// The storage that holds the segment.
  private var partOwner: ArchiveStorage
  @usableFromInline var part: BorrowedReference<ArchiveStorage>
  private var nextSegmentIndex: Int
  /// The least offset of the next segment.
  private var end: Int
  @usableFromInline var segment: SegmentCursor

  /// How many objects of the segment are left.
  @inlinable var rest: Int { segment.rest }

  /// A cursor before the first object, or before that of another segment.
  @usableFromInline
  init(
    _ storage: ArchiveStorage, segment index: Int = 0, firstObject: UInt32 = 1
  ) throws(ArchiveError) {
    self.storage = storage
    partOwner = storage
    part = unsafe BorrowedReference(storage)
    end = storage.frame.valuesEnd
    nextSegmentIndex = index
    segment = SegmentCursor(before: firstObject, in: storage)
    _ = try nextSegment()
  }

  /// The next object, if there is one; its number is the one before that of the segment's next.
  @inlinable
  @inline(__always)
  mutating func next() throws(ArchiveError) -> OpenedRecord? {
    if segment.rest == 0, try !nextSegment() { return nil }
    return try segment.next()
  }

  /// The decoder of the object that was next, for as long as the cursor is there.
  @inlinable
  @inline(__always)
  func lend(_ record: OpenedRecord) -> ObjectDecoder {
    ObjectDecoder(
      record, objectID: ArchiveObjectID(segment.number &- 1), depth: 1, view: segment.view,
      storage: part, graph: nil)
  }

  @inline(never)
  @usableFromInline
  mutating func nextSegment() throws(ArchiveError) -> Bool {
    // The rows were checked to hold all objects.
    if nextSegmentIndex == storage.frame.segmentCount { return false }
    let next = try storage.segment(nextSegmentIndex)
    // So no byte is read twice, however the rows were forged.
    guard next.row.firstObject == segment.number, next.row.offset >= end else {
      throw ArchiveError(
        .damaged, "segment \(nextSegmentIndex) does not follow the one before it",
        offset: next.row.offset)
    }
    try next.checkLength(storage.limits)
    partOwner = try storage.part(next.row.offset..<next.endOffset)
    part = unsafe BorrowedReference(partOwner)
    nextSegmentIndex += 1
    end = next.endOffset
    segment = SegmentCursor(next, in: partOwner)
    return true
  }
}

/// Goes through the objects of an archive in their order, segment by segment.
@usableFromInline
struct ObjectCursor {
  private let storage: ArchiveStorage
  /// What holds the segment.
  private var partOwner: ArchiveStorage
  @usableFromInline var part: BorrowedReference<ArchiveStorage>
  /// Which segment is next.
  private var nextSegmentIndex = 0
  /// Where the segment has to begin that is next, at the earliest.
  private var end: Int
  @usableFromInline var view: ByteView
  @usableFromInline let shapes: RawSlice<ShapeRow>
  /// The number of the next object, and how many of the segment are left.
  @usableFromInline var number: UInt32 = 1
  @usableFromInline var rest = 0
  /// Where the bodies of the segment begin, where the next one does, and where all end.
  @usableFromInline var bodies = 0
  @usableFromInline var start = 0
  @usableFromInline var bodiesEnd = 0
  /// The one shape of all objects of the segment, or that of the object before.
  @usableFromInline var shape: Int = 0
  /// Where the number of the next object's shape lies; 0 if there is one shape.
  @usableFromInline var shapePlace = 0
  @usableFromInline var shapeWidth: UInt32 = 0
  /// The bytes of each body, 0 if they have ends.
  @usableFromInline var fixedByteCount = 0
  /// Where the end of the next body is stated.
  @usableFromInline var endPlace = 0
  @usableFromInline var endWidth: UInt32 = 0
  /// The longest record.
  @usableFromInline let recordLimit: Int

  /// A cursor before the first object, or before that of another segment.
  @usableFromInline
  init(
    _ storage: ArchiveStorage, segment: Int = 0, firstObject: UInt32 = 1
  ) throws(ArchiveError) {
    self.storage = storage
    shapes = storage.shapes
    recordLimit = storage.limits.recordByteCount
    partOwner = storage
    part = unsafe BorrowedReference(storage)
    view = storage.view
    end = storage.frame.valuesEnd
    nextSegmentIndex = segment
    number = firstObject
    _ = try nextSegment()
  }

  /// The next object, if there is one; its number is the one before ``number``.
  @inlinable
  @inline(__always)
  mutating func next() throws(ArchiveError) -> OpenedRecord? {
    if rest == 0, try !nextSegment() { return nil }
    if shapePlace != 0 {
      shape = view.end(0, endsAt: shapePlace, width: shapeWidth)
      shapePlace &+= 1 &<< Int(shapeWidth)
      guard shape < shapes.count else { throw located(OpenedRecord.badShape(start..<start)) }
    }
    let last: Int
    if fixedByteCount != 0 {
      last = start &+ fixedByteCount
    } else if rest == 1 {
      last = bodiesEnd
    } else {
      last = bodies &+ view.end(0, endsAt: endPlace, width: endWidth)
      endPlace &+= 1 &<< Int(endWidth)
    }
    guard start <= last, last <= bodiesEnd else { throw badDirectory() }
    let record: OpenedRecord
    do throws(ArchiveError) {
      if last &- start > recordLimit { throw ArchiveError.recordTooLong(start..<last, recordLimit) }
      record = try OpenedRecord(view, shapes.reference(shape), start..<last)
      try record.checkIsObject()
    } catch {
      throw located(error)
    }
    number &+= 1
    rest &-= 1
    start = last
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
        .damaged, "the body of an object does not lie after the one before it",
        offset: endPlace &- 1 &<< Int(endWidth)))
  }

  @inline(never)
  @usableFromInline
  mutating func nextSegment() throws(ArchiveError) -> Bool {
    // The rows were checked to hold all objects.
    if nextSegmentIndex == storage.frame.segmentCount { return false }
    let segment = try storage.segment(nextSegmentIndex)
    // So no byte is read twice, however the rows were forged.
    guard segment.row.firstObject == number, segment.row.offset >= end else {
      throw ArchiveError(
        .damaged, "segment \(nextSegmentIndex) does not follow the one before it",
        offset: segment.row.offset)
    }
    try segment.checkLength(storage.limits)
    partOwner = try storage.part(segment.row.offset..<segment.endOffset)
    part = unsafe BorrowedReference(partOwner)
    view = partOwner.view
    nextSegmentIndex += 1
    end = segment.endOffset
    rest = segment.objectCount
    bodies = segment.row.bodiesOffset
    start = bodies
    bodiesEnd = segment.row.directoryOffset
    shape = segment.row.shapes.number ?? 0
    shapePlace = segment.shapeWidth == nil ? 0 : segment.shapesOffset
    shapeWidth = segment.shapeWidth ?? 0
    fixedByteCount = segment.fixedByteCount
    endPlace = segment.endsOffset
    endWidth = segment.endWidth
    return true
  }
}

/// Reads the objects of an archive in their order, segment by segment.
@usableFromInline
package struct ObjectCursor {
  private let storage: ArchiveStorage
  /// The storage that holds the segment.
  @usableFromInline var part: ConstantReference<ArchiveStorage>
  private var nextSegmentIndex: Int
  /// The end of the current segment; the next segment must not start before it.
  private var end: Int
  @usableFromInline var segment: SegmentCursor

  /// The number of objects of the segment that are left.
  @inlinable var rest: Int { segment.rest }

  /// Makes a cursor before the first object of the archive, or of another segment.
  @usableFromInline
  package init(
    _ storage: ArchiveStorage, segment index: Int = 0, firstObject: UInt32 = 1
  ) throws(ArchiveError) {
    self.storage = storage
    part = ConstantReference(storage)
    end = storage.frame.valuesEnd
    nextSegmentIndex = index
    segment = SegmentCursor(before: firstObject, in: storage)
    _ = try nextSegment()
  }

  /// Moves to the next object, and returns nil at the end; its number is 1 less than the ``SegmentCursor/number`` of
  /// ``segment``.
  @inlinable
  @inline(__always)
  package mutating func next() throws(ArchiveError) -> OpenedRecord? {
    if segment.rest == 0, try !nextSegment() { return nil }
    return try segment.next()
  }

  /// The decoder of the object that ``next()`` returned last; it must not outlive the cursor.
  @inlinable
  @inline(__always)
  package func lend(_ record: OpenedRecord) -> ObjectDecoder {
    ObjectDecoder(
      record, objectID: ArchiveObjectID(segment.number &- 1), depth: 1, view: segment.view,
      storage: part.reference, graph: nil)
  }

  @inline(never)
  @usableFromInline
  mutating func nextSegment() throws(ArchiveError) -> Bool {
    // The rows were checked to hold all objects.
    if nextSegmentIndex == storage.frame.segmentCount { return false }
    let next = try storage.segment(nextSegmentIndex)
    // This check keeps forged rows from having any byte read twice.
    guard next.row.firstObject == segment.number, next.row.offset >= end else {
      throw .damaged(
        "segment \(nextSegmentIndex) does not follow the one before it", at: next.row.offset)
    }
    try next.row.checkLength(storage.limits)
    let whole = try storage.part(next.row.offset..<next.endOffset)
    part = ConstantReference(whole)
    nextSegmentIndex += 1
    end = next.endOffset
    segment = SegmentCursor(next, in: whole)
    return true
  }
}

/// Reads the objects of a segment in their order.
@usableFromInline
struct SegmentCursor: BitwiseCopyable {
  @usableFromInline let view: ByteView
  @usableFromInline let shapes: RawSlice<ShapeRow>
  /// The number of the next object.
  @usableFromInline var number: UInt32
  /// The number of objects that are left.
  @usableFromInline var rest = 0
  /// The offset of the first body.
  @usableFromInline var bodies = 0
  /// The offset of the next body.
  @usableFromInline var start = 0
  /// The end of the last body.
  @usableFromInline var bodiesEnd = 0
  /// The number of the shape that all objects of the segment have, or of the last object's shape.
  @usableFromInline var shape = 0
  /// The offset of the number of the next object's shape; ``oneShape`` when all objects have the same shape.
  @usableFromInline var shapePlace = SegmentCursor.oneShape
  @usableFromInline var shapeWidth: UInt32 = 0
  /// The number of bytes of each body; 0 when the bodies have ends.
  @usableFromInline var fixedByteCount = 0
  /// The offset of the end of the next body.
  @usableFromInline var endPlace = 0
  @usableFromInline var endWidth: UInt32 = 0
  /// The longest record that the limits allow.
  @usableFromInline let recordLimit: Int

  /// The value of ``shapePlace`` when all objects have the same shape.
  @usableFromInline static var oneShape: Int { 0 }

  /// Makes a cursor without objects; the next segment must start with the object `number`.
  init(before number: UInt32, in storage: ArchiveStorage) {
    view = storage.view
    shapes = storage.shapes
    recordLimit = storage.limits.recordByteCount
    self.number = number
  }

  /// Makes a cursor before the first object of a segment; the storage holds the whole segment.
  init(_ segment: SegmentLayout, in storage: ArchiveStorage) {
    self.init(before: segment.row.firstObject, in: storage)
    rest = segment.objectCount
    bodies = segment.row.bodiesOffset
    start = bodies
    bodiesEnd = segment.row.directoryOffset
    shape = segment.row.shapes.number ?? 0
    if segment.shapeWidth != nil { shapePlace = segment.shapesOffset }
    shapeWidth = segment.shapeWidth ?? 0
    fixedByteCount = segment.fixedByteCount
    endPlace = segment.endsOffset
    endWidth = segment.endWidth
  }

  /// The bodies of the objects that are left, if all have one shape and have ends; nothing of them is checked.
  var bodiesOfOneShape: StoredElements? {
    guard shapePlace == SegmentCursor.oneShape, fixedByteCount == 0, rest > 0,
      shape < shapes.count, shapes.reference(shape).row.isOfObjects
    else { return nil }
    return StoredElements(
      records: rest, ofShape: shape, endsAt: endPlace, width: endWidth, in: bodies..<bodiesEnd)
  }

  /// Moves to the next object, which must exist; afterwards its number is 1 less than ``number``.
  @inlinable
  @inline(__always)
  mutating func next() throws(ArchiveError) -> OpenedRecord {
    if shapePlace != SegmentCursor.oneShape {
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

  @inline(never)
  @usableFromInline
  func located(_ error: ArchiveError) -> ArchiveError { error.inObject(ArchiveObjectID(number)) }

  @inline(never)
  @usableFromInline
  func badDirectory() -> ArchiveError {
    located(
      .damaged(
        "the body of an object does not follow the one before it",
        at: endPlace &- 1 &<< Int(endWidth)))
  }
}

/// Opens many objects of an archive by their numbers, usually in their order: a segment is searched only when
/// the next object is in another one.
package struct ObjectFinder {
  let storage: ArchiveStorage
  /// The segment of the last object.
  private var segment: SegmentLayout?
  /// A cache of the records that were lent, by the numbers of their objects; nil unless all are in memory.
  let known: FixedStorage<OpenedRecord?>?

  /// A finder for callers that look up each object several times.
  package init(_ archive: Archive) {
    storage = archive.storage
    known =
      storage.foundObjectCount == archive.objectCount
      ? FixedStorage(repeating: nil, count: archive.objectCount + 1) : nil
  }

  /// A finder for callers that look up each object once.
  init(_ storage: ArchiveStorage) {
    self.storage = storage
    known = nil
  }

  mutating func openedObject(
    _ number: UInt32
  ) throws(ArchiveError) -> (storage: ArchiveStorage, record: OpenedRecord) {
    try storage.openedObject(number, near: &segment)
  }
}

extension ArchiveStorage {
  package func requireObject(_ id: ArchiveObjectID) throws(ArchiveError) {
    guard id.rawValue >= 1, Int(id.rawValue) <= frame.objectCount else {
      throw ArchiveError(
        .noSuchObject, "there is no object \(id); the number of objects is \(frame.objectCount)")
    }
  }
}

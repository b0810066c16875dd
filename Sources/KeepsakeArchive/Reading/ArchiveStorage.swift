/// The bytes of an opened archive with its tables, shared by all decoders of it.
///
/// When an archive is not in memory as a whole, each storage holds a part of it: the record of one object,
/// or a segment.
@usableFromInline
package final class ArchiveStorage: Sendable {
  private let bytes: ByteRegion
  @usableFromInline package let view: ByteView
  @usableFromInline package let shapes: RawSlice<ShapeRow>
  /// The deepest nesting of values that the limits allow.
  @usableFromInline let nestingDepth: Int
  @usableFromInline let index: ArchiveIndex
  /// The storage that holds the archive values; nil when this storage holds them.
  private let start: ArchiveStorage?
  /// True when the storage holds the whole archive.
  let isWhole: Bool
  let frame: ArchiveFrame

  // Both are inlinable for the other modules of the package: a call of the coroutine would allocate its frame.
  @inlinable package var limits: ArchiveLimits { index.limits }
  @inlinable package var tables: ReaderTables {
    @inline(__always)
    _read { yield index.openedTables.tables }
  }

  /// The storage that holds the archive values.
  var values: ArchiveStorage { start ?? self }

  convenience init(_ bytes: [UInt8], limits: ArchiveLimits) throws(ArchiveError) {
    let region = ByteRegion(bytes)
    let frame = try ArchiveFrame(byteCount: bytes.count, limits: limits) { _ in region }
    let values = try ArchiveValueRow.read(region, to: frame.valuesEnd)
    let tables = try OpenedTables.read(region, at: frame.footerOffset, frame.head, limits: limits)
    let index = ArchiveIndex(limits: limits, frame: frame, values: values, tables: tables)
    self.init(region, index, start: nil)
  }

  /// Holds a part of an archive, or all of it if the index knows no other source.
  init(_ part: ByteRegion, _ index: ArchiveIndex, start: ArchiveStorage?) {
    self.index = index
    self.start = start
    isWhole = index.source == nil && !index.isStream
    frame = index.frame
    shapes = index.openedTables.tables.allShapes
    nestingDepth = index.limits.nestingDepth
    bytes = part
    view = bytes.view
  }

  func openedRecord(_ place: ObjectPlace) throws(ArchiveError) -> OpenedRecord {
    guard place.shape < shapes.count else { throw OpenedRecord.badShape(place.body) }
    let record = try OpenedRecord(view, shapes.reference(place.shape), place.body)
    try record.checkIsObject()
    return record
  }

  /// The record of an object, opened, and the storage that holds it.
  package func openedObject(
    _ number: UInt32
  ) throws(ArchiveError) -> (storage: ArchiveStorage, record: OpenedRecord) {
    var segment: SegmentLayout?
    return try openedObject(number, near: &segment)
  }

  /// The record of an object, opened, and its storage, for callers that keep the segment of the last object.
  func openedObject(
    _ number: UInt32, near segment: inout SegmentLayout?
  ) throws(ArchiveError) -> (storage: ArchiveStorage, record: OpenedRecord) {
    do {
      let place = try place(ofObject: number, near: &segment)
      let storage = isWhole ? self : try part(place.body)
      return (storage, try storage.openedRecord(place))
    } catch {
      throw error.inObject(ArchiveObjectID(number))
    }
  }

  /// A storage that holds a range of the archive.
  ///
  /// It starts at a multiple of eight, so that numbers which are aligned in the archive are aligned in memory.
  package func part(_ range: Range<Int>) throws(ArchiveError) -> ArchiveStorage {
    guard let source = index.source else { return self }
    let region = try source.read(range.lowerBound & ~7..<range.upperBound)
    return ArchiveStorage(region, index, start: start)
  }

  /// The offset at which the archive values end and the first segment starts.
  package var valuesEnd: Int { frame.valuesEnd }

  /// The first offset at which the archive differs from bytes, which must fit at their offset; nil when they are equal.
  package func firstDifference(
    from bytes: Span<UInt8>, at offset: Int
  ) throws(ArchiveError) -> Int? {
    let stored = try part(offset..<offset + bytes.count)
    return withExtendedLifetime(stored) { stored.view.firstDifference(from: bytes, at: offset) }
  }

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

  /// A number anywhere in the archive, of 1, 2 or 4 bytes: the width is a power of two.
  package func number(_ offset: Int, _ width: UInt32) throws(ArchiveError) -> Int {
    switch width {
    case 0: Int(try load(UInt8.self, at: offset))
    case 1: Int(try load(UInt16.self, at: offset))
    default: Int(try load(UInt32.self, at: offset))
    }
  }

  /// One segment by its row, checked against its neighbours (Spec/archive.md, 7.2).
  func segment(_ index: Int) throws(ArchiveError) -> SegmentLayout {
    let place = frame.rowOffset(index)
    let row = SegmentRow(
      offset: Int(exactly: try load(UInt64.self, at: place)) ?? .max,
      firstObject: try load(UInt32.self, at: place + SegmentRow.firstObjectOffset),
      bodiesByteCount: Int(try load(UInt32.self, at: place + 12)),
      shapes: SegmentShapes(rawValue: try load(UInt32.self, at: place + 16)))
    var limit = frame.footerOffset
    var next = frame.objectCount + 1
    if index + 1 < frame.segmentCount {
      limit = Int(exactly: try load(UInt64.self, at: place + SegmentRow.byteCount)) ?? .max
      next = Int(
        try load(
          UInt32.self, at: place + SegmentRow.byteCount + SegmentRow.firstObjectOffset))
    }
    guard row.offset >= frame.valuesEnd, limit <= frame.footerOffset, row.offset < limit,
      row.directoryOffset <= limit, Int(row.firstObject) < next, next <= frame.objectCount + 1,
      index > 0 || row.offset == frame.valuesEnd && row.firstObject == 1
    else { throw badRow(index) }
    var segment = try SegmentLayout(
      row, objectCount: next - Int(row.firstObject), limit: limit
    ) { (place) throws(ArchiveError) in try load(UInt8.self, at: place) }
    try segment.resolve(in: shapes)
    guard segment.endOffset <= limit else { throw badRow(index) }
    return segment
  }

  /// The number of objects in sound segments that follow each other, counted from the first segment; 0 for an archive
  /// that is not in memory.
  ///
  /// The frame only announces a number of objects. Memory for them is allocated when this count confirms it.
  var foundObjectCount: Int {
    if !isWhole { return 0 }
    var count = 0
    var end = frame.valuesEnd
    for index in 0..<frame.segmentCount {
      guard let segment = try? segment(index), Int(segment.row.firstObject) == count + 1,
        segment.row.offset >= end
      else { break }
      count += segment.objectCount
      end = segment.endOffset
    }
    return count
  }

  /// The maximum number of values of a size for which memory is reserved before they are read.
  ///
  /// It keeps that memory in proportion to the bytes of the archive, even when objects take almost no bytes
  /// (Spec/archive.md, 7.6).
  func mostValues(ofStride stride: Int) -> Int { 64 * frame.byteCount / max(stride, 1) }

  /// The number of values of a size for which memory is reserved before the first of them is read.
  @usableFromInline
  func initialCapacity(ofStride stride: Int) -> Int {
    min(foundObjectCount, mostValues(ofStride: stride))
  }

  private func badRow(_ index: Int) -> ArchiveError {
    .damaged(
      "row \(index) of the segment directory describes no segment", at: frame.rowOffset(index))
  }

  /// The segment that holds an object, found by searching the segment directory.
  ///
  /// The search begins at the row that would be the object's if all segments held as many, and moves away from it in
  /// steps that double. So a directory in a remote source is seldom read in more than one place.
  func segment(holding number: UInt32) throws(ArchiveError) -> SegmentLayout {
    var low = 0
    var high = frame.segmentCount - 1
    var middle = min(max(likelyRow(ofObject: number), 1), max(high, 1))
    var step = 1
    while low < high {
      let offset = frame.rowOffset(middle) + SegmentRow.firstObjectOffset
      if try load(UInt32.self, at: offset) <= number {
        low = middle
        middle = min((low + high + 1) / 2, low + step)
      } else {
        high = middle - 1
        middle = max((low + high + 1) / 2, high - step + 1)
      }
      step *= 2
    }
    let segment = try segment(low)
    guard number >= segment.row.firstObject, number < segment.nextObject else {
      throw .damaged("no segment holds object #\(number)", at: frame.rowsOffset)
    }
    return segment
  }

  /// The row of the segment that would hold an object if all segments held as many.
  private func likelyRow(ofObject number: UInt32) -> Int {
    // Both counts are below 2 to the power of 32.
    let product = UInt64(number) * UInt64(frame.segmentCount)
    return Int(product / UInt64(max(frame.objectCount, Int(number), 1)))
  }

  package func place(ofObject number: UInt32) throws(ArchiveError) -> ObjectPlace {
    var segment: SegmentLayout?
    return try place(ofObject: number, near: &segment)
  }

  /// The shape and the body of an object; the segments are searched, unless `last` contains the object.
  func place(
    ofObject number: UInt32, near last: inout SegmentLayout?
  ) throws(ArchiveError) -> ObjectPlace {
    let segment: SegmentLayout
    if let last, number >= last.row.firstObject, number < last.nextObject {
      segment = last
    } else {
      segment = try self.segment(holding: number)
      last = segment
    }
    let index = Int(number - segment.row.firstObject)
    return try segment.object(index, limits: limits) { (place, width) throws(ArchiveError) in
      try self.number(place, width)
    }
  }

  /// The object of a reference at an offset; nil for a reference to no object.
  package func object(_ number: UInt32, at offset: Int) throws(ArchiveError) -> ArchiveObjectID? {
    if number == 0 { return nil }
    guard Int(number) <= frame.objectCount else {
      throw .damaged("a reference to object #\(number), which does not exist", at: offset)
    }
    return ArchiveObjectID(number)
  }

  /// Checks that the list of conditional references has an entry for a number; an archive that is read forward is
  /// not checked, because the list is at its end.
  package func checkConditional(_ number: UInt32) throws(ArchiveError) {
    if number != 0, !index.isStream { _ = try conditionalObject(number) }
  }

  /// The object of a conditional reference, or nil when it was not stored.
  func conditionalObject(_ number: UInt32) throws(ArchiveError) -> ArchiveObjectID? {
    guard !index.isStream else {
      throw ArchiveError(
        .notYetRead, "the object of conditional reference \(number) is named at the end")
    }
    guard number >= 1, Int(number) <= frame.conditionalCount else {
      throw .damaged("a conditional reference to number \(number), which does not exist")
    }
    let offset = frame.conditionalOffset(Int(number))
    let id = try load(UInt32.self, at: offset)
    guard Int(id) <= frame.objectCount else {
      throw .damaged(
        "a conditional reference leads to object #\(id), which does not exist", at: offset)
    }
    return id == 0 ? nil : ArchiveObjectID(id)
  }
}

/// The data that all parts of an opened archive share: its tables, and the source of its other bytes.
@usableFromInline
final class ArchiveIndex: Sendable {
  @usableFromInline let limits: ArchiveLimits
  let frame: ArchiveFrame
  /// The archive values, each with its offset.
  let values: [ArchiveValueRow]
  @usableFromInline let openedTables: OpenedTables
  /// The source of the bytes that are not in memory; nil for an archive in memory.
  let source: BlockCache?
  /// True when the archive is read forward; the parts after the current segment are then not known.
  let isStream: Bool

  init(
    limits: ArchiveLimits, frame: ArchiveFrame, values: [ArchiveValueRow],
    tables: OpenedTables, source: BlockCache? = nil, isStream: Bool = false
  ) {
    self.limits = limits
    self.frame = frame
    self.values = values
    openedTables = tables
    self.source = source
    self.isStream = isStream
  }
}

/// The numbers in the header, the tail and the head of the tables of an archive, checked against each other
/// (Spec/archive.md, 3).
struct ArchiveFrame: Sendable {
  let byteCount: Int
  /// The end of the archive values, which is the offset of the first segment.
  let valuesEnd: Int
  let head: TablesHead
  private let tail: ArchiveTail

  var segmentCount: Int { tail.segmentCount }
  var objectCount: Int { tail.objectCount }
  var root: UInt32 { tail.root }
  var conditionalCount: Int { head.conditionalCount }

  /// The end of the segments, which is the offset of the tables.
  var footerOffset: Int { tail.footerOffset }
  var conditionalsOffset: Int { footerOffset + head.tablesByteCount }
  var rowsOffset: Int { conditionalsOffset + head.conditionalsByteCount }

  func conditionalOffset(_ number: Int) -> Int {
    conditionalsOffset + (number - 1) * TablesHead.conditionalByteCount
  }

  func rowOffset(_ index: Int) -> Int { rowsOffset + index * SegmentRow.byteCount }

  /// The frame of an archive that is read forward, whose bounds are not known.
  init(ofStreamFrom valuesEnd: Int) {
    byteCount = .max
    self.valuesEnd = valuesEnd
    head = TablesHead(counts: TableCounts(), conditionalCount: 0, entriesByteCount: 0)
    tail = ArchiveTail(segmentCount: 0, objectCount: .max, root: 0, footerOffset: .max)
  }

  /// Reads the frame of an archive of `byteCount` bytes; `read` returns the bytes of a range of it, or more bytes.
  init(
    byteCount: Int, limits: ArchiveLimits,
    _ read: (Range<Int>) throws(ArchiveError) -> ByteRegion
  ) throws(ArchiveError) {
    self.byteCount = byteCount
    guard byteCount <= limits.byteCount else {
      throw ArchiveError.tooLong(byteCount, limits, offset: 0)
    }
    // The end of a signed file is read before its first chunk is verified: the digests of that one follow it.
    let end = byteCount - ArchiveTail.byteCount
    let tailBytes = try read(max(end, 0)..<max(byteCount, 0))
    valuesEnd = try ArchiveHeader.read(
      try read(0..<min(max(byteCount, 0), ArchiveHeader.byteCount)))
    guard end >= valuesEnd + SegmentHead.byteCount + TablesHead.byteCount else {
      throw ArchiveError(
        .truncated, "the archive does not end as an archive does", offset: byteCount)
    }
    tail = try ArchiveTail(tailBytes, at: end)
    let room = valuesEnd + SegmentHead.byteCount...end - TablesHead.byteCount
    guard room ~= tail.footerOffset else { throw .damaged("the tail points to no footer", at: end) }
    let place = tail.footerOffset
    guard
      let head = TablesHead(try read(place..<place + TablesHead.byteCount), at: place),
      head.tablesByteCount + head.conditionalsByteCount + tail.segmentCount * SegmentRow.byteCount
        == end - place
    else { throw .damaged("the length of the footer does not match its parts", at: place) }
    self.head = head
    // Each segment has a head, and each further object in it takes at least one byte.
    guard tail.objectCount <= byteCount else {
      throw .damaged("the tail counts objects that the archive has no room for", at: end)
    }
  }
}

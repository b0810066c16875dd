/// A record whose extents have been checked.
@usableFromInline
struct OpenedRecord: BitwiseCopyable {
  @usableFromInline let shape: RawReference<ShapeRow>
  @usableFromInline let start: Int
  @usableFromInline let end: Int
  /// The bytes of each end of a payload as a power of two.
  @usableFromInline let endWidth: UInt32

  /// Opens a record or a case of an enumeration that is nested in a value of so many levels.
  @inline(__always)
  init(
    _ storage: ArchiveStorage, record range: Range<Int>, tag: ArchiveTag, depth: Int32
  ) throws(ArchiveError) {
    guard Int(depth) < storage.limits.nestingDepth else {
      throw ArchiveError.nestedTooDeep(storage.limits, offset: range.lowerBound)
    }
    try self.init(storage.view, storage.shapes, range)
    try checkKind(tag)
  }

  /// Checks that the shape of a nested record has a case if it is an enumeration, and none if not.
  @inline(__always)
  func checkKind(_ tag: ArchiveTag) throws(ArchiveError) {
    guard (shape.row.enumerationCase >= 0) == (tag == .enumeration) else {
      throw ArchiveError(
        .damaged, "a record and its shape are not of one kind", offset: start)
    }
  }

  /// Checks that the payloads lie one after the other and fill the range (Spec/archive.md, 4.4): so
  /// nothing in it can be contained twice, and each value may be read without a look at the others.
  @inlinable
  @inline(__always)
  init(
    _ view: ByteView, _ shapes: RawSlice<ShapeRow>, _ range: Range<Int>
  ) throws(ArchiveError) {
    start = range.lowerBound
    end = range.upperBound
    guard range.count >= 4 else { throw OpenedRecord.badLength(range) }
    let head = RecordHead(view.load(UInt32.self, at: start))
    guard head.shape < shapes.count else { throw OpenedRecord.badShape(range) }
    shape = shapes.reference(head.shape)
    endWidth = head.endWidth
    let count = Int(shape.row.layout.variableCount)
    let (ends, tail) = extents
    guard endWidth < 3, tail <= end else { throw OpenedRecord.badLength(range) }
    if count == 0 {
      guard tail == end else { throw OpenedRecord.badLength(range) }
    } else {
      guard let last = view.endOfPayloads(endsAt: ends, count: count, width: endWidth) else {
        throw OpenedRecord.badPayload(view, self)
      }
      guard last == end &- tail else { throw OpenedRecord.badLength(range) }
    }
  }

  /// Where the ends lie, and where the payloads begin behind them.
  @inlinable
  @inline(__always)
  var extents: (ends: Int, tail: Int) {
    let layout = shape.row.layout
    let ends = start &+ Int(layout.byteCount)
    return (ends, ends &+ Int(layout.variableCount) &<< Int(endWidth))
  }

  /// Where a payload lies.
  @inlinable
  @inline(__always)
  func payload(_ placement: RecordLayout.Placement, _ view: ByteView) -> Range<Int> {
    let row = shape.row
    if endWidth != 0 { return widePayload(placement, view) }
    return view.payload(
      endAt: start &+ Int(placement.offset), isFirst: placement.offset == row.layout.byteCount,
      tail: start &+ Int(row.narrowTail))
  }

  /// Where the slot or the payload of a value lies.
  @inlinable
  @inline(__always)
  func range(_ row: SlotRow, _ view: ByteView) -> Range<Int> {
    if row.tag.isVariable { return payload(row.placement, view) }
    let offset = start &+ Int(row.placement.offset)
    return offset..<offset &+ row.tag.byteCount
  }

  /// Where a payload lies whose end has more than one byte.
  @inline(never)
  @usableFromInline
  func widePayload(_ placement: RecordLayout.Placement, _ view: ByteView) -> Range<Int> {
    let (ends, tail) = extents
    let index = Int(placement.offset &- shape.row.layout.byteCount)
    let first = index == 0 ? 0 : view.end(index &- 1, endsAt: ends, width: endWidth)
    let last = view.end(index, endsAt: ends, width: endWidth)
    return tail + first..<tail + max(first, last)
  }

  @inline(never)
  @usableFromInline
  static func badShape(_ range: Range<Int>) -> ArchiveError {
    ArchiveError(
      .damaged, "a record names a shape that is not declared", offset: range.lowerBound)
  }

  @inline(never)
  @usableFromInline
  static func badPayload(_ view: ByteView, _ record: OpenedRecord) -> ArchiveError {
    let ends = record.extents.ends
    var last = 0
    for index in 0..<Int(record.shape.row.layout.variableCount) {
      let end = view.end(index, endsAt: ends, width: record.endWidth)
      if end < last {
        return ArchiveError(
          .damaged, "a payload does not lie behind the one before it",
          offset: ends + index << Int(record.endWidth))
      }
      last = end
    }
    return badLength(record.start..<record.end)
  }

  @inline(never)
  @usableFromInline
  static func badLength(_ range: Range<Int>) -> ArchiveError {
    ArchiveError(
      .damaged, "a record is not as long as what is in it", offset: range.lowerBound)
  }
}

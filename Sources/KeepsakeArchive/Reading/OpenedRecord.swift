/// A record whose extents have been checked.
@usableFromInline
package struct OpenedRecord: BitwiseCopyable {
  @usableFromInline package let shape: RawReference<ShapeRow>
  @usableFromInline package let start: Int
  @usableFromInline package let end: Int
  /// The bytes of each end of a payload as a power of two.
  @usableFromInline let endWidth: UInt32

  /// Opens a record or a case of an enumeration that is nested `depth` levels deep.
  ///
  /// The number of its shape comes first, unless it is stated elsewhere and was checked there.
  @inline(__always)
  init(
    _ storage: ArchiveStorage, record range: Range<Int>, _ content: StatedContent = .none,
    tag: ArchiveTag, depth: Int32
  ) throws(ArchiveError) {
    guard Int(depth) < storage.nestingDepth else {
      throw ArchiveError(nesting: "values", storage.limits, offset: range.lowerBound)
    }
    if content.isStated {
      try self.init(storage.view, storage.shapes.reference(content.shape), range)
    } else {
      try self.init(storage.view, storage.shapes, range)
      try checkKind(tag)
    }
  }

  /// Checks that the shape of a nested record has a case if it is an enumeration, and none if not, and no
  /// reserved key.
  @inline(__always)
  package func checkKind(_ tag: ArchiveTag) throws(ArchiveError) {
    guard shape.row.isEnumeration == (tag == .enumeration) else {
      throw OpenedRecord.badKind(start)
    }
    if shape.row.layout.hasReservedKey { throw OpenedRecord.badKey(start) }
  }

  @inline(never)
  static func badKey(_ offset: Int) -> ArchiveError {
    .damaged("a nested record has a reserved key", at: offset)
  }

  @inline(never)
  static func badKind(_ offset: Int) -> ArchiveError {
    .damaged("the kind of a record does not match its shape", at: offset)
  }

  @inlinable
  @inline(__always)
  package func checkIsObject() throws(ArchiveError) {
    if !shape.row.isOfObjects {
      throw .damaged("an object has no type name, or is an enumeration", at: start)
    }
  }

  /// Opens a body after the number of its shape (Spec/archive.md, 5.4).
  @inlinable
  @inline(__always)
  init(
    _ view: ByteView, _ shapes: RawSlice<ShapeRow>, _ range: Range<Int>
  ) throws(ArchiveError) {
    let (number, body) = try ShapeNumber.read(view, range)
    guard number < shapes.count else { throw OpenedRecord.badShape(range) }
    try self.init(view, shapes.reference(number), body..<range.upperBound)
  }

  /// A record that was opened; a view is narrowed to it.
  @inlinable
  @inline(__always)
  init(_ shape: RawReference<ShapeRow>, of body: ByteView, endWidth: UInt32) {
    self.shape = shape
    start = body.origin
    end = body.origin &+ body.count
    self.endWidth = endWidth
  }

  /// Opens a cell, whose extents need no check.
  @inlinable
  @inline(__always)
  init(cell shape: RawReference<ShapeRow>, at start: Int, byteCount: Int) {
    self.shape = shape
    self.start = start
    end = start &+ byteCount
    endWidth = 0
  }

  /// Checks that the payloads are stored one after the other in the body (Spec/archive.md, 5.2).
  ///
  /// So no byte belongs to two values, and each value may be read without a look at the others.
  @inlinable
  @inline(__always)
  package init(
    _ view: ByteView, _ shape: RawReference<ShapeRow>, _ body: Range<Int>
  ) throws(ArchiveError) {
    self.shape = shape
    start = body.lowerBound
    end = body.upperBound
    endWidth = EndWidth.inside(end &- start)
    let layout = shape.row.layout
    if layout.variableCount == 0 {
      guard end &- start == Int(layout.byteCount) else { throw ArchiveError.recordLength(body) }
      return
    }
    let (ends, tail) = extents
    guard tail <= end else { throw ArchiveError.recordLength(body) }
    if layout.variableCount > 1 {
      guard
        let last = view.endOfPayloads(endsAt: ends, count: layout.endCount, width: endWidth),
        last <= end &- tail
      else { throw OpenedRecord.badPayload(view, self) }
    }
  }

  /// The offset of the ends, and that of the payloads after them.
  @inlinable
  @inline(__always)
  var extents: (ends: Int, tail: Int) {
    let layout = shape.row.layout
    let ends = start &+ Int(layout.byteCount)
    return (ends, ends &+ layout.endCount &<< Int(endWidth))
  }

  @inlinable
  @inline(__always)
  func payload(_ placement: RecordLayout.Placement, _ view: ByteView) -> Range<Int> {
    if endWidth != 0 { return widePayload(placement, view) }
    let row = shape.row
    let index = placement.offset &- row.layout.byteCount
    let tail = start &+ Int(row.narrowTail)
    let place = start &+ Int(placement.offset)
    let first = index == 0 ? tail : tail &+ Int(view.load(UInt8.self, at: place &- 1))
    let last =
      index &+ 1 == row.layout.variableCount ? end : tail &+ Int(view.load(UInt8.self, at: place))
    return first..<max(first, last)
  }

  /// The range of the slot or the payload of a value.
  @inlinable
  @inline(__always)
  package func range(_ row: SlotRow, _ view: ByteView) -> Range<Int> {
    if row.isPayload { return payload(row.placement, view) }
    let offset = start &+ Int(row.placement.offset)
    return offset..<offset &+ (row.cell.isNone ? row.tag.byteCount : Int(row.byteCount))
  }

  @inline(never)
  @usableFromInline
  func widePayload(_ placement: RecordLayout.Placement, _ view: ByteView) -> Range<Int> {
    let layout = shape.row.layout
    let (ends, tail) = extents
    let index = Int(placement.offset &- layout.byteCount)
    let first = index == 0 ? tail : tail &+ view.end(index &- 1, endsAt: ends, width: endWidth)
    let last =
      index == layout.endCount ? end : tail &+ view.end(index, endsAt: ends, width: endWidth)
    return first..<max(first, last)
  }

  @inline(never)
  @usableFromInline
  package static func badShape(_ range: Range<Int>) -> ArchiveError {
    .damaged("a record names a shape that is not declared", at: range.lowerBound)
  }

  @inline(never)
  @usableFromInline
  static func badPayload(_ view: ByteView, _ record: OpenedRecord) -> ArchiveError {
    let ends = record.extents.ends
    var last = 0
    for index in 0..<record.shape.row.layout.endCount {
      let end = view.end(index, endsAt: ends, width: record.endWidth)
      if end < last {
        return .damaged(
          "a payload does not begin where the one before it ends",
          at: ends + index << Int(record.endWidth))
      }
      last = end
    }
    return ArchiveError.recordLength(record.start..<record.end)
  }
}

extension OpenedRecord {
  /// Checks that a record which is read whole has no more values than its bytes allow, or than
  /// ``ArchiveLimits/valueCount`` says.
  @inlinable
  @inline(__always)
  package func checkValueCount(_ limit: Int?) throws(ArchiveError) {
    let most = OpenedRecord.mostValues(limit, inBytes: end &- start)
    if shape.row.slots.count > most { throw ArchiveError.tooManyValues(self, limit) }
  }

  /// The maximum number of values that a record of `byteCount` bytes may have.
  @inlinable
  @inline(__always)
  static func mostValues(_ limit: Int?, inBytes byteCount: Int) -> Int {
    limit ?? 8 &* byteCount &+ 64
  }
}

extension ArchiveError {
  @inline(never)
  @usableFromInline
  static func tooManyValues(_ record: OpenedRecord, _ limit: Int?) -> ArchiveError {
    if let limit {
      return ArchiveError(
        "a record has \(record.shape.row.slots.count) values", exceeds: .valueCount, of: limit,
        offset: record.start)
    }
    var error = ArchiveError(
      .limitExceeded,
      "a record has more values than its bytes can hold, and ArchiveLimits.valueCount is not set",
      offset: record.start)
    error.remedy = LimitName.valueCount.advice
    return error
  }
}

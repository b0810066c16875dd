/// A record whose extents have been checked.
@usableFromInline
struct OpenedRecord {
  @usableFromInline let shape: RawReference<ShapeRow>
  @usableFromInline let start: Int
  @usableFromInline let end: Int

  /// A record that was opened before.
  init(shape: RawReference<ShapeRow>, start: Int, end: Int) {
    self.shape = shape
    self.start = start
    self.end = end
  }

  /// Opens the record of an object, which ends with padding.
  @inlinable
  @inline(__always)
  init(
    _ view: ByteView, _ shapes: RawSlice<ShapeRow>, object range: Range<Int>
  ) throws(ArchiveError) {
    try self.init(view, shapes, range)
    guard (end &+ 7) & ~7 == range.upperBound else { throw OpenedRecord.badLength(range) }
  }

  /// Opens a nested record, which is as long as its payload.
  @inline(__always)
  init(_ storage: ArchiveStorage, nested range: Range<Int>) throws(ArchiveError) {
    try self.init(storage.view, storage.shapes, range)
    guard end == range.upperBound else { throw OpenedRecord.badLength(range) }
  }

  /// Opens a nested record that lies so deep, or a case of an enumeration.
  @inline(__always)
  init(
    _ storage: ArchiveStorage, record range: Range<Int>, tag: ArchiveTag, depth: Int32
  ) throws(ArchiveError) {
    guard Int(depth) <= storage.limits.nestingDepth else {
      throw ArchiveError.nestedTooDeep(storage.limits, offset: range.lowerBound)
    }
    try self.init(storage, nested: range)
    guard (shape.row.enumerationCase >= 0) == (tag == .enumeration) else {
      throw ArchiveError(
        .damaged, "a record and its shape are not of one kind", offset: range.lowerBound)
    }
  }

  /// Checks that the payloads lie one after the other inside the range (Spec/archive.md, 4.4): so
  /// nothing in it can be contained twice, and each slot may be read without a look at the others.
  @inlinable
  @inline(__always)
  init(
    _ view: ByteView, _ shapes: RawSlice<ShapeRow>, _ range: Range<Int>
  ) throws(ArchiveError) {
    start = range.lowerBound
    guard range.count >= 4 else {
      throw OpenedRecord.badLength(range)
    }
    let number = Int(view.load(UInt32.self, at: start))
    guard number < shapes.count else { throw OpenedRecord.badShape(range) }
    shape = shapes.reference(number)
    let row = shape.row
    let tail = Int(row.tailStart)
    guard tail <= range.count else { throw OpenedRecord.badLength(range) }
    guard let last = view.endOfPayloads(row.variables, ofRecordAt: start, length: tail) else {
      throw OpenedRecord.badPayload(view, shape, start)
    }
    guard last <= range.count &- tail else { throw OpenedRecord.badLength(range) }
    end = start &+ tail &+ last
  }

  @inline(never)
  @usableFromInline
  static func badShape(_ range: Range<Int>) -> ArchiveError {
    ArchiveError(
      .damaged, "a record names a shape that is not declared", offset: range.lowerBound)
  }

  @inline(never)
  @usableFromInline
  static func badPayload(
    _ view: ByteView, _ shape: RawReference<ShapeRow>, _ start: Int
  ) -> ArchiveError {
    let row = shape.row
    var last = 0
    for index in 0..<row.variables.count {
      let slot = row.variables[index]
      let end = Int(view.load(UInt32.self, at: start + Int(slot.offset)))
      let mask = Int(slot.alignmentMask)
      if end < (last + mask) & ~mask {
        return ArchiveError(
          .damaged, "a payload does not lie behind the one before it",
          offset: start + Int(slot.offset))
      }
      last = end
    }
    return badLength(start..<start + row.layout.tailStart)
  }

  @inline(never)
  @usableFromInline
  static func badLength(_ range: Range<Int>) -> ArchiveError {
    ArchiveError(
      .damaged, "a record is not as long as what is in it", offset: range.lowerBound)
  }
}

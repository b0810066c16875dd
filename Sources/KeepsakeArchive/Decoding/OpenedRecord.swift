/// A record whose extents have been checked.
struct OpenedRecord {
  let view: ByteView
  let shape: ShapeRow
  let start: Int
  let end: Int

  /// Opens the record of an object, which ends with padding.
  @inline(__always)
  init(_ storage: ArchiveStorage, object range: Range<Int>) throws(ArchiveError) {
    try self.init(storage, range)
    guard (end &+ 7) & ~7 == range.upperBound else { throw OpenedRecord.badLength(range) }
  }

  /// Opens a nested record, which is as long as its payload.
  @inline(__always)
  init(_ storage: ArchiveStorage, nested range: Range<Int>) throws(ArchiveError) {
    try self.init(storage, range)
    guard end == range.upperBound else { throw OpenedRecord.badLength(range) }
  }

  /// Checks that the payloads lie one after the other inside the range (Spec/archive.md, 4.4): so
  /// nothing in it can be contained twice, and each slot may be read without a look at the others.
  @inline(__always)
  private init(_ storage: ArchiveStorage, _ range: Range<Int>) throws(ArchiveError) {
    view = storage.view
    start = range.lowerBound
    guard range.count >= FormatConstants.recordHeaderByteCount else {
      throw OpenedRecord.badLength(range)
    }
    let number = Int(view.load(UInt32.self, at: start))
    guard number < storage.tables.shapes.count else {
      throw ArchiveError(
        .damaged, "a record names a shape that is not declared", offset: range.lowerBound)
    }
    shape = storage.tables.shapes[number]
    let tail = shape.layout.tailStart
    guard tail <= range.count else { throw OpenedRecord.badLength(range) }
    var last = 0
    for index in 0..<shape.variables.count {
      let slot = shape.variables[index]
      if slot.isContainer { last = (last &+ 7) & ~7 }
      let end = Int(view.load(UInt32.self, at: start &+ Int(slot.offset)))
      guard end >= last else {
        throw ArchiveError(
          .damaged, "a payload does not lie behind the one before it",
          offset: start &+ Int(slot.offset))
      }
      last = end
    }
    guard last <= range.count &- tail else { throw OpenedRecord.badLength(range) }
    end = start &+ tail &+ last
  }

  @inline(never)
  private static func badLength(_ range: Range<Int>) -> ArchiveError {
    ArchiveError(
      .damaged, "a record is not as long as what is in it", offset: range.lowerBound)
  }
}

/// What the rows of a run of shapes refer to: all shapes of a footer, or those of one segment.
struct ShapeRows: ~Copyable, Sendable {
  var slots: RawTable<SlotRow>
  var index: RawTable<UInt16>
  var order: RawTable<UInt32>

  /// Tables for shapes that take so many bytes in the archive, in which none grows beyond its room.
  init(byteCount: Int) {
    // Besides its slots a shape has a row in which no key is found, and an index of at least 5 places.
    let slotCount = byteCount / FormatConstants.slotRowByteCount
    let shapeCount = byteCount / FormatConstants.shapeHeaderByteCount
    slots = RawTable(capacity: slotCount + shapeCount, isFixed: true)
    // Fewer than eight places for a slot.
    index = RawTable(capacity: 8 * slotCount + 5 * shapeCount, isFixed: true)
    order = RawTable(capacity: slotCount, isFixed: true)
  }
}

/// Keeps the rows alive for as long as shapes refer to them.
final class ShapeRowsOwner: Sendable {
  private let rows: ShapeRows

  init(_ rows: consuming ShapeRows) {
    self.rows = rows
  }
}

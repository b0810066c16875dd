/// What the rows of a run of shapes refer to: all shapes of a footer, or those of one segment.
struct ShapeRows: ~Copyable, Sendable {
  var slots: RawTable<SlotRow>
  var index: RawTable<UInt16>
  var order: RawTable<UInt32>

  /// Tables for shapes that take so many bytes; a slot takes 8 bytes, so none grows beyond.
  init(byteCount: Int) {
    slots = RawTable(capacity: byteCount / 8, isFixed: true)
    // Fewer than eight places for a slot, and one for a shape, which takes 16 bytes.
    index = RawTable(capacity: byteCount, isFixed: true)
    order = RawTable(capacity: byteCount / 8, isFixed: true)
  }
}

/// Keeps the rows alive for as long as shapes refer to them.
final class ShapeRowsOwner: Sendable {
  private let rows: ShapeRows

  init(_ rows: consuming ShapeRows) {
    self.rows = rows
  }
}

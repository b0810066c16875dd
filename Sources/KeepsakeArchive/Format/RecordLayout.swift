/// Where the slots of a record lie, computed from the tags alone and never read from the archive.
///
/// One rule (Spec/archive.md, 4.4): after the record header the slots of 16 bytes, then 8, 4, 2
/// and 1, in key order within a width; then one bit per nullable slot, in key order; then zeros up
/// to a multiple of eight.
struct RecordLayout {
  /// The byte offset of each slot from the start of the record, in key order.
  private(set) var offsets: [Int]
  /// The number of each slot's bit in the nil bitmap, or -1, in key order.
  private(set) var nilBits: [Int]
  /// The offset of the nil bitmap.
  private(set) var bitmapOffset: Int
  /// The number of bits in the nil bitmap.
  private(set) var nilBitCount: Int
  /// The bytes up to the tail.
  private(set) var fixedByteCount: Int

  init(slots: some Collection<SlotDeclaration>) {
    offsets = [Int](repeating: 0, count: slots.count)
    nilBits = [Int](repeating: -1, count: slots.count)
    var position = FormatConstants.recordHeaderByteCount
    for width in [16, 8, 4, 2, 1] {
      for (index, slot) in slots.enumerated() where slot.tag.width?.byteCount == width {
        offsets[index] = position
        position += width
      }
    }
    bitmapOffset = position
    nilBitCount = 0
    for (index, slot) in slots.enumerated() where slot.isNullable {
      nilBits[index] = nilBitCount
      nilBitCount += 1
    }
    position += (nilBitCount + 7) / 8
    fixedByteCount = (position + 7) & ~7
  }
}

/// One slot of a shape: the key it stands for and how its value is written.
struct SlotDeclaration: Hashable {
  var key: UInt32
  var tag: ArchiveTag
  var isNullable: Bool
}

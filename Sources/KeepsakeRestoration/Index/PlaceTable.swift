/// The rows of an index by what makes a path unique: the parent, whether the row is a node, a view or a
/// registered object, the identifier, and the ordinal among equals.
struct PlaceTable: ~Copyable {
  private struct Slot {
    var hash: UInt32 = 0
    /// The row plus one; 0 when the slot is empty.
    var number: UInt32 = 0
  }

  private var slots: [Slot] = []
  private var count = 0

  /// Adds a row of an index, unless another one has its place.
  ///
  /// - Returns: The other row, or `nil`.
  mutating func insert(_ row: Int, of index: borrowing StateIndex) -> Int? {
    // Half of the slots stay empty, so that a search ends soon.
    if count * 2 >= slots.count { grow() }
    let hash = Self.hash(row, of: index)
    var position = Int(hash) & (slots.count - 1)
    while slots[position].number != 0 {
      let other = Int(slots[position].number) - 1
      if slots[position].hash == hash, Self.isSamePlace(row, other, of: index) { return other }
      position = (position + 1) & (slots.count - 1)
    }
    slots[position] = Slot(hash: hash, number: UInt32(row + 1))
    count += 1
    return nil
  }

  /// Takes a row away that is still in the index, if it was inserted.
  mutating func remove(_ row: Int, of index: borrowing StateIndex) {
    if slots.isEmpty { return }
    let mask = slots.count - 1
    var hole = Int(Self.hash(row, of: index)) & mask
    while slots[hole].number != UInt32(row + 1) {
      if slots[hole].number == 0 { return }
      hole = (hole + 1) & mask
    }
    count -= 1
    // What was pushed on by the removed one moves back, so that no search ends at the hole.
    var next = (hole + 1) & mask
    while slots[next].number != 0 {
      if (next - Int(slots[next].hash)) & mask >= (next - hole) & mask {
        slots[hole] = slots[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    slots[hole] = Slot()
  }

  static func isSamePlace(_ row: Int, _ other: Int, of index: borrowing StateIndex) -> Bool {
    index.parents[row] == index.parents[other]
      && index.identifiers[row] == index.identifiers[other]
      && index.ordinals[row] == index.ordinals[other]
      && index.role(row)?.kind == index.role(other)?.kind
  }

  private static func hash(_ row: Int, of index: borrowing StateIndex) -> UInt32 {
    var hasher = Hasher()
    hasher.combine(index.identifiers[row])
    hasher.combine(UInt64(index.parents[row]) << 32 | UInt64(index.ordinals[row]))
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: max(16, old.count * 2))
    for slot in old where slot.number != 0 {
      var position = Int(slot.hash) & (slots.count - 1)
      while slots[position].number != 0 { position = (position + 1) & (slots.count - 1) }
      slots[position] = slot
    }
  }
}

/// A number for each of many objects, found by identity.
///
/// Every object of a tree is looked up several times in a save or a restore, and a dictionary's hash
/// costs more than all else that is done with it. The table does not keep the objects alive.
struct IdentityTable: ~Copyable {
  private struct Slot {
    var key: UInt = 0
    var value: Int32 = 0
  }

  private var slots: [Slot]
  private var count = 0

  /// Makes an empty table.
  ///
  /// - Parameter capacity: About how many objects it will hold.
  init(capacity: Int = 0) {
    let bits = max(4, Int.bitWidth - (min(capacity, 1 << 24) * 2).leadingZeroBitCount)
    slots = [Slot](repeating: Slot(), count: 1 << bits)
  }

  /// Finds the number of an object.
  func value(of object: AnyObject) -> Int? {
    let slot = slots[position(of: Self.key(object))]
    return slot.key == 0 ? nil : Int(slot.value)
  }

  /// Gives an object a number, unless it has one.
  ///
  /// - Returns: The number that the object has already, or `nil`.
  mutating func insert(_ object: AnyObject, _ value: Int) -> Int? {
    let key = Self.key(object)
    let position = position(of: key)
    if slots[position].key == key { return Int(slots[position].value) }
    slots[position] = Slot(key: key, value: Int32(truncatingIfNeeded: value))
    count += 1
    // Half of the slots stay empty, so that a search ends soon.
    if count * 2 > slots.count { grow() }
    return nil
  }

  /// Takes the number of an object away.
  mutating func remove(_ object: AnyObject) {
    var hole = position(of: Self.key(object))
    if slots[hole].key == 0 { return }
    count -= 1
    // What was pushed on by the removed one moves back, so that no search ends at the hole.
    let mask = slots.count - 1
    var next = (hole + 1) & mask
    while slots[next].key != 0 {
      let home = home(of: slots[next].key)
      if (next - home) & mask >= (next - hole) & mask {
        slots[hole] = slots[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    slots[hole] = Slot()
  }

  private static func key(_ object: AnyObject) -> UInt {
    UInt(bitPattern: ObjectIdentifier(object))
  }

  private func home(of key: UInt) -> Int {
    // Objects that were made one after the other lie side by side, and so do their slots: a hash that
    // spreads them would make each look-up of a large table wait for memory. The upper bits come in, so
    // that objects at a large power of two from each other do not share a slot.
    let place = key >> 4
    return Int(truncatingIfNeeded: place &+ (place >> 8) &+ (place >> 16)) & (slots.count - 1)
  }

  private func position(of key: UInt) -> Int {
    var position = home(of: key)
    while slots[position].key != key, slots[position].key != 0 {
      position = (position + 1) & (slots.count - 1)
    }
    return position
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: old.count * 2)
    for slot in old where slot.key != 0 { slots[position(of: slot.key)] = slot }
  }
}

/// An index of rows by a hash of their content.
///
/// A place has the number of a row and half of its hash, eight bytes in all. A dictionary would have a copy of each row,
/// and hash all of them again when it grows.
package struct HashIndex: Sendable {
  private static let free: UInt64 = 0
  /// Half of a hash in the upper half, and one more than the number of the row in the lower half.
  private var places: [UInt64] = []
  private var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// The number of the row with a hash that the closure, which compares contents, accepts; nil without one.
  package func number(_ hash: Int, where isWanted: (Int) -> Bool) -> Int? {
    if places.isEmpty { return nil }
    var place = home(hash)
    while let number = self.number(at: place) {
      if places[place] >> 32 == UInt64(UInt32(truncatingIfNeeded: hash)), isWanted(number) {
        return number
      }
      place = (place + 1) & (places.count - 1)
    }
    return nil
  }

  /// Adds a row, which has no other number in the index.
  package mutating func add(_ number: Int, _ hash: Int) {
    if 4 * (count + 1) > 3 * places.count { grow() }
    put(UInt64(UInt32(truncatingIfNeeded: hash)) << 32 | UInt64(UInt32(number + 1)))
    count += 1
  }

  /// Removes a row, if the index has it.
  package mutating func remove(_ number: Int, _ hash: Int) {
    if places.isEmpty { return }
    let mask = places.count - 1
    var hole = home(hash)
    while let other = self.number(at: hole), other != number { hole = (hole + 1) & mask }
    if places[hole] == Self.free { return }
    // A row that was put after its own place, because others were there, moves back.
    var next = (hole + 1) & mask
    while places[next] != Self.free {
      let distance = (next - Int(places[next] >> 32)) & mask
      if distance >= (next - hole) & mask {
        places[hole] = places[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    places[hole] = Self.free
    count -= 1
  }

  private func home(_ hash: Int) -> Int {
    Int(UInt32(truncatingIfNeeded: hash)) & (places.count - 1)
  }

  /// The number of the row at a place; nil for a free place.
  private func number(at place: Int) -> Int? {
    let entry = places[place]
    return entry == Self.free ? nil : Int(UInt32(truncatingIfNeeded: entry)) - 1
  }

  private mutating func put(_ entry: UInt64) {
    var place = Int(entry >> 32) & (places.count - 1)
    while places[place] != Self.free { place = (place + 1) & (places.count - 1) }
    places[place] = entry
  }

  private mutating func grow() {
    let old = places
    places = Array(repeating: Self.free, count: max(32, 2 * old.count))
    for entry in old where entry != Self.free { put(entry) }
  }
}

import KeepsakeArchive

/// A hash table of facts about types, by their identity; a look-up takes a few instructions.
final class TypeTable<Row> {
  private typealias Places = FixedStorage<(type: ObjectIdentifier, row: Row)?>

  /// The places; their number is a power of two, and at least four times the number of types.
  ///
  /// A type is in the place that follows from its address, or in the first free one after it.
  private var places = Places(repeating: nil, count: 32)
  private(set) var count = 0

  /// The row of a type, which is made for a type that is new.
  @inline(__always)
  func row(of type: ObjectIdentifier, make: () -> Row) -> Row {
    if let found = places[TypeTable.place(of: type, in: places)], found.type == type {
      return found.row
    }
    return findRow(of: type, make)
  }

  /// The row of a type; nil for a type that has none.
  @inline(__always)
  func knownRow(of type: ObjectIdentifier) -> Row? { places[place(of: type)]?.row }

  func set(_ row: Row, for type: ObjectIdentifier) {
    let place = place(of: type)
    if places[place] == nil { count += 1 }
    places[place] = (type, row)
    if 4 * count >= places.count { grow() }
  }

  @inline(never)
  private func findRow(of type: ObjectIdentifier, _ make: () -> Row) -> Row {
    if let row = knownRow(of: type) { return row }
    let row = make()
    set(row, for: type)
    return row
  }

  /// The place of a type, or the free place for it.
  @inline(__always)
  private func place(of type: ObjectIdentifier) -> Int {
    var place = TypeTable.place(of: type, in: places)
    while let other = places[place], other.type != type {
      place = (place + 1) & (places.count - 1)
    }
    return place
  }

  private func grow() {
    let old = places
    places = Places(repeating: nil, count: 2 * old.count)
    count = 0
    for index in 0..<old.count {
      guard let entry = old[index] else { continue }
      set(entry.row, for: entry.type)
    }
  }

  private static func place(of type: ObjectIdentifier, in places: Places) -> Int {
    let address = UInt(bitPattern: type)
    return Int(bitPattern: address >> 4 ^ address >> 10) & (places.count - 1)
  }
}

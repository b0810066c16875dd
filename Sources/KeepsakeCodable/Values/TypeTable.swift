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
    let place = TypeTable.place(of: type, in: places)
    if let found = places[place], found.type == type { return found.row }
    return findRow(of: type, from: place, make)
  }

  /// Changes the row of a type that has one.
  func set(_ row: Row, for type: ObjectIdentifier) {
    places[place(of: type, from: TypeTable.place(of: type, in: places))] = (type, row)
  }

  @inline(never)
  private func findRow(of type: ObjectIdentifier, from first: Int, _ make: () -> Row) -> Row {
    let place = place(of: type, from: first)
    if let found = places[place] { return found.row }
    let row = make()
    places[place] = (type, row)
    count += 1
    if 4 * count >= places.count { grow() }
    return row
  }

  /// The place of a type, or the free place for it.
  private func place(of type: ObjectIdentifier, from first: Int) -> Int {
    var place = first
    while let other = places[place], other.type != type {
      place = (place + 1) & (places.count - 1)
    }
    return place
  }

  private func grow() {
    let old = places
    places = Places(repeating: nil, count: 2 * old.count)
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

/// Whether values of a type take as much room as a reference, as the collections of the standard library do.
///
/// A cast of any other type would take longer than reading or writing a small value.
func isOneWord<Value>(_ type: Value.Type) -> Bool {
  MemoryLayout<Value>.size == MemoryLayout<Int>.size
}

import KeepsakeArchive

/// What is known of types, found by their identity.
///
/// The types that were asked for lately have places of their own, which takes a few instructions; the others
/// are found in a dictionary.
final class TypeTable<Row> {
  private let places = FixedStorage<(type: ObjectIdentifier, row: Row)?>(repeating: nil, count: 64)
  private var rows: [ObjectIdentifier: Row] = [:]

  /// The row of a type, which is made for a type that is new.
  @inline(__always)
  func row(of type: ObjectIdentifier, make: () -> Row) -> Row {
    if let place = places[TypeTable.place(of: type)], place.type == type { return place.row }
    return findRow(of: type, make)
  }

  /// Changes the row of a type.
  func set(_ row: Row, for type: ObjectIdentifier) {
    rows[type] = row
    places[TypeTable.place(of: type)] = (type, row)
  }

  @inline(never)
  private func findRow(of type: ObjectIdentifier, _ make: () -> Row) -> Row {
    let row = rows[type] ?? make()
    set(row, for: type)
    return row
  }

  private static func place(of type: ObjectIdentifier) -> Int {
    let address = UInt(bitPattern: type)
    return Int(bitPattern: (address >> 4 ^ address >> 10) & 63)
  }
}

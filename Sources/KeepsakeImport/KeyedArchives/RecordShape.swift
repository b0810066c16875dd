import KeepsakeDocuments

/// The keys of an object in the order of the file, and in the order of the fields of its record.
///
/// Nearly all objects of a class have the same keys, so a class keeps the shapes that its objects had, and nothing is
/// sorted for the next one.
struct RecordShape {
  /// The names of the members, in the order of the first object with them.
  let names: [UInt32]
  /// The index of each member's field; nil for the member that names the class, which becomes no field.
  let fieldIndices: [Int?]
  /// The numbers of the fields' keys.
  let keys: [UInt32]
  /// The fields, sorted by their keys, with nil for each value.
  let fields: [DynamicRecord.Field]
  /// True for each field that is a reference in at least one object.
  var hasReference: [Bool]

  /// Dictionaries with more names need the same order, since each name is looked for among all.
  private static let mostNamesInAnyOrder = 16

  /// True when a dictionary has the same names, each of which it has once.
  ///
  /// Foundation writes the names of each object in an order of its own on Linux.
  func matches(_ members: Range<Int>, of list: PropertyListDocument) -> Bool {
    guard members.count == names.count else { return false }
    let span = list.members.span
    for offset in names.indices
    where place(of: span[members.lowerBound + offset].name, near: offset) == nil {
      return false
    }
    return true
  }

  /// The index of a name among ``names``; it is mostly the offset of the member.
  func place(of name: UInt32, near offset: Int) -> Int? {
    if names[offset] == name { return offset }
    return names.count <= Self.mostNamesInAnyOrder ? names.firstIndex(of: name) : nil
  }
}

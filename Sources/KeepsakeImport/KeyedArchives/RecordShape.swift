import KeepsakeDocuments

/// The keys of an object in the order of the file, and in the order of the fields of its record.
///
/// Nearly all objects of a class have the same keys in the same order, so a class keeps the shape that its objects
/// had, and nothing is sorted for the next one.
struct RecordShape {
  /// The names of the members, in the order of the file.
  let names: [UInt32]
  /// The index of each member's field; nil for the member that names the class, which becomes no field.
  let fieldIndices: [Int?]
  /// The numbers of the fields' keys.
  let keys: [UInt32]
  /// The fields, sorted by their keys, with nil for each value.
  let fields: [DynamicRecord.Field]
  /// True for each field that is a reference in at least one object.
  var hasReference: [Bool]

  /// True when a dictionary has the same names in the same order.
  func matches(_ members: Range<Int>, of list: PropertyListDocument) -> Bool {
    guard members.count == names.count else { return false }
    let span = list.members.span
    for index in names.indices where span[members.lowerBound + index].name != names[index] {
      return false
    }
    return true
  }
}

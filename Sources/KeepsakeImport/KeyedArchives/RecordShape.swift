import KeepsakeDocuments

/// The keys of the objects of a class in the order of the fields of their records.
///
/// Nearly all objects of a class have the same keys, so a class caches the shapes of its objects, and the keys of the
/// next object need not be sorted.
final class RecordShape {
  /// The number of the shape in the order of creation, from 1.
  let number: Int
  /// The names of the members in the order of the fields; `$class`, which has no field, is the last.
  let names: [UInt32]
  /// The numbers of the fields' keys.
  let keys: [UInt32]
  /// The fields, sorted by their keys, with nil for each value.
  let fields: [DynamicRecord.Field]
  /// True for each field that is a reference in at least one object.
  var hasReference: [Bool]

  init(
    number: Int, names: [UInt32], keys: [UInt32], fields: [DynamicRecord.Field]
  ) {
    (self.number, self.names, self.keys, self.fields) = (number, names, keys, fields)
    hasReference = [Bool](repeating: false, count: fields.count)
  }
}

/// The members of an object in the order of its shape.
///
/// On Linux, Foundation writes the names of each object in a different order. So a table has the index of each name in
/// the shape that was used last.
struct MemberOrder {
  private struct Place {
    /// The number of the last shape that has the name; 0 for none.
    var shape = 0
    var index = 0
  }

  /// The place of each name; the index is the number of the name.
  private var places: [Place]
  /// The number of the shape that was used last.
  private var shape = 0
  /// The indices of the members, in the order of the shape's names.
  private(set) var members: [Int] = []

  init(nameCount: Int) { places = [Place](repeating: Place(), count: nameCount) }

  /// Arranges the members of a dictionary, whose names are unique; false when the shape has other names.
  mutating func arrange(
    _ dictionary: Range<Int>, in all: [PropertyListNode.Member], as shape: RecordShape
  ) -> Bool {
    guard dictionary.count == shape.names.count else { return false }
    if self.shape != shape.number {
      self.shape = shape.number
      for (index, name) in shape.names.enumerated() {
        places[Int(name)] = Place(shape: shape.number, index: index)
      }
      members = [Int](repeating: 0, count: shape.names.count)
    }
    let places = places
    var ordered = members.mutableSpan
    for member in dictionary {
      let place = places[Int(all[member].name)]
      guard place.shape == shape.number else { return false }
      ordered[place.index] = member
    }
    return true
  }
}

/// The keys, types and shapes of the archive being written, numbered by first use
/// (Spec/archive.md, 4.2 to 4.4).
struct WriterTables {
  /// A key or a scope: where it is declared and what it is called.
  struct KeyEntry: Hashable {
    /// The number of the scope's own entry plus one, or 0 at the top.
    var scope: UInt32
    var space: KeySpace
    var name: ArchiveKey
  }

  struct ShapeEntry: Hashable {
    var type: UInt32
    /// The number of the case's entry plus one, or 0 for a record that is no enumeration.
    var enumerationCase: UInt32
    var slots: [SlotDeclaration]
  }

  private(set) var keys: [KeyEntry] = []
  private(set) var types: [EncodingPlan.TypeName] = []
  private(set) var shapes: [ShapeEntry] = []
  private var keyNumbers: [KeyEntry: UInt32] = [:]
  private var typeNumbers: [EncodingPlan.TypeName: UInt32] = [:]
  private var shapeNumbers: [ShapeEntry: UInt32] = [:]

  /// The number of entries of each table at one moment.
  struct Mark {
    var keys = 0
    var types = 0
    var shapes = 0
  }

  var mark: Mark { Mark(keys: keys.count, types: types.count, shapes: shapes.count) }

  mutating func key(_ entry: KeyEntry) -> UInt32 {
    if let known = keyNumbers[entry] { return known }
    let number = UInt32(keys.count)
    keys.append(entry)
    keyNumbers[entry] = number
    return number
  }

  mutating func type(_ entry: EncodingPlan.TypeName) -> UInt32 {
    if let known = typeNumbers[entry] { return known }
    let number = UInt32(types.count)
    types.append(entry)
    typeNumbers[entry] = number
    return number
  }

  mutating func shape(_ entry: ShapeEntry) -> UInt32 {
    if let known = shapeNumbers[entry] { return known }
    let number = UInt32(shapes.count)
    shapes.append(entry)
    shapeNumbers[entry] = number
    return number
  }

  /// Forgets what was added since a mark: the record that needed it was not written.
  mutating func rewind(to mark: Mark) {
    while keys.count > mark.keys { keyNumbers[keys.removeLast()] = nil }
    while types.count > mark.types { typeNumbers[types.removeLast()] = nil }
    while shapes.count > mark.shapes { shapeNumbers[shapes.removeLast()] = nil }
  }

  /// Appends the entries added since a mark: key rows and names, type rows and names, shapes.
  func append(since mark: Mark, to bytes: inout ByteBuffer) -> TableLengths {
    var lengths = TableLengths()
    var start = bytes.count
    for entry in keys[mark.keys...] {
      bytes.append(entry.scope)
      bytes.append(UInt32(entry.name.name.utf8.count))
      bytes.append(UInt64(entry.space.rawValue))
    }
    for entry in keys[mark.keys...] { bytes.append(utf8: entry.name.name) }
    bytes.pad()
    lengths.keys = bytes.count - start
    start = bytes.count
    for entry in types[mark.types...] {
      bytes.append(UInt32(entry.key.name.utf8.count))
      bytes.append(entry.schemaVersion)
      bytes.append(UInt64(0))
    }
    for entry in types[mark.types...] { bytes.append(utf8: entry.key.name) }
    bytes.pad()
    lengths.types = bytes.count - start
    start = bytes.count
    for entry in shapes[mark.shapes...] {
      bytes.append(entry.type)
      bytes.append(UInt32(entry.slots.count))
      bytes.append(entry.enumerationCase)
      bytes.append(UInt32(0))
      for slot in entry.slots {
        bytes.append(slot.key)
        bytes.append(slot.tag.rawValue)
        bytes.append(UInt8(slot.isNullable ? 1 : 0))
        bytes.append(UInt16(0))
      }
    }
    lengths.shapes = bytes.count - start
    return lengths
  }
}

/// The bytes that each of the three tables takes.
struct TableLengths: Equatable {
  var keys = 0
  var types = 0
  var shapes = 0

  var total: Int { keys + types + shapes }
}

/// The keys, types and shapes of an archive, numbered by first use (Spec/archive.md, 4.2 to 4.4).
///
/// A writer adds what its records need, and takes it back when a record is not written. A reader adds
/// the entries of a footer, or of one segment after the other.
struct ArchiveTables: Sendable {
  private(set) var keys: [KeyEntry] = []
  private(set) var types: [TypeEntry] = []
  private(set) var shapes: [ShapeEntry] = []
  private var numbers = Numbers()

  /// The numbers of entries by their content, as far as somebody asked for them.
  private struct Numbers {
    var keys: [KeyEntry: UInt32] = [:]
    var types: [TypeEntry: UInt32] = [:]
    var shapes: [ShapeEntry: UInt32] = [:]
  }

  var counts: TableCounts {
    TableCounts(keys: keys.count, types: types.count, shapes: shapes.count)
  }

  /// The same entries for somebody who adds none; what finds them by their content is left out.
  var entries: ArchiveTables {
    var copy = self
    copy.numbers = Numbers()
    return copy
  }

  // MARK: Writing

  /// The number of a key, a scope or a case, which is added when it is new.
  mutating func number(ofKey name: String, space: KeySpace, scope: Int = -1) -> Int {
    let entry = KeyEntry(
      scope: scope, space: space, name: name, depth: scope < 0 ? 0 : keys[scope].depth + 1)
    return add(entry).number
  }

  /// The number of a type, which is added when it is new.
  mutating func number(of type: TypeEntry) -> Int {
    add(type).number
  }

  /// The number of a shape, which is added when it is new.
  mutating func number(of shape: ShapeEntry) -> Int {
    if let known = numbers.shapes[shape] { return Int(known) }
    numbers.shapes[shape] = UInt32(truncatingIfNeeded: shapes.count)
    shapes.append(shape)
    return shapes.count - 1
  }

  private mutating func add(_ entry: KeyEntry) -> (number: Int, isNew: Bool) {
    if let known = numbers.keys[entry] { return (Int(known), false) }
    numbers.keys[entry] = UInt32(truncatingIfNeeded: keys.count)
    keys.append(entry)
    return (keys.count - 1, true)
  }

  private mutating func add(_ entry: TypeEntry) -> (number: Int, isNew: Bool) {
    if let known = numbers.types[entry] { return (Int(known), false) }
    numbers.types[entry] = UInt32(truncatingIfNeeded: types.count)
    types.append(entry)
    return (types.count - 1, true)
  }

  /// Forgets what was added since there were so many entries: the record that needed it was not
  /// written.
  mutating func rewind(to counts: TableCounts) {
    while keys.count > counts.keys { numbers.keys[keys.removeLast()] = nil }
    while types.count > counts.types { numbers.types[types.removeLast()] = nil }
    while shapes.count > counts.shapes { numbers.shapes[shapes.removeLast()] = nil }
  }

  /// Writes the entries after so many, all or a number of them: key rows and names, type rows and
  /// names, shapes.
  ///
  /// - Returns: The bytes that each table takes; nil when there are not so many entries.
  @discardableResult
  func write(
    after start: TableCounts, _ added: TableCounts? = nil, to bytes: inout ByteBuffer
  ) -> TableLengths? {
    let added = added ?? counts - start
    guard 0...(keys.count - start.keys) ~= added.keys,
      0...(types.count - start.types) ~= added.types,
      0...(shapes.count - start.shapes) ~= added.shapes
    else { return nil }
    var lengths = TableLengths()
    var offset = bytes.count
    let newKeys = keys[start.keys..<start.keys + added.keys]
    for key in newKeys { key.writeRow(to: &bytes) }
    for key in newKeys { bytes.append(utf8: key.name) }
    bytes.pad()
    lengths.keys = bytes.count - offset
    offset = bytes.count
    let newTypes = types[start.types..<start.types + added.types]
    for type in newTypes { type.writeRow(to: &bytes) }
    for type in newTypes { bytes.append(utf8: type.name) }
    bytes.pad()
    lengths.types = bytes.count - offset
    offset = bytes.count
    for shape in shapes[start.shapes..<start.shapes + added.shapes] { shape.write(to: &bytes) }
    lengths.shapes = bytes.count - offset
    return lengths
  }
}

// Reading: each table is checked while it is read, before an entry is used (Spec/archive.md, 7.1).

extension ArchiveTables {
  /// Reads the next keys, without the padding after them.
  ///
  /// Of tables that are growing a second declaration of a key is found by its content, so that the
  /// cost of a segment does not grow with those before it. Who reads all keys at once finds it when
  /// they are put in order.
  mutating func readKeys(
    _ cursor: inout TableCursor, count: Int, limits: ArchiveLimits, isGrowing: Bool
  ) throws(ArchiveError) {
    let first = keys.count
    try cursor.checkRows(count, byteCount: KeyEntry.rowByteCount)
    guard count <= limits.keyCount - first else {
      throw cursor.error(
        .limitExceeded, "the archive declares \(first + count) keys, more than the limit")
    }
    var lengths: [Int] = []
    lengths.reserveCapacity(count)
    keys.reserveCapacity(first + count)
    for _ in 0..<count {
      var (entry, length) = try KeyEntry.readRow(&cursor)
      if entry.scope >= 0 {
        guard entry.scope < keys.count, keys[entry.scope].space == .scope,
          entry.space != .enumerationCase
        else {
          throw cursor.error(.damaged, "a key names a scope that is not declared before it")
        }
        entry.depth = keys[entry.scope].depth + 1
      }
      guard entry.depth <= limits.nestingDepth else {
        throw cursor.error(
          .limitExceeded, "scopes are nested more than \(limits.nestingDepth) deep")
      }
      lengths.append(try ArchiveTables.checked(length, limits, cursor))
      keys.append(entry)
    }
    for (index, length) in lengths.enumerated() {
      keys[first + index].name = try cursor.name(length)
    }
    guard isGrowing else { return }
    for number in first..<keys.count {
      let entry = keys[number]
      guard numbers.keys.updateValue(UInt32(number), forKey: entry) == nil else {
        throw cursor.error(.duplicateKey, "the key \"\(entry.name)\" is declared twice")
      }
    }
  }

  /// Reads the next types, without the padding after them.
  mutating func readTypes(
    _ cursor: inout TableCursor, count: Int, limits: ArchiveLimits
  ) throws(ArchiveError) {
    let first = types.count
    try cursor.checkRows(count, byteCount: TypeEntry.rowByteCount)
    guard count <= limits.typeCount - first else {
      throw cursor.error(
        .limitExceeded, "the archive declares \(first + count) types, more than the limit")
    }
    var lengths: [Int] = []
    var entries: [TypeEntry] = []
    for _ in 0..<count {
      let (entry, length) = try TypeEntry.readRow(&cursor)
      lengths.append(try ArchiveTables.checked(length, limits, cursor))
      entries.append(entry)
    }
    for (index, length) in lengths.enumerated() {
      var entry = entries[index]
      entry.name = try cursor.name(length)
      entry.shared = ArchivedType(entry.name, entry.schemaVersion)
      guard add(entry).isNew else {
        throw cursor.error(.damaged, "the type \"\(entry.name)\" is declared twice")
      }
    }
  }

  private static func checked(
    _ length: Int, _ limits: ArchiveLimits, _ cursor: TableCursor
  ) throws(ArchiveError) -> Int {
    // What cannot be there is no matter of limits.
    guard length <= cursor.rest else {
      throw cursor.error(.damaged, "a table ends inside a name")
    }
    guard length <= limits.nameByteCount else {
      throw cursor.error(.limitExceeded, "a name is longer than \(limits.nameByteCount) bytes")
    }
    return length
  }

  /// Reads the next shapes.
  mutating func readShapes(
    _ cursor: inout TableCursor, count: Int, limits: ArchiveLimits
  ) throws(ArchiveError) {
    let first = shapes.count
    try cursor.checkRows(count, byteCount: ShapeEntry.headByteCount)
    guard count <= limits.shapeCount - first else {
      throw cursor.error(
        .limitExceeded, "the archive declares \(first + count) shapes, more than the limit")
    }
    shapes.reserveCapacity(first + count)
    // The shape in which each key was met last, to find keys that a shape has twice.
    var lastShapes = [Int](repeating: -1, count: keys.count)
    for number in first..<first + count {
      shapes.append(
        try readShape(&cursor, number: number, lastShapes: &lastShapes, limits: limits))
    }
  }

  private func readShape(
    _ cursor: inout TableCursor, number: Int, lastShapes: inout [Int], limits: ArchiveLimits
  ) throws(ArchiveError) -> ShapeEntry {
    var (shape, count) = try ShapeEntry.readHead(&cursor)
    guard Int(shape.type) < types.count else {
      throw cursor.error(.damaged, "a shape names a type that is not declared")
    }
    try cursor.checkRows(count, byteCount: SlotDeclaration.rowByteCount)
    guard count <= limits.slotCount else {
      throw cursor.error(.limitExceeded, "a shape has \(count) keys, more than the limit")
    }
    guard shape.enumerationCase < keys.count,
      shape.enumerationCase < 0 || keys[shape.enumerationCase].space == .enumerationCase
    else { throw cursor.error(.damaged, "a shape names a case that is not declared") }
    shape.slots.reserveCapacity(count)
    for _ in 0..<count {
      let slot = try SlotDeclaration.readRow(&cursor)
      let key = Int(slot.key)
      guard key < keys.count, keys[key].space == .user || keys[key].space == .reserved else {
        throw cursor.error(.damaged, "a shape names a key that is not declared")
      }
      guard lastShapes[key] < number else {
        throw cursor.error(.duplicateKey, "a shape has the key \"\(keys[key].name)\" twice")
      }
      lastShapes[key] = number
      shape.slots.append(slot)
    }
    return shape
  }
}

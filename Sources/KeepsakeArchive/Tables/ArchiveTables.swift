/// Entries that are numbered from 0 in the order in which they were added.
struct NumberedTable<Entry: Hashable & Sendable>: Sendable {
  /// Up to this number entries are compared one by one; more are looked up by a hash.
  private static var comparedCount: Int { 16 }

  private(set) var entries: [Entry] = []
  /// The numbers of entries by their content, as far as they were looked up.
  private var numbers = HashIndex()

  var count: Int { entries.count }

  /// The number of an entry, which is added when it is new.
  mutating func number(of entry: Entry) -> Int {
    if count <= Self.comparedCount, numbers.isEmpty {
      if let known = entries.firstIndex(of: entry) { return known }
      if count == 0 { entries.reserveCapacity(Self.comparedCount) }
      if count == Self.comparedCount {
        for number in entries.indices { _ = index(number) }
      }
    }
    if !numbers.isEmpty {
      let hash = entry.hashValue
      if let known = number(of: entry, hash) { return known }
      numbers.add(count, hash)
    }
    entries.append(entry)
    return count - 1
  }

  /// Whether the table has an entry, of those that were looked up.
  func contains(_ entry: Entry) -> Bool {
    numbers.isEmpty && count <= Self.comparedCount
      ? entries.contains(entry) : number(of: entry, entry.hashValue) != nil
  }

  private func number(of entry: Entry, _ hash: Int) -> Int? {
    numbers.number(hash) { entries[$0] == entry }
  }

  /// Adds an entry; false when the table has it already.
  mutating func insert(_ entry: Entry) -> Bool {
    let before = count
    return number(of: entry) == before
  }

  /// Adds an entry that is not looked up by its content.
  mutating func append(_ entry: Entry) { entries.append(entry) }

  /// Adds an entry to the index by content; false when another entry is the same.
  mutating func index(_ number: Int) -> Bool {
    let hash = entries[number].hashValue
    if self.number(of: entries[number], hash) != nil { return false }
    numbers.add(number, hash)
    return true
  }

  mutating func rewind(to length: Int) {
    while count > length {
      let entry = entries.removeLast()
      if !numbers.isEmpty { numbers.remove(count, entry.hashValue) }
    }
  }

  mutating func reserve(_ additional: Int) { entries.reserveCapacity(count + additional) }
}

/// The keys, types and shapes of an archive, numbered by first use (Spec/archive.md, 4).
///
/// A writer adds the entries that its records need, and takes them back when a record is not written. A reader adds the
/// entries of a footer, or of one segment after the other.
struct ArchiveTables: Sendable {
  private var keyTable = NumberedTable<KeyEntry>()
  private var typeTable = NumberedTable<TypeEntry>()
  private var shapeTable = NumberedTable<ShapeEntry>()
  private(set) var layouts: [RecordLayout] = []
  /// The counts of this archive's entries; nil unless the tables also have expected ones, from the archive before.
  var expecting: TableCounts?

  var keys: [KeyEntry] {
    _read { yield keyTable.entries }
  }
  var types: [TypeEntry] {
    _read { yield typeTable.entries }
  }
  var shapes: [ShapeEntry] {
    _read { yield shapeTable.entries }
  }

  var counts: TableCounts {
    if let expecting { return expecting }
    return TableCounts(keys: keyTable.count, types: typeTable.count, shapes: shapeTable.count)
  }

  // MARK: Writing

  mutating func forgetExpected() {
    if let counts = expecting { rewind(to: counts) }
  }

  /// The number of a key, a scope or a case, which is added when it is new.
  mutating func number(
    of name: String, _ space: KeySpace, in scope: Int = KeyEntry.topScope
  ) -> Int {
    keyTable.number(
      of: KeyEntry(
        scope: scope, space: space, name: name,
        depth: scope == KeyEntry.topScope ? 0 : keys[scope].depth + 1))
  }

  mutating func number(of type: TypeEntry) -> Int { typeTable.number(of: type) }

  mutating func number(of shape: ShapeEntry) -> Int { shapeTable.number(of: shape) }

  func hasShape(_ shape: ShapeEntry) -> Bool { shapeTable.contains(shape) }

  /// Forgets the entries after some counts, since the record that needed them was not written.
  mutating func rewind(to counts: TableCounts) {
    expecting = nil
    keyTable.rewind(to: counts.keys)
    typeTable.rewind(to: counts.types)
    shapeTable.rewind(to: counts.shapes)
  }

  /// Writes the entries from some counts to others, with the head before them.
  func write(
    from start: TableCounts, to end: TableCounts, conditionalCount: Int = 0,
    to bytes: inout ByteBuffer
  ) {
    let first = bytes.count
    bytes.appendZeros(TablesHead.byteCount)
    for index in start.keys..<end.keys { keys[index].write(to: &bytes) }
    for index in start.types..<end.types { types[index].write(to: &bytes) }
    for index in start.shapes..<end.shapes { shapes[index].write(to: &bytes) }
    let head = TablesHead(
      counts: end - start, conditionalCount: conditionalCount,
      entriesByteCount: bytes.count - first - TablesHead.byteCount)
    bytes.overwrite(at: first) { head.write(to: &$0) }
  }
}

// Reading: each table is checked while it is read, before an entry is used (Spec/archive.md, 7.1).

extension ArchiveTables {
  /// Whether the first entries are all those of other tables.
  func begins(with other: ArchiveTables) -> Bool {
    keys.starts(with: other.keys) && types.starts(with: other.types)
      && shapes.starts(with: other.shapes)
  }

  /// Reads the next keys; the error of a key that is declared twice is placed at an offset, or else after the keys.
  mutating func readKeys(
    _ cursor: inout FieldCursor, count: Int, limits: ArchiveLimits, repeatedKeysAt place: Int?
  ) throws(ArchiveError) {
    let first = keys.count
    try cursor.checkRows(count, byteCount: KeyEntry.leastByteCount)
    try cursor.checkCount(first + count, "keys", .keyCount, limits.keyCount)
    keyTable.reserve(count)
    for _ in 0..<count {
      var (entry, length) = try KeyEntry.readHead(&cursor)
      if entry.isScoped {
        guard entry.scope < keys.count, keys[entry.scope].space == .scope,
          entry.space != .enumerationCase
        else {
          throw cursor.error(.damaged, "a key names a scope that is not declared before it")
        }
        entry.depth = keys[entry.scope].depth + 1
      }
      guard entry.depth <= limits.nestingDepth else {
        throw ArchiveError(nesting: "scopes", limits, offset: cursor.offset)
      }
      entry.name = try cursor.name(length.byteCount, limit: limits.nameByteCount)
      keyTable.append(entry)
    }
    for number in first..<keys.count where !keyTable.index(number) {
      throw ArchiveError(
        .duplicateKey, "the key \"\(keys[number].name)\" is declared twice",
        offset: place ?? cursor.offset)
    }
  }

  mutating func readTypes(
    _ cursor: inout FieldCursor, count: Int, limits: ArchiveLimits
  ) throws(ArchiveError) {
    try cursor.checkRows(count, byteCount: TypeEntry.leastByteCount)
    try cursor.checkCount(types.count + count, "types", .typeCount, limits.typeCount)
    for _ in 0..<count {
      var (entry, length) = try TypeEntry.readHead(&cursor)
      entry.name = try cursor.name(length.byteCount, limit: limits.nameByteCount)
      entry.shared = DynamicType(entry.name, entry.schemaVersion)
      guard typeTable.insert(entry) else {
        throw cursor.error(.damaged, "the type \"\(entry.name)\" is declared twice")
      }
    }
  }

  mutating func readShapes(
    _ cursor: inout FieldCursor, count: Int, limits: ArchiveLimits
  ) throws(ArchiveError) {
    let first = shapes.count
    try cursor.checkRows(count, byteCount: ShapeEntry.headByteCount)
    try cursor.checkCount(first + count, "shapes", .shapeCount, limits.shapeCount)
    shapeTable.reserve(count)
    // The last shape that has each key, to find keys that a shape has twice.
    var lastShapes = [Int](repeating: -1, count: keys.count)
    for number in first..<first + count {
      shapeTable.append(
        try readShape(&cursor, number: number, lastShapes: &lastShapes, limits: limits))
    }
  }

  private mutating func readShape(
    _ cursor: inout FieldCursor, number: Int, lastShapes: inout [Int], limits: ArchiveLimits
  ) throws(ArchiveError) -> ShapeEntry {
    var (shape, count) = try ShapeEntry.readHead(&cursor)
    guard Int(shape.type) < types.count else {
      throw cursor.error(.damaged, "a shape names a type that is not declared")
    }
    guard count <= limits.slotCount else {
      throw cursor.excess("a record has \(count) keys", .slotCount, limits.slotCount)
    }
    guard shape.enumerationCase < keys.count,
      !shape.isEnumeration || keys[shape.enumerationCase].space == .enumerationCase
    else { throw cursor.error(.damaged, "a shape names a case that is not declared") }
    shape.slots.reserveCapacity(count)
    var rest = count
    var layout = RecordLayout()
    while rest > 0 {
      let slot = try SlotDeclaration.read(&cursor)
      rest -= slot.wordCount
      guard rest >= 0 else { throw cursor.error(.damaged, "a shape ends inside a slot") }
      let key = Int(slot.key)
      guard key < keys.count, keys[key].space == .user || keys[key].space == .reserved else {
        throw cursor.error(.damaged, "a shape names a key that is not declared")
      }
      guard lastShapes[key] < number else {
        throw cursor.error(.duplicateKey, "a shape has the key \"\(keys[key].name)\" twice")
      }
      lastShapes[key] = number
      shape.slots.append(slot)
      if keys[key].space == .reserved {
        layout.hasReservedKey = true
        guard !shape.isEnumeration else {
          throw cursor.error(.damaged, "a shape with a case has a reserved key")
        }
      }
      if slot.cell.isNone {
        _ = layout.add(slot.tag, isNullable: slot.isNullable)
        continue
      }
      let cell = slot.cell.number
      guard cell < number, layouts[cell].isCell, !shapes[cell].isEnumeration else {
        throw cursor.error(.damaged, "a shape has a record in a slot that cannot be stored there")
      }
      _ = layout.add(inline: layouts[cell])
    }
    layouts.append(layout)
    return shape
  }
}

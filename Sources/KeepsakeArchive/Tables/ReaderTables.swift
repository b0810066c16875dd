/// The tables of an opened archive, with the index of the keys of each shape: the complete tables of its footer, or
/// the entries that the segments read so far have declared.
@usableFromInline
package struct ReaderTables: ~Copyable, Sendable {
  private(set) var entries = ArchiveTables()
  /// The shapes; their slices refer to ``rows``.
  private(set) var shapes: RawTable<ShapeRow>
  private var rows: [ShapeRowsOwner] = []
  /// Each key as the index of a shape looks it up.
  private(set) var words: [KeyWord] = []
  private let scopedKeys: ScopedKeys

  var keys: [KeyEntry] {
    _read { yield entries.keys }
  }
  var types: [TypeEntry] {
    _read { yield entries.types }
  }
  var counts: TableCounts { entries.counts }
  var allShapes: RawSlice<ShapeRow> { RawSlice(shapes, 0..<shapes.count) }

  /// The names of the scopes from the outermost to an entry; all callers share one array.
  package func scopeNames(_ number: Int32) -> [String] {
    ScopeNumber.isEntry(Int(number)) ? scopedKeys.scope(Int(number), keys) : []
  }

  /// The names from one scope to another one; nil when that one is not inside it.
  package func scopeNames(from outer: Int32, to inner: Int32) -> [String]? {
    var entry = Int(inner)
    var count = 0
    while ScopeNumber.isEntry(entry), entry != Int(outer) {
      count += 1
      entry = keys[entry].scope
    }
    return ScopeNumber.isEntry(entry) ? scopeNames(inner).suffix(count) : nil
  }

  /// The key of a slot, without its scopes.
  package func key(of row: SlotRow) -> ArchiveKey { keys[Int(row.key)].archiveKey }

  /// The type of the records of a shape, which all of them share; nil for a type without a name and a version.
  package func sharedType(of shape: ShapeRow) -> DynamicType? { types[Int(shape.type)].shared }

  /// The scoped key of an entry; all callers share one object.
  package func scopedKey(_ number: UInt32) -> ScopedKey { scopedKeys.key(Int(number), keys) }

  /// The name of a key or a scope after those of the scopes that contain it.
  package func names(ofKey number: Int) -> [String] {
    scopeNames(Int32(keys[number].scope)) + [keys[number].name]
  }

  /// Tables without entries, to which segments add theirs.
  init() {
    shapes = RawTable()
    scopedKeys = ScopedKeys()
  }

  /// A copy that no longer changes.
  ///
  /// - Complexity: In proportion to the number of shapes; what they refer to is shared.
  init(_ other: borrowing ReaderTables) {
    entries = other.entries
    rows = other.rows
    scopedKeys = other.scopedKeys
    shapes = RawTable(capacity: other.shapes.count, isFixed: true)
    for index in 0..<other.shapes.count { shapes.append(other.shapes[index]) }
  }

  /// Reads the tables of a footer, which begin with their head (Spec/archive.md, 4).
  init(
    _ bytes: ByteRegion, at offset: Int, _ head: TablesHead, limits: ArchiveLimits
  ) throws(ArchiveError) {
    shapes = RawTable(
      capacity: min(head.counts.shapes, head.entriesByteCount / ShapeEntry.headByteCount),
      isFixed: true)
    scopedKeys = ScopedKeys()
    let first = offset + TablesHead.byteCount
    try add(head, from: bytes, at: offset, limits: limits, repeatedKeysAt: first)
  }

  /// Adds the entries that are new in a segment (Spec/archive.md, 3.3).
  ///
  /// The error of a key that is declared twice is placed at an offset, or else at the end of the keys.
  mutating func add(
    _ head: TablesHead, from bytes: ByteRegion, at offset: Int, limits: ArchiveLimits,
    repeatedKeysAt place: Int? = nil
  ) throws(ArchiveError) {
    let first = offset + TablesHead.byteCount
    var cursor = FieldCursor(bytes, at: first, to: first + head.entriesByteCount)
    try entries.readKeys(
      &cursor, count: head.counts.keys, limits: limits, repeatedKeysAt: place)
    try entries.readTypes(&cursor, count: head.counts.types, limits: limits)
    try readShapes(&cursor, count: head.counts.shapes, limits: limits)
    try cursor.finish()
  }

  /// Adds the next shapes, which fill the rest of the cursor's range, and the words of the keys that were declared
  /// with them.
  private mutating func readShapes(
    _ cursor: inout FieldCursor, count: Int, limits: ArchiveLimits
  ) throws(ArchiveError) {
    let (first, byteCount) = (entries.shapes.count, cursor.rest)
    try entries.readShapes(&cursor, count: count, limits: limits)
    // Nothing throws from here on: words and shapes refer to rows that have to stay.
    var rows = ShapeRows(keys: keys[words.count...], byteCount: byteCount)
    words.reserveCapacity(keys.count)
    for entry in keys[words.count...] { words.append(rows.word(of: entry)) }
    for shape in entries.shapes[first...] { shapes.append(makeRow(of: shape, in: &rows)) }
    self.rows.append(ShapeRowsOwner(rows))
  }

  /// Compares two keys: negative when the left one comes first, 0 when they are the same.
  private static func compare(_ left: Int, _ right: Int, _ keys: [KeyEntry]) -> Int {
    var (left, right) = (left, right)
    if left == right { return 0 }
    // Bring both to one depth; if they then are one entry, the deeper key comes later.
    var bias = 0
    while keys[left].depth > keys[right].depth { (left, bias) = (keys[left].scope, 1) }
    while keys[right].depth > keys[left].depth { (right, bias) = (keys[right].scope, -1) }
    if left == right { return bias }
    while keys[left].scope != keys[right].scope {
      (left, right) = (keys[left].scope, keys[right].scope)
      bias = 0
    }
    let (one, other) = (keys[left], keys[right])
    if one.space != other.space { return one.space.rawValue < other.space.rawValue ? -1 : 1 }
    if one.name.bytesPrecede(other.name) { return -1 }
    if other.name.bytesPrecede(one.name) { return 1 }
    return bias
  }

  /// True when one entry is before another one in the order of keys.
  func comes(_ left: Int, before right: Int) -> Bool {
    ReaderTables.compare(left, right, keys) < 0
  }

  /// True when an entry is before a key of a scope in the order of keys.
  func comes(_ entry: Int, before key: ArchiveKey, in scope: Int) -> Bool {
    // Look for the ancestor in the scope. Without one, the entry is before or after all keys of the scope, as it is
    // before or after the scope.
    let depth = ScopeNumber.isEntry(scope) ? keys[scope].depth + 1 : 0
    var ancestor = entry
    while keys[ancestor].depth > depth { ancestor = keys[ancestor].scope }
    guard keys[ancestor].scope == scope else {
      return ScopeNumber.isEntry(scope) ? comes(entry, before: scope) : true
    }
    let space: KeySpace = key.isReserved ? .reserved : .user
    if keys[ancestor].space != space { return keys[ancestor].space.rawValue < space.rawValue }
    return keys[ancestor].name.bytesPrecede(key.name)
  }
}

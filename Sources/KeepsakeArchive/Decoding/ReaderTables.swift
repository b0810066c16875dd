/// The key, type and shape tables of an opened archive: the complete ones of its footer, or what the
/// segments so far have declared.
struct ReaderTables: ~Copyable, Sendable {
  struct Key: Sendable {
    /// The entry of the scope that this one is declared in, or -1 at the top.
    var scope: Int
    var space: KeySpace
    var name: String
    /// How many scopes this entry lies in.
    var depth: Int
  }

  struct TypeName: Sendable {
    var name: String
    var schemaVersion: UInt32
    /// The same for the dynamic view, whose records share it.
    var shared: ArchivedType?
  }

  private(set) var keys: [Key] = []
  private(set) var types: [TypeName] = []
  /// The shapes; their slices are of the rows below.
  private(set) var shapes: RawTable<ShapeRow>
  private var rows: [ShapeRowsOwner] = []
  /// The place of each key in the order of keys, of those that were declared together at first.
  private var ranks: [Int] = []

  var counts: TableCounts {
    TableCounts(keys: keys.count, types: types.count, shapes: shapes.count)
  }

  /// Tables without entries, to which segments add theirs.
  init() {
    shapes = RawTable()
  }

  /// A copy that no longer changes.
  ///
  /// - Complexity: In proportion to the number of shapes; what they refer to is shared.
  init(_ other: borrowing ReaderTables) {
    keys = other.keys
    types = other.types
    rows = other.rows
    ranks = other.ranks
    shapes = RawTable(capacity: other.shapes.count, isFixed: true)
    for index in 0..<other.shapes.count { shapes.append(other.shapes[index]) }
  }

  /// Reads the three tables of a footer (Spec/archive.md, 3.2).
  init(
    _ bytes: ByteRegion, at offset: Int, counts: TableCounts, lengths: TableLengths,
    limits: ArchiveLimits
  ) throws(ArchiveError) {
    shapes = RawTable(
      capacity: min(counts.shapes, lengths.shapes / FormatConstants.shapeHeaderByteCount),
      isFixed: true)
    var cursor = TableCursor(bytes, range: offset..<offset + lengths.keys)
    try readKeys(&cursor, count: counts.keys, limits: limits)
    try cursor.finish()
    try rankKeys(offset: offset)
    let types = offset + lengths.keys
    cursor = TableCursor(bytes, range: types..<types + lengths.types)
    try readTypes(&cursor, count: counts.types, limits: limits)
    try checkTypes(cursor)
    try cursor.finish()
    let shapes = types + lengths.types
    cursor = TableCursor(bytes, range: shapes..<shapes + lengths.shapes)
    try readShapes(&cursor, count: counts.shapes, limits: limits)
    try cursor.finish()
  }

  /// Adds the entries of the next keys, without the padding behind them.
  mutating func readKeys(
    _ cursor: inout TableCursor, count: Int, limits: ArchiveLimits
  ) throws(ArchiveError) {
    let first = keys.count
    guard count <= limits.keyCount - first else {
      throw cursor.error(
        .limitExceeded, "the archive declares \(first + count) keys, more than the limit")
    }
    var lengths: [Int] = []
    try cursor.checkRows(count, byteCount: FormatConstants.nameRowByteCount)
    lengths.reserveCapacity(count)
    for _ in 0..<count {
      let entry = try TableCursor.KeyRow(&cursor)
      var depth = 0
      if entry.scope > 0 {
        guard entry.scope <= keys.count, keys[entry.scope - 1].space == .scope,
          entry.space != .enumerationCase
        else {
          throw cursor.error(.damaged, "a key names a scope that is not declared before it")
        }
        depth = keys[entry.scope - 1].depth + 1
      }
      guard depth <= limits.nestingDepth else {
        throw cursor.error(
          .limitExceeded, "scopes are nested more than \(limits.nestingDepth) deep")
      }
      guard entry.byteCount <= limits.nameByteCount else {
        throw cursor.error(.limitExceeded, "a name is longer than \(limits.nameByteCount) bytes")
      }
      lengths.append(entry.byteCount)
      keys.append(Key(scope: entry.scope - 1, space: entry.space, name: "", depth: depth))
    }
    for (index, length) in lengths.enumerated() {
      keys[first + index].name = try cursor.name(length)
    }
  }

  /// Puts the keys in order, which shows duplicates (Spec/archive.md, 4.2).
  mutating func rankKeys(offset: Int) throws(ArchiveError) {
    let keys = keys
    let order = keys.indices.sorted { ReaderTables.compare($0, $1, keys) < 0 }
    for (left, right) in zip(order, order.dropFirst())
    where ReaderTables.compare(left, right, keys) == 0 {
      throw ArchiveError(
        .duplicateKey, "the key \"\(keys[left].name)\" is declared twice", offset: offset)
    }
    ranks = [Int](repeating: 0, count: keys.count)
    for (rank, index) in order.enumerated() { ranks[index] = rank }
  }

  /// Compares two keys: negative when the left one comes first, 0 when they are the same.
  private static func compare(_ left: Int, _ right: Int, _ keys: [Key]) -> Int {
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

  /// Whether one entry comes before another one in the order of keys.
  func comes(_ left: Int, before right: Int) -> Bool {
    if max(left, right) < ranks.count { return ranks[left] < ranks[right] }
    return ReaderTables.compare(left, right, keys) < 0
  }

  /// Whether an entry comes before a key of a scope in the order of keys.
  func comes(_ entry: Int, before key: ArchiveKey, in scope: Int) -> Bool {
    // The ancestor that lies in the scope, or the side on which the scope does not contain it.
    let depth = scope < 0 ? 0 : keys[scope].depth + 1
    var ancestor = entry
    while keys[ancestor].depth > depth { ancestor = keys[ancestor].scope }
    guard keys[ancestor].scope == scope else {
      return scope < 0 ? true : comes(entry, before: scope)
    }
    let space: KeySpace = key.isReserved ? .reserved : .user
    if keys[ancestor].space != space { return keys[ancestor].space.rawValue < space.rawValue }
    return keys[ancestor].name.bytesPrecede(key.name)
  }

  /// Adds the entries of the next types, without the padding behind them.
  mutating func readTypes(
    _ cursor: inout TableCursor, count: Int, limits: ArchiveLimits
  ) throws(ArchiveError) {
    let first = types.count
    guard count <= limits.typeCount - first else {
      throw cursor.error(
        .limitExceeded, "the archive declares \(first + count) types, more than the limit")
    }
    try cursor.checkRows(count, byteCount: FormatConstants.nameRowByteCount)
    var lengths: [Int] = []
    for _ in 0..<count {
      let length = Int(try cursor.word())
      let version = try cursor.word()
      guard try cursor.longWord() == 0 else {
        throw cursor.error(.nonCanonical, "reserved bytes of a type are not zero")
      }
      guard length <= limits.nameByteCount else {
        throw cursor.error(.limitExceeded, "a name is longer than \(limits.nameByteCount) bytes")
      }
      lengths.append(length)
      types.append(TypeName(name: "", schemaVersion: version))
    }
    for (index, length) in lengths.enumerated() {
      let name = try cursor.name(length)
      types[first + index].name = name
      types[first + index].shared = ArchivedType(name, types[first + index].schemaVersion)
    }
  }

  /// Adds a shape.
  mutating func append(_ shape: ShapeRow) { shapes.append(shape) }

  /// Keeps what shapes refer to.
  mutating func keep(_ rows: consuming ShapeRows) { self.rows.append(ShapeRowsOwner(rows)) }

  private func checkTypes(_ cursor: TableCursor) throws(ArchiveError) {
    let sorted = types.sorted(by: ReaderTables.precedes)
    for (left, right) in zip(sorted, sorted.dropFirst()) where !ReaderTables.precedes(left, right) {
      throw cursor.error(.damaged, "the type \"\(left.name)\" is declared twice")
    }
  }

  private static func precedes(_ left: TypeName, _ right: TypeName) -> Bool {
    if left.name.hasSameBytes(as: right.name) { return left.schemaVersion < right.schemaVersion }
    return left.name.bytesPrecede(right.name)
  }
}

/// How many entries each of the three tables has.
struct TableCounts: Equatable, Sendable {
  var keys = 0
  var types = 0
  var shapes = 0

  static func += (counts: inout TableCounts, more: TableCounts) {
    counts.keys += more.keys
    counts.types += more.types
    counts.shapes += more.shapes
  }
}

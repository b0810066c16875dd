/// The complete key, type and shape tables of an opened archive.
struct ReaderTables: ~Copyable, Sendable {
  struct Key: Sendable {
    /// The entry of the scope that this one is declared in, or -1 at the top.
    var scope: Int
    var space: KeySpace
    var name: String
    /// How many scopes this entry lies in.
    var depth: Int
  }

  struct TypeName: Sendable, Equatable {
    var name: String
    var schemaVersion: UInt32
  }

  private(set) var keys: [Key] = []
  private(set) var types: [TypeName] = []
  /// The shapes; their slices are of the tables below.
  var shapes: RawTable<ShapeRow>
  var slots: RawTable<SlotRow>
  var variables: RawTable<VariableSlot>
  var index: RawTable<UInt16>
  var order: RawTable<UInt32>
  /// The place of each key in the order of keys.
  private(set) var ranks: [Int] = []

  /// Reads the three tables of a footer (Spec/archive.md, 3.2).
  init(
    _ bytes: [UInt8], at offset: Int, counts: TableCounts, lengths: TableLengths,
    limits: ArchiveLimits
  ) throws(ArchiveError) {
    // A slot takes 8 bytes of the table, a shape 16: no table can grow beyond these numbers.
    shapes = RawTable(capacity: min(counts.shapes, lengths.shapes / 16), isFixed: true)
    slots = RawTable(capacity: lengths.shapes / 8, isFixed: true)
    variables = RawTable(capacity: lengths.shapes / 8, isFixed: true)
    index = RawTable(capacity: lengths.shapes, isFixed: true)
    order = RawTable(capacity: lengths.shapes / 8, isFixed: true)
    var cursor = TableCursor(bytes, range: offset..<offset + lengths.keys)
    try readKeys(&cursor, count: counts.keys, limits: limits)
    try rankKeys(offset: offset)
    let types = offset + lengths.keys
    cursor = TableCursor(bytes, range: types..<types + lengths.types)
    try readTypes(&cursor, count: counts.types, limits: limits)
    let shapes = types + lengths.types
    cursor = TableCursor(bytes, range: shapes..<shapes + lengths.shapes)
    try readShapes(&cursor, count: counts.shapes, limits: limits)
  }

  private mutating func readKeys(
    _ cursor: inout TableCursor, count: Int, limits: ArchiveLimits
  ) throws(ArchiveError) {
    guard count <= limits.keyCount else {
      throw cursor.error(.limitExceeded, "the archive declares \(count) keys, more than the limit")
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
    for index in keys.indices {
      keys[index].name = try cursor.name(lengths[index])
    }
    try cursor.finish()
  }

  /// Puts the keys in order, which shows duplicates (Spec/archive.md, 4.2).
  private mutating func rankKeys(offset: Int) throws(ArchiveError) {
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

  /// Whether an entry comes before a key of a scope in the order of keys.
  func comes(_ entry: Int, before key: ArchiveKey, in scope: Int) -> Bool {
    // The ancestor that lies in the scope, or the side on which the scope does not contain it.
    let depth = scope < 0 ? 0 : keys[scope].depth + 1
    var ancestor = entry
    while keys[ancestor].depth > depth { ancestor = keys[ancestor].scope }
    guard keys[ancestor].scope == scope else {
      return scope < 0 ? true : ranks[entry] < ranks[scope]
    }
    let space: KeySpace = key.isReserved ? .reserved : .user
    if keys[ancestor].space != space { return keys[ancestor].space.rawValue < space.rawValue }
    return keys[ancestor].name.bytesPrecede(key.name)
  }

  private mutating func readTypes(
    _ cursor: inout TableCursor, count: Int, limits: ArchiveLimits
  ) throws(ArchiveError) {
    guard count <= limits.typeCount else {
      throw cursor.error(.limitExceeded, "the archive declares \(count) types, more than the limit")
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
    for index in types.indices { types[index].name = try cursor.name(lengths[index]) }
    let sorted = types.sorted(by: ReaderTables.precedes)
    for (left, right) in zip(sorted, sorted.dropFirst()) where !ReaderTables.precedes(left, right) {
      throw cursor.error(.damaged, "the type \"\(left.name)\" is declared twice")
    }
    try cursor.finish()
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
}

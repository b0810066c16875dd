/// The complete key, type and shape tables of an opened archive.
struct ReaderTables: Sendable {
  struct Key: Sendable {
    /// The entry of the scope that this one is declared in, or -1 at the top.
    var scope: Int
    var space: KeySpace
    var name: String
    var identity: StringIdentity
    /// How many scopes this entry lies in.
    var depth: Int
  }

  struct TypeName: Sendable, Equatable {
    var name: String
    var schemaVersion: UInt32
  }

  struct Shape: Sendable {
    var type: Int
    var slots: Range<Int>
    var fixedByteCount: Int
    var bitmapOffset: Int
    var nilBitCount: Int
  }

  struct Slot: Sendable {
    var key: Int
    var offset: Int
    var nilBit: Int
    var tag: ArchiveTag
  }

  private(set) var keys: [Key] = []
  private(set) var types: [TypeName] = []
  private(set) var shapes: [Shape] = []
  /// The slots of all shapes, in key order within each.
  private(set) var slots: [Slot] = []
  /// The place of each key in the order of keys.
  private var ranks: [Int] = []

  /// Reads the three tables of a footer (Spec/archive.md, 4.7).
  init(
    _ bytes: [UInt8], at offset: Int, counts: TableCounts, lengths: TableLengths,
    limits: ArchiveLimits
  ) throws(ArchiveError) {
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
        guard entry.scope <= keys.count, keys[entry.scope - 1].space == .scope else {
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
      keys.append(
        Key(
          scope: entry.scope - 1, space: entry.space, name: "", identity: StringIdentity(""),
          depth: depth))
    }
    for index in keys.indices {
      let name = try cursor.name(lengths[index])
      keys[index].name = name
      keys[index].identity = StringIdentity(name)
    }
    try cursor.finish()
  }

  /// Puts the keys in order, which shows duplicates (Spec/archive.md, 4.3).
  private mutating func rankKeys(offset: Int) throws(ArchiveError) {
    let order = keys.indices.sorted { compare($0, $1) < 0 }
    for (left, right) in zip(order, order.dropFirst()) where compare(left, right) == 0 {
      throw ArchiveError(
        .duplicateKey, "the key \"\(keys[left].name)\" is declared twice", offset: offset)
    }
    ranks = [Int](repeating: 0, count: keys.count)
    for (rank, index) in order.enumerated() { ranks[index] = rank }
  }

  /// Compares two keys: negative when the left one comes first, 0 when they are the same.
  private func compare(_ left: Int, _ right: Int) -> Int {
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
    let sorted = types.indices.sorted { precedes($0, $1) }
    for (left, right) in zip(sorted, sorted.dropFirst()) where !precedes(left, right) {
      throw cursor.error(.damaged, "the type \"\(types[left].name)\" is declared twice")
    }
    try cursor.finish()
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    if types[left].name.hasSameBytes(as: types[right].name) {
      return types[left].schemaVersion < types[right].schemaVersion
    }
    return types[left].name.bytesPrecede(types[right].name)
  }

  private mutating func readShapes(
    _ cursor: inout TableCursor, count: Int, limits: ArchiveLimits
  ) throws(ArchiveError) {
    guard count <= limits.shapeCount else {
      throw cursor.error(
        .limitExceeded, "the archive declares \(count) shapes, more than the limit")
    }
    try cursor.checkRows(count, byteCount: FormatConstants.shapeHeaderByteCount)
    shapes.reserveCapacity(count)
    for _ in 0..<count { try readShape(&cursor, limits: limits) }
    try cursor.finish()
  }

  private mutating func readShape(
    _ cursor: inout TableCursor, limits: ArchiveLimits
  ) throws(ArchiveError) {
    let type = Int(try cursor.word())
    guard type < types.count else {
      throw cursor.error(.damaged, "a shape names a type that is not declared")
    }
    let count = Int(try cursor.word())
    guard count <= limits.slotCount else {
      throw cursor.error(.limitExceeded, "a shape has \(count) keys, more than the limit")
    }
    try cursor.checkRows(count, byteCount: FormatConstants.slotRowByteCount)
    var declarations: [SlotDeclaration] = []
    declarations.reserveCapacity(count)
    var lastRank = -1
    for _ in 0..<count {
      let slot = try TableCursor.slot(&cursor)
      guard slot.key < keys.count, keys[Int(slot.key)].space != .scope else {
        throw cursor.error(.damaged, "a shape names a key that is not declared")
      }
      let rank = ranks[Int(slot.key)]
      guard rank > lastRank else {
        throw cursor.error(.damaged, "the keys of a shape are not in strictly increasing order")
      }
      lastRank = rank
      declarations.append(slot)
    }
    let layout = RecordLayout(slots: declarations)
    let first = slots.count
    for (index, slot) in declarations.enumerated() {
      slots.append(
        Slot(
          key: Int(slot.key), offset: layout.offsets[index], nilBit: layout.nilBits[index],
          tag: slot.tag))
    }
    shapes.append(
      Shape(
        type: type, slots: first..<slots.count, fixedByteCount: layout.fixedByteCount,
        bitmapOffset: layout.bitmapOffset, nilBitCount: layout.nilBitCount))
  }
}

/// How many entries each of the three tables has.
struct TableCounts: Equatable, Sendable {
  var keys = 0
  var types = 0
  var shapes = 0
}

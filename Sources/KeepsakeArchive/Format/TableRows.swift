// The rows of the three tables (Spec/archive.md, 4.2 to 4.4).

/// What an entry of the key table names (Spec/archive.md, 4.2).
enum KeySpace: UInt8 {
  /// A key that the application chose.
  case user = 0
  /// A key that Keepsake defines.
  case reserved = 1
  /// A scope that other entries are declared in.
  case scope = 2
  /// A case of an enumeration.
  case enumerationCase = 3
}

/// A key, a scope or a case: an entry of the key table (Spec/archive.md, 4.2).
struct KeyEntry: Sendable {
  static let rowByteCount = 16

  /// The entry of the scope that this one is declared in, or -1 at the top.
  var scope: Int
  var space: KeySpace
  var name: String
  /// How many scopes this entry lies in, which follows from the scope.
  var depth: Int

  /// Writes the row; the names come after all rows.
  func writeRow(to bytes: inout ByteBuffer) {
    bytes.append(UInt32(truncatingIfNeeded: scope + 1))
    bytes.append(UInt32(truncatingIfNeeded: name.utf8.count))
    // The namespace is one byte; the seven after it are zero.
    bytes.append(UInt64(space.rawValue))
  }

  /// Reads a row, without the name; the depth is left to whoever knows the scope.
  static func readRow(
    _ cursor: inout TableCursor
  ) throws(ArchiveError) -> (entry: KeyEntry, nameByteCount: Int) {
    let scope = Int(try cursor.word()) - 1
    let length = Int(try cursor.word())
    let raw = try cursor.longWord()
    guard raw <= UInt64(UInt8.max), let space = KeySpace(rawValue: UInt8(raw)) else {
      throw cursor.error(.damaged, "a key is of an unknown namespace")
    }
    return (KeyEntry(scope: scope, space: space, name: "", depth: 0), length)
  }

  /// The key that an entry which is no scope and no case stands for.
  @inline(__always)
  var archiveKey: ArchiveKey { space == .user ? ArchiveKey(name) : ArchiveKey(reserved: name) }
}

extension KeyEntry: Hashable {
  static func == (left: KeyEntry, right: KeyEntry) -> Bool {
    left.scope == right.scope && left.space == right.space
      && left.name.hasSameBytes(as: right.name)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(scope)
    hasher.combine(space)
    name.hashBytes(into: &hasher)
  }
}

/// The name and the version of a type: an entry of the type table (Spec/archive.md, 4.3).
struct TypeEntry: Sendable {
  static let rowByteCount = 16

  var name: String
  var schemaVersion: UInt32
  /// The same for the dynamic view, whose records share it.
  var shared: ArchivedType?

  /// Writes the row; the names come after all rows.
  func writeRow(to bytes: inout ByteBuffer) {
    bytes.append(UInt32(truncatingIfNeeded: name.utf8.count))
    bytes.append(schemaVersion)
    bytes.append(0 as UInt64)
  }

  /// Reads a row, without the name.
  static func readRow(
    _ cursor: inout TableCursor
  ) throws(ArchiveError) -> (entry: TypeEntry, nameByteCount: Int) {
    let length = Int(try cursor.word())
    let version = try cursor.word()
    guard try cursor.longWord() == 0 else {
      throw cursor.error(.damaged, "reserved bytes of a type are not zero")
    }
    return (TypeEntry(name: "", schemaVersion: version), length)
  }

  static func precedes(_ left: TypeEntry, _ right: TypeEntry) -> Bool {
    if left.name.hasSameBytes(as: right.name) { return left.schemaVersion < right.schemaVersion }
    return left.name.bytesPrecede(right.name)
  }
}

extension TypeEntry: Hashable {
  static func == (left: TypeEntry, right: TypeEntry) -> Bool {
    left.schemaVersion == right.schemaVersion && left.name.hasSameBytes(as: right.name)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(schemaVersion)
    name.hashBytes(into: &hasher)
  }
}

/// A type with a list of slots: an entry of the shape table (Spec/archive.md, 4.4).
struct ShapeEntry: Hashable, Sendable {
  static let headByteCount = 16
  /// The most shapes: a number of one has 30 bits.
  static let largestCount = 1 << 30

  var type: UInt32
  /// The entry of the case, or -1 for a record that is no enumeration.
  var enumerationCase: Int
  var slots: [SlotDeclaration]

  func write(to bytes: inout ByteBuffer) {
    bytes.append(type)
    bytes.append(UInt32(truncatingIfNeeded: slots.count))
    bytes.append(UInt32(truncatingIfNeeded: enumerationCase + 1))
    bytes.append(0 as UInt32)
    for slot in slots { slot.writeRow(to: &bytes) }
  }

  /// Reads what a shape begins with, and how many slots follow.
  static func readHead(
    _ cursor: inout TableCursor
  ) throws(ArchiveError) -> (shape: ShapeEntry, slotCount: Int) {
    let type = try cursor.word()
    let count = Int(try cursor.word())
    let enumerationCase = Int(try cursor.word()) - 1
    guard try cursor.word() == 0 else {
      throw cursor.error(.damaged, "reserved bytes of a shape are not zero")
    }
    return (ShapeEntry(type: type, enumerationCase: enumerationCase, slots: []), count)
  }
}

/// One slot of a shape: the key it stands for and how its value is written.
struct SlotDeclaration: Hashable, BitwiseCopyable, Sendable {
  static let rowByteCount = 8

  var key: UInt32
  var tag: ArchiveTag
  var isNullable: Bool

  func writeRow(to bytes: inout ByteBuffer) {
    bytes.append(key)
    // The tag, the flag that nil is allowed, and two bytes of zero.
    bytes.append(UInt32(tag.rawValue) | (isNullable ? 1 << 8 : 0))
  }

  static func readRow(_ cursor: inout TableCursor) throws(ArchiveError) -> SlotDeclaration {
    let key = try cursor.word()
    let rest = try cursor.word()
    let tag = ArchiveTag(rawValue: UInt8(truncatingIfNeeded: rest))
    guard tag.isWellFormed, tag != .any, rest >> 8 <= 1, tag != .null || rest >> 8 == 1 else {
      throw cursor.error(.damaged, "a shape has a slot of a kind and width that cannot be")
    }
    return SlotDeclaration(key: key, tag: tag, isNullable: rest >> 8 == 1)
  }
}

/// How many entries each of the three tables has.
struct TableCounts: Equatable, Sendable {
  var keys = 0
  var types = 0
  var shapes = 0

  static func + (left: TableCounts, right: TableCounts) -> TableCounts {
    TableCounts(
      keys: left.keys + right.keys, types: left.types + right.types,
      shapes: left.shapes + right.shapes)
  }

  static func - (left: TableCounts, right: TableCounts) -> TableCounts {
    TableCounts(
      keys: left.keys - right.keys, types: left.types - right.types,
      shapes: left.shapes - right.shapes)
  }
}

extension TableCounts {
  func write(to bytes: inout ByteBuffer) {
    for count in [keys, types, shapes] { bytes.append(UInt32(truncatingIfNeeded: count)) }
  }

  /// Reads the next three fields of a part; nil when the bytes end before.
  init?(_ fields: inout FieldCursor) {
    guard let keys: UInt32 = fields.next(), let types: UInt32 = fields.next(),
      let shapes: UInt32 = fields.next()
    else { return nil }
    self.init(keys: Int(keys), types: Int(types), shapes: Int(shapes))
  }
}

/// The bytes that each of the three tables takes, with its padding.
struct TableLengths: Equatable, Sendable {
  var keys = 0
  var types = 0
  var shapes = 0

  var total: Int { keys + types + shapes }
}

// The entries of the tables of keys and of types (Spec/archive.md, 4.1 and 4.2).

/// The kind of name in an entry of the key table (Spec/archive.md, 4.1).
enum KeySpace: UInt8 {
  /// A key that the application chose.
  case user = 0
  /// A key that Keepsake defines.
  case reserved = 1
  /// A scope that other entries are declared in.
  case scope = 2
  case enumerationCase = 3
}

/// The length of a name in a row of the key table or the type table, stored in one byte or two.
struct NameLength {
  /// The bit of a row whose length is stored in two bytes.
  static let longFlag: UInt8 = 1 << 3
  static let largest = 65_535

  var byteCount: Int
  var isLong: Bool

  init(_ name: String) {
    byteCount = name.utf8.count
    isLong = byteCount > UInt8.max
  }

  /// Reads the length after a row's flags.
  init(_ cursor: inout FieldCursor, isLong: Bool) throws(ArchiveError) {
    self.isLong = isLong
    byteCount = isLong ? Int(try cursor.read(UInt16.self)) : Int(try cursor.read(UInt8.self))
  }

  func write(to bytes: inout ByteBuffer) {
    if isLong {
      bytes.append(UInt16(byteCount))
    } else {
      bytes.append(UInt8(byteCount))
    }
  }
}

/// A key, a scope or a case: an entry of the key table (Spec/archive.md, 4.1).
struct KeyEntry: Sendable {
  /// The size of an entry without its name: its flags and the length of the name.
  static let leastByteCount = 2
  /// The maximum number of entries: the number of an entry has 20 bits.
  static let largestCount = 1 << 20
  private static let scopedFlag: UInt8 = 1 << 2

  /// The entry of the scope that this one is declared in, or ``topScope``.
  var scope: Int

  /// The value of ``scope`` for an unscoped key.
  static var topScope: Int { -1 }

  var isScoped: Bool { scope != KeyEntry.topScope }

  var space: KeySpace
  var name: String
  /// The number of scopes around this entry, which follows from ``scope``.
  var depth: Int

  func write(to bytes: inout ByteBuffer) {
    let length = NameLength(name)
    bytes.append(
      space.rawValue | (isScoped ? KeyEntry.scopedFlag : 0)
        | (length.isLong ? NameLength.longFlag : 0))
    length.write(to: &bytes)
    if isScoped { bytes.append(UInt32(scope)) }
    bytes.append(utf8: name)
  }

  /// Reads the part before the name; the caller, who knows the scope, sets the depth.
  static func readHead(
    _ cursor: inout FieldCursor
  ) throws(ArchiveError) -> (entry: KeyEntry, name: NameLength) {
    let flags = try cursor.read(UInt8.self)
    guard flags >> 4 == 0, let space = KeySpace(rawValue: flags & 3) else {
      throw cursor.error(.damaged, "a key has flags that are not zero")
    }
    let length = try NameLength(&cursor, isLong: flags & NameLength.longFlag != 0)
    let scope = flags & scopedFlag == 0 ? topScope : Int(try cursor.read(UInt32.self))
    return (KeyEntry(scope: scope, space: space, name: "", depth: 0), length)
  }

  /// The key of an entry that is neither a scope nor a case.
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

/// The name and the version of a type: an entry of the type table (Spec/archive.md, 4.2).
struct TypeEntry: Sendable {
  /// The size of an entry without its name: its flags and the length of the name.
  static let leastByteCount = 2
  /// The maximum number of entries: the number of an entry has 16 bits.
  static let largestCount = 1 << 16
  private static let versionFlag: UInt8 = 1

  var name: String
  var schemaVersion: UInt32
  /// The name and the version for the dynamic view, whose records share them.
  var shared: DynamicType?

  func write(to bytes: inout ByteBuffer) {
    let length = NameLength(name)
    bytes.append(
      (schemaVersion != 0 ? TypeEntry.versionFlag : 0) | (length.isLong ? NameLength.longFlag : 0))
    length.write(to: &bytes)
    if schemaVersion != 0 { bytes.append(schemaVersion) }
    bytes.append(utf8: name)
  }

  static func readHead(
    _ cursor: inout FieldCursor
  ) throws(ArchiveError) -> (entry: TypeEntry, name: NameLength) {
    let flags = try cursor.read(UInt8.self)
    guard flags & ~(versionFlag | NameLength.longFlag) == 0 else {
      throw cursor.error(.damaged, "a type has flags that are not zero")
    }
    let length = try NameLength(&cursor, isLong: flags & NameLength.longFlag != 0)
    let version = flags & versionFlag == 0 ? 0 : try cursor.read(UInt32.self)
    return (TypeEntry(name: "", schemaVersion: version), length)
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

/// The name and the version of a type, in one object; a record without them needs no allocation to fit into a value.
package final class DynamicType: Sendable {
  package let name: String
  package let schemaVersion: UInt32
  /// The slots of a record that have no values.
  package let absent: [AbsentSlot]

  /// Returns nil for a type without a name, a version and absent slots.
  package init?(_ name: String, _ schemaVersion: UInt32, absent: [AbsentSlot] = []) {
    if name.isEmpty, schemaVersion == 0, absent.isEmpty { return nil }
    self.name = name
    self.schemaVersion = schemaVersion
    self.absent = absent
  }
}

/// A slot of a record without a value, because a nil was omitted (Spec/archive.md, 5.3).
///
/// It is not a field of the record. It is written again unchanged, unless a field has its key.
package struct AbsentSlot: Sendable {
  /// The index of the field that follows the slot.
  package var index: Int
  package var scope: [String]
  package var key: ArchiveKey
  package var tag: ArchiveTag

  package init(index: Int, scope: [String], key: ArchiveKey, tag: ArchiveTag) {
    self.index = index
    self.scope = scope
    self.key = key
    self.tag = tag
  }
}

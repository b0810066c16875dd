// The entries of the three tables (Spec/archive.md, 4.1 to 4.3).

/// What an entry of the key table names (Spec/archive.md, 4.1).
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

/// The length of a name in a row of the key table or the type table, and whether it is written in two
/// bytes.
struct NameLength {
  /// The bit of a row whose name has a length of two bytes.
  static let longFlag: UInt8 = 1 << 3
  /// The longest name.
  static let largest = 65_535

  var byteCount: Int
  var isLong: Bool

  /// Whether two bytes are needed.
  var isNarrowest: Bool { isLong == (byteCount > UInt8.max) }

  init(_ name: String) {
    byteCount = name.utf8.count
    isLong = byteCount > UInt8.max
  }

  /// Reads the length after a row's flags.
  init(_ cursor: inout TableCursor, isLong: Bool) throws(ArchiveError) {
    self.isLong = isLong
    byteCount = isLong ? Int(try cursor.next(UInt16.self)) : Int(try cursor.next(UInt8.self))
  }

  func write(to bytes: inout ByteBuffer) {
    if isLong {
      bytes.append(UInt16(truncatingIfNeeded: byteCount))
    } else {
      bytes.append(UInt8(truncatingIfNeeded: byteCount))
    }
  }
}

/// A key, a scope or a case: an entry of the key table (Spec/archive.md, 4.1).
struct KeyEntry: Sendable {
  /// The flags and the length of the name.
  static let leastByteCount = 2
  /// The most entries: a number of one has 20 bits.
  static let largestCount = 1 << 20
  private static let scopedFlag: UInt8 = 1 << 2

  /// The entry of the scope that this one is declared in, or -1 at the top.
  var scope: Int
  var space: KeySpace
  var name: String
  /// How many scopes this entry lies in, which follows from the scope.
  var depth: Int

  func write(to bytes: inout ByteBuffer) {
    let length = NameLength(name)
    bytes.append(
      space.rawValue | (scope >= 0 ? KeyEntry.scopedFlag : 0)
        | (length.isLong ? NameLength.longFlag : 0))
    length.write(to: &bytes)
    if scope >= 0 { bytes.append(UInt32(truncatingIfNeeded: scope)) }
    bytes.append(utf8: name)
  }

  /// Reads what comes before the name; the depth is left to whoever knows the scope.
  static func readHead(
    _ cursor: inout TableCursor
  ) throws(ArchiveError) -> (entry: KeyEntry, name: NameLength) {
    let flags = try cursor.next(UInt8.self)
    guard flags >> 4 == 0, let space = KeySpace(rawValue: flags & 3) else {
      throw cursor.error(.damaged, "a key has flags that are not zero")
    }
    let length = try NameLength(&cursor, isLong: flags & NameLength.longFlag != 0)
    let scope = flags & scopedFlag == 0 ? -1 : Int(try cursor.next(UInt32.self))
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

/// The name and the version of a type: an entry of the type table (Spec/archive.md, 4.2).
struct TypeEntry: Sendable {
  /// The flags and the length of the name.
  static let leastByteCount = 2
  /// The most entries: a number of one has 16 bits.
  static let largestCount = 1 << 16
  private static let versionFlag: UInt8 = 1

  var name: String
  var schemaVersion: UInt32
  /// The same for the dynamic view, whose records share it.
  var shared: ArchivedType?

  func write(to bytes: inout ByteBuffer) {
    let length = NameLength(name)
    bytes.append(
      (schemaVersion != 0 ? TypeEntry.versionFlag : 0) | (length.isLong ? NameLength.longFlag : 0))
    length.write(to: &bytes)
    if schemaVersion != 0 { bytes.append(schemaVersion) }
    bytes.append(utf8: name)
  }

  /// Reads what comes before the name, and whether the version is there only if it is needed.
  static func readHead(
    _ cursor: inout TableCursor
  ) throws(ArchiveError) -> (entry: TypeEntry, name: NameLength, isShortest: Bool) {
    let flags = try cursor.next(UInt8.self)
    guard flags & ~(versionFlag | NameLength.longFlag) == 0 else {
      throw cursor.error(.damaged, "a type has flags that are not zero")
    }
    let length = try NameLength(&cursor, isLong: flags & NameLength.longFlag != 0)
    let version = flags & versionFlag == 0 ? 0 : try cursor.next(UInt32.self)
    return (
      TypeEntry(name: "", schemaVersion: version), length,
      flags & versionFlag == 0 || version != 0
    )
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

/// A type with a list of slots: an entry of the shape table (Spec/archive.md, 4.3).
@usableFromInline
struct ShapeEntry: Hashable, Sendable {
  static let headByteCount = 4
  static let wordByteCount = 4
  /// The most shapes: a number of one has 30 bits.
  static let largestCount = 1 << 30
  /// The most words, one for each slot and one for the case.
  static let largestWordCount = 65_535
  /// From so many shapes on no new one is made that has records in its slots (Spec/archive.md, 5.4).
  @usableFromInline static var inlineCount: Int { 4_096 }

  var type: UInt32
  /// The entry of the case, or -1 for a record that is no enumeration.
  var enumerationCase: Int
  var slots: [SlotDeclaration]

  /// Whether a slot has a record in it.
  var hasInline: Bool { slots.contains { $0.cell >= 0 } }

  /// How many words the entry has.
  var wordCount: Int {
    slots.reduce(slots.count + (enumerationCase >= 0 ? 1 : 0)) { $0 + ($1.cell >= 0 ? 1 : 0) }
  }

  func write(to bytes: inout ByteBuffer) {
    bytes.append(UInt16(truncatingIfNeeded: type))
    bytes.append(UInt16(truncatingIfNeeded: wordCount))
    if enumerationCase >= 0 {
      bytes.append(SlotDeclaration.caseTag | UInt32(truncatingIfNeeded: enumerationCase) << 12)
    }
    for slot in slots { slot.write(to: &bytes) }
  }

  /// Reads what a shape begins with, and how many slots follow.
  static func readHead(
    _ cursor: inout TableCursor
  ) throws(ArchiveError) -> (shape: ShapeEntry, slotCount: Int) {
    let type = try cursor.next(UInt16.self)
    let count = Int(try cursor.next(UInt16.self))
    var shape = ShapeEntry(type: UInt32(type), enumerationCase: -1, slots: [])
    try cursor.checkRows(count, byteCount: wordByteCount)
    guard count > 0, try cursor.peek() & 0xFF == SlotDeclaration.caseTag else {
      return (shape, count)
    }
    let word = try cursor.next(UInt32.self)
    guard word & 0xFFF == SlotDeclaration.caseTag else {
      throw cursor.error(.damaged, "the case of a shape has flags that are not zero")
    }
    shape.enumerationCase = Int(word >> 12)
    return (shape, count - 1)
  }
}

/// One slot of a shape: the key it stands for and how its value is written.
struct SlotDeclaration: BitwiseCopyable, Sendable {
  /// What the word of a case has in the place of a tag.
  static let caseTag: UInt32 = 0x80
  private static let nullableFlag: UInt32 = 1 << 8
  private static let omitsNilFlag: UInt32 = 1 << 9

  var key: UInt32
  var tag: ArchiveTag
  var isNullable: Bool
  /// The number of the shape of a record that lies in the slot, else -1.
  var cell: Int32 = -1

  /// Whether a nil means that there is no value under the key (Spec/archive.md, 5.3).
  var omitsNil = false

  func write(to bytes: inout ByteBuffer) {
    bytes.append(
      UInt32(tag.rawValue) | (isNullable ? SlotDeclaration.nullableFlag : 0)
        | (omitsNil ? SlotDeclaration.omitsNilFlag : 0) | key << 12)
    if cell >= 0 { bytes.append(cell) }
  }

  static func read(_ cursor: inout TableCursor) throws(ArchiveError) -> SlotDeclaration {
    let word = try cursor.next(UInt32.self)
    let tag = ArchiveTag(rawValue: UInt8(truncatingIfNeeded: word))
    let isNullable = word & nullableFlag != 0
    if word & 0xFFF == UInt32(ArchiveTag.inline.rawValue) {
      let cell = try cursor.next(UInt32.self)
      guard Int(cell) < ShapeEntry.largestCount else {
        throw cursor.error(.damaged, "a shape has a record of a shape that is not declared")
      }
      return SlotDeclaration(key: word >> 12, tag: tag, isNullable: false, cell: Int32(cell))
    }
    let omitsNil = word & omitsNilFlag != 0
    guard tag.isWellFormed, tag != .any, word >> 10 & 3 == 0,
      isNullable || tag != .null && !omitsNil
    else {
      throw cursor.error(.damaged, "a shape has a slot of a kind and width that cannot be")
    }
    return SlotDeclaration(key: word >> 12, tag: tag, isNullable: isNullable, omitsNil: omitsNil)
  }
}

extension SlotDeclaration: Hashable {
  /// Everything but the record in the slot in one word: every new shape is compared with the others.
  private var word: UInt64 {
    let flags = (isNullable ? 1 as UInt64 : 0) | (omitsNil ? 2 : 0)
    return UInt64(key) << 32 | flags << 8 | UInt64(tag.rawValue)
  }

  static func == (left: SlotDeclaration, right: SlotDeclaration) -> Bool {
    left.word == right.word && left.cell == right.cell
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(word)
    if cell >= 0 { hasher.combine(cell) }
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
    bytes.append(UInt32(truncatingIfNeeded: keys))
    bytes.append(UInt32(truncatingIfNeeded: types))
    bytes.append(UInt32(truncatingIfNeeded: shapes))
  }

  /// Reads the next three fields of a part; nil when the bytes end before.
  init?(_ fields: inout FieldCursor) {
    guard let keys: UInt32 = fields.next(), let types: UInt32 = fields.next(),
      let shapes: UInt32 = fields.next()
    else { return nil }
    self.init(keys: Int(keys), types: Int(types), shapes: Int(shapes))
  }
}

/// The name and the version of a type, in one object: so a record without them is small enough to lie
/// in a value without an allocation of its own.
final class ArchivedType: Sendable {
  let name: String
  let schemaVersion: UInt32
  /// The slots of a record that has no values in them.
  let absent: [AbsentSlot]

  var hasAbsentSlots: Bool { !absent.isEmpty }

  /// Nil for a type without name and version, unless it has slots.
  init?(_ name: String, _ schemaVersion: UInt32, absent: [AbsentSlot] = []) {
    if name.isEmpty, schemaVersion == 0, absent.isEmpty { return nil }
    self.name = name
    self.schemaVersion = schemaVersion
    self.absent = absent
  }
}

/// A slot of a record that has no value in it, since a nil was left out (Spec/archive.md, 5.3).
///
/// It is no field of the record, and is written again as it was if nothing takes its key.
struct AbsentSlot: Sendable {
  /// Which field it lies before.
  var index: Int
  var scope: [String]
  var key: ArchiveKey
  var tag: ArchiveTag
}

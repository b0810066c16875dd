/// A type with a list of slots: an entry of the shape table (Spec/archive.md, 4.3).
@usableFromInline
struct ShapeEntry: Hashable, Sendable {
  static let headByteCount = 4
  static let wordByteCount = 4
  /// The maximum number of shapes: the number of a shape has 30 bits.
  static let largestCount = 1 << 30
  /// The maximum number of words, one for each slot and one for the case.
  static let largestWordCount = 65_535
  /// The number of shapes from which on no new shape has records in its slots (Spec/archive.md, 5.4).
  @usableFromInline static var inlineCount: Int { 4_096 }

  var type: UInt32
  /// The key entry of the case, or ``noCase``.
  var enumerationCase: Int
  var slots: [SlotDeclaration]

  /// The value of ``enumerationCase`` for a record that is not an enumeration.
  static var noCase: Int { -1 }

  var isEnumeration: Bool { enumerationCase != ShapeEntry.noCase }

  var hasInline: Bool { slots.contains { !$0.cell.isNone } }

  var wordCount: Int { slots.reduce(isEnumeration ? 1 : 0) { $0 + $1.wordCount } }

  func write(to bytes: inout ByteBuffer) {
    // The writer has refused more types or words (`checkTableSizes`, `advance`).
    bytes.append(UInt16(type))
    bytes.append(UInt16(wordCount))
    if isEnumeration {
      bytes.append(SlotDeclaration.caseTag | UInt32(enumerationCase) << 12)
    }
    for slot in slots { slot.write(to: &bytes) }
  }

  /// Reads the start of a shape, and how many slots follow.
  static func readHead(
    _ cursor: inout FieldCursor
  ) throws(ArchiveError) -> (shape: ShapeEntry, slotCount: Int) {
    let type = try cursor.read(UInt16.self)
    let count = Int(try cursor.read(UInt16.self))
    var shape = ShapeEntry(type: UInt32(type), enumerationCase: noCase, slots: [])
    try cursor.checkRows(count, byteCount: wordByteCount)
    var ahead = cursor
    guard count > 0, try ahead.read(UInt32.self) & 0xFF == SlotDeclaration.caseTag else {
      return (shape, count)
    }
    let word = try cursor.read(UInt32.self)
    guard word & 0xFFF == SlotDeclaration.caseTag else {
      throw cursor.error(.damaged, "the case of a shape has flags that are not zero")
    }
    shape.enumerationCase = Int(word >> 12)
    return (shape, count - 1)
  }
}

/// One slot of a shape: its key, and how its value is written.
struct SlotDeclaration: Hashable, BitwiseCopyable, Sendable {
  /// The value that the word of a case has in place of a tag.
  static let caseTag: UInt32 = 0x80
  private static let nullableFlag: UInt32 = 1 << 8
  private static let omitsNilFlag: UInt32 = 1 << 9

  var key: UInt32
  var tag: ArchiveTag
  var isNullable: Bool
  /// The shape of a record that is stored in the slot.
  var cell = OptionalShape.none

  /// True when a nil means that there is no value under the key (Spec/archive.md, 5.3).
  var omitsNil = false

  /// The words of the shape that the slot takes.
  var wordCount: Int { cell.isNone ? 1 : 2 }

  func write(to bytes: inout ByteBuffer) {
    bytes.append(
      UInt32(tag.rawValue) | (isNullable ? SlotDeclaration.nullableFlag : 0)
        | (omitsNil ? SlotDeclaration.omitsNilFlag : 0) | key << 12)
    if !cell.isNone { bytes.append(UInt32(cell.number)) }
  }

  static func read(_ cursor: inout FieldCursor) throws(ArchiveError) -> SlotDeclaration {
    let word = try cursor.read(UInt32.self)
    let tag = ArchiveTag(rawValue: UInt8(truncatingIfNeeded: word))
    let isNullable = word & nullableFlag != 0
    if word & 0xFFF == UInt32(ArchiveTag.inline.rawValue) {
      let cell = try cursor.read(UInt32.self)
      guard Int(cell) < ShapeEntry.largestCount else {
        throw cursor.error(.damaged, "a shape has a record of a shape that is not declared")
      }
      return SlotDeclaration(
        key: word >> 12, tag: tag, isNullable: false, cell: OptionalShape(Int(cell)))
    }
    let omitsNil = word & omitsNilFlag != 0
    guard tag.isWellFormed, tag != .any, word >> 10 & 3 == 0,
      isNullable || tag != .null && !omitsNil
    else {
      throw cursor.error(.damaged, "a slot of a shape has a kind and width that do not exist")
    }
    return SlotDeclaration(key: word >> 12, tag: tag, isNullable: isNullable, omitsNil: omitsNil)
  }
}

/// The number of a shape, or ``none``.
@usableFromInline
package struct OptionalShape: Hashable, BitwiseCopyable, Sendable {
  @usableFromInline let rawValue: Int32

  @inlinable
  init(rawValue: Int32) { self.rawValue = rawValue }

  init(_ number: Int) { rawValue = Int32(number) }

  /// The sentinel for no shape, for a shape without a number yet, and for several shapes.
  @inlinable static var none: OptionalShape { OptionalShape(rawValue: -1) }

  @inlinable package var isNone: Bool { rawValue < 0 }

  /// The number, for callers that have looked at ``isNone``.
  @inlinable package var number: Int { Int(rawValue) }

  /// True when there is a shape, and its number is below a limit.
  @inlinable
  func isBelow(_ limit: Int) -> Bool { UInt32(bitPattern: rawValue) < UInt32(limit) }

  /// True when records of the shape may be stored in slots, as far as the number says (Spec/archive.md, 5.4).
  @inlinable var isLowEnoughForSlots: Bool { Int(rawValue) < ShapeEntry.inlineCount }
}

/// The part of the form of a value that its container states, and the value does not repeat: the shape of a record or
/// an enumeration, or the tag of the numbers of a row.
///
/// The tag of the value tells which of the two is meant: a row is an array.
@usableFromInline
package struct StatedContent: BitwiseCopyable, Sendable {
  @usableFromInline let rawValue: Int32

  @inlinable
  init(rawValue: Int32) { self.rawValue = rawValue }

  /// The content of a value in a slot, which states the shape of a record that is stored there.
  @inlinable
  package init(_ shape: OptionalShape) { rawValue = shape.rawValue }

  /// Records or enumerations of one shape, by its number.
  package init(shape number: Int) { rawValue = Int32(truncatingIfNeeded: number) }

  /// Rows of numbers of one tag.
  init(numbers tag: ArchiveTag) { rawValue = Int32(tag.rawValue) }

  /// The content where the container states nothing.
  @inlinable package static var none: StatedContent { StatedContent(rawValue: -1) }

  @inlinable package var isStated: Bool { rawValue >= 0 }

  /// The number of the shape, for callers that have looked at ``isStated`` and at the tag.
  @inlinable package var shape: Int { Int(rawValue) }

  /// The tag of the numbers of a row, for callers that have looked at ``isStated`` and at the tag.
  @inlinable package var numbers: ArchiveTag {
    ArchiveTag(rawValue: UInt8(truncatingIfNeeded: rawValue))
  }
}

/// The number of entries of each of the three tables.
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
    bytes.append(UInt32(keys))
    bytes.append(UInt32(types))
    bytes.append(UInt32(shapes))
  }

  /// Reads the next three fields of a part; nil when the bytes end before the third does.
  init?(_ fields: inout FieldCursor) {
    guard let keys: UInt32 = fields.next(), let types: UInt32 = fields.next(),
      let shapes: UInt32 = fields.next()
    else { return nil }
    self.init(keys: Int(keys), types: Int(types), shapes: Int(shapes))
  }
}

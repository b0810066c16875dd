/// One slot of a shape, in the form that readers use.
@usableFromInline
package struct SlotRow: BitwiseCopyable, Sendable {
  /// The bits of a short name of an ordinary key; the bits of no string for any other.
  @usableFromInline var identity: StringIdentity
  /// The bytes of a longer name of an ordinary key; empty for any other.
  var name: RawSlice<UInt8>
  /// The entry of the scope that the key is declared in, ``KeyEntry/topScope`` or ``ScopeNumber/none``.
  @usableFromInline package var scope: Int32
  @usableFromInline package var key: UInt32
  @usableFromInline package var placement: RecordLayout.Placement
  /// The shape of a record that is stored in the slot.
  @usableFromInline package var cell: OptionalShape
  /// The number of bytes of a record that is stored in the slot.
  @usableFromInline var byteCount: UInt16
  /// The tag in the lower byte, with flags above it, so that one comparison is enough for most values.
  @usableFromInline package var traits: UInt16

  @inlinable package var tag: ArchiveTag { ArchiveTag(rawValue: UInt8(truncatingIfNeeded: traits)) }

  /// Set when the value may be nil.
  @inlinable static var nullable: UInt16 { 0x100 }
  /// Set when the value is a payload that contains no other value.
  @inlinable static var text: UInt16 { 0x200 }
  /// Set when a nil means that the key is absent.
  @inlinable package static var omitsNil: UInt16 { 0x400 }
  /// The traits of a non-nullable string.
  @inlinable static var string: UInt16 { UInt16(ArchiveTag.string.rawValue) | text }

  init(
    _ word: KeyWord, key: UInt32, placement: RecordLayout.Placement,
    tag: ArchiveTag, isNullable: Bool, cell: OptionalShape = .none, byteCount: UInt32 = 0,
    omitsNil: Bool = false
  ) {
    self.cell = cell
    // A cell has 65,535 bytes at most.
    self.byteCount = UInt16(byteCount)
    let tag = cell.isNone ? tag : .record
    identity = word.identity
    name = word.name
    scope = word.scope
    self.key = key
    self.placement = placement
    traits =
      UInt16(tag.rawValue) | (isNullable ? SlotRow.nullable : 0) | (tag.isText ? SlotRow.text : 0)
      | (omitsNil ? SlotRow.omitsNil : 0)
  }

  @inlinable package var isPayload: Bool { tag.isVariable && cell.isNone }

  /// The sentinel row, which a failed look-up finds; it is stored before the slots of each shape.
  static var none: SlotRow {
    var layout = RecordLayout()
    return SlotRow(
      .none, key: 0, placement: layout.add(.null, isNullable: false), tag: .null, isNullable: false)
  }

  /// True when the key is absent in the record that starts at an offset (Spec/archive.md, 5.3).
  @inlinable
  @inline(__always)
  package func isAbsent(_ view: ByteView, recordAt start: Int) -> Bool {
    traits & SlotRow.omitsNil != 0 && isNil(view, recordAt: start)
  }

  /// True for the sentinel row that a failed look-up finds.
  @inlinable var isNone: Bool { scope == ScopeNumber.none }

  /// True when the nil bit of the slot is set in the record that starts at an offset.
  @inlinable
  @inline(__always)
  package func isNil(_ view: ByteView, recordAt start: Int) -> Bool {
    if placement.nilMask == 0 { return false }
    let bits = view.load(UInt8.self, at: start &+ Int(placement.nilOffset))
    return bits & placement.nilMask != 0
  }
}

/// One shape, in the form that readers use.
@usableFromInline
package struct ShapeRow: BitwiseCopyable, Sendable {
  @usableFromInline package var slots: RawSlice<SlotRow>
  /// The slots of ordinary keys, by the hash of their names: 1 plus the number of the slot; 0 is the sentinel row.
  @usableFromInline var index: RawIndex<SlotRow>
  /// The number of bits by which the hash of a name is shifted, so that the names of this shape get different places.
  @usableFromInline var shift: UInt8
  /// All slots in the order of their keys; used only when not all ordinary keys are in the index.
  var order: RawSlice<UInt32>
  /// True when the index has all ordinary keys, so that a miss means an absent key.
  @usableFromInline var isComplete = true
  /// True when each key is in the place of its hash, so that one probe is enough.
  @usableFromInline var hasOwnPlaces = false
  @usableFromInline package var layout: RecordLayout
  /// The start of the payloads if their ends have one byte each, counted from the start of the body.
  @usableFromInline var narrowTail: UInt32
  @usableFromInline package var number: UInt32
  var type: Int32
  /// The entry of the case, or ``ShapeEntry/noCase``.
  var enumerationCase: Int32
  /// True when a record of the shape may be an object: its type has a name, and it is not an enumeration.
  @usableFromInline var isOfObjects: Bool

  /// True when records of the shape have a fixed width; an array stores them without ends.
  @usableFromInline var isCell: Bool

  /// True when at least one slot uses a nil for an absent key.
  package var hasAbsentValues = false

  var isEnumeration: Bool { enumerationCase != Int32(ShapeEntry.noCase) }

  /// The maximum number of places to look for a name in.
  static let probeCount = 8

  /// The hash of a name; its lower bits are the place in the index, or the name is in one of the few places after.
  @inlinable
  func place(_ mixed: UInt64, salt: UInt64) -> UInt64 {
    (mixed &+ salt) &>> UInt64(shift)
  }

  /// The slot that has its name in a place of the index, if there is one.
  func slot(at place: UInt64) -> Int? { index[place] == 0 ? nil : index[place] - 1 }

  /// The number that a scope adds to the hash of a name; 0 for no scope.
  @inlinable
  static func salt(of scope: Int32) -> UInt64 {
    UInt64(UInt32(bitPattern: scope &+ 1)) &* 0x9E37_79B9
  }
}

/// The storage of the rows of a run of shapes: all shapes of a footer, or those of one segment.
struct ShapeRows: ~Copyable, Sendable {
  var slots: RawTable<SlotRow>
  var index: RawTable<UInt16>
  var order: RawTable<UInt32>
  /// The bytes of names that are not short, of the keys that were declared with the shapes.
  private var names: RawTable<UInt8>

  /// Tables for keys, and for shapes that take a number of bytes in the archive; no table grows beyond its capacity.
  init(keys: some Collection<KeyEntry>, byteCount: Int) {
    let nameByteCount = keys.reduce(0) { $0 + ($1.hasLongName ? $1.name.utf8.count : 0) }
    names = RawTable(capacity: nameByteCount, isFixed: nameByteCount > 0)
    // Besides its slots a shape has a row in which no key is found, and an index of at least 5 places.
    let count = byteCount / ShapeEntry.wordByteCount
    slots = RawTable(capacity: count, isFixed: true)
    // Fewer than eight places for a slot.
    index = RawTable(capacity: 8 * count, isFixed: true)
    order = RawTable(capacity: count, isFixed: true)
  }

  /// A key as the index looks it up.
  mutating func word(of entry: KeyEntry) -> KeyWord {
    let start = names.count
    if entry.hasLongName { names.append(utf8: entry.name) }
    return KeyWord(entry, name: RawSlice(names, start..<names.count))
  }
}

/// Keeps the rows alive for as long as shapes refer to them.
final class ShapeRowsOwner: Sendable {
  private let rows: ShapeRows

  init(_ rows: consuming ShapeRows) {
    self.rows = rows
  }
}

extension SegmentLayout {
  /// Checks the shape that all objects have, if they have one.
  mutating func resolve(in shapes: RawSlice<ShapeRow>) throws(ArchiveError) {
    guard let number = row.shapes.number else { return }
    guard number < shapes.count else {
      throw .damaged("a segment is of a shape that is not declared", at: row.offset)
    }
    try resolve(fixedByteCount: shapes[number].layout.fixedByteCount)
  }
}

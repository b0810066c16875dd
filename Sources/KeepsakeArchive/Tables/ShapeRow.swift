/// One slot of a shape, as reading needs it.
@usableFromInline
struct SlotRow: BitwiseCopyable, Sendable {
  /// The bits of a short name of an ordinary key; those of no string for any other.
  @usableFromInline var identity: StringIdentity
  /// The bytes of a longer name of an ordinary key; empty of any other.
  var name: RawSlice<UInt8>
  /// The entry of the scope that the key is declared in, ``KeyEntry/topScope`` or ``ScopeNumber/none``.
  @usableFromInline var scope: Int32
  /// The entry of the key.
  @usableFromInline var key: UInt32
  @usableFromInline var placement: RecordLayout.Placement
  /// Of a record that lies in the slot the number of its shape, else -1.
  @usableFromInline var cell: Int32
  /// Of a record that lies in the slot its bytes.
  @usableFromInline var byteCount: UInt16
  /// The tag in the lower byte, with flags: by one comparison a value is one of a tag for certain.
  @usableFromInline var traits: UInt16

  @inlinable var tag: ArchiveTag { ArchiveTag(rawValue: UInt8(truncatingIfNeeded: traits)) }

  /// Of a value that may be nil.
  @inlinable static var nullable: UInt16 { 0x100 }
  /// Of a payload of bytes that contain no other value.
  @inlinable static var text: UInt16 { 0x200 }
  /// Of a value of which a nil means that there is none.
  @inlinable static var omitsNil: UInt16 { 0x400 }
  /// All of a string that cannot be nil.
  @inlinable static var string: UInt16 { UInt16(ArchiveTag.string.rawValue) | text }

  init(
    _ word: KeyWord, key: UInt32, placement: RecordLayout.Placement,
    tag: ArchiveTag, isNullable: Bool, cell: Int32 = -1, byteCount: UInt32 = 0,
    omitsNil: Bool = false
  ) {
    self.cell = cell
    // A cell has 65,535 bytes at most.
    self.byteCount = UInt16(byteCount)
    let tag = cell < 0 ? tag : .record
    identity = word.identity
    name = word.name
    scope = word.scope
    self.key = key
    self.placement = placement
    traits =
      UInt16(tag.rawValue) | (isNullable ? SlotRow.nullable : 0) | (tag.isText ? SlotRow.text : 0)
      | (omitsNil ? SlotRow.omitsNil : 0)
  }

  /// Whether the value has a payload, and not all its bytes in the slot.
  @inlinable var isPayload: Bool { tag.isVariable && cell < 0 }

  /// A row that no key is found in, before the slots of each shape.
  static var none: SlotRow {
    var layout = RecordLayout()
    return SlotRow(
      .none, key: 0, placement: layout.add(.null, isNullable: false), tag: .null, isNullable: false)
  }

  /// Whether the record that begins at an offset has no value under the key (Spec/archive.md, 5.3).
  @inlinable
  @inline(__always)
  func isAbsent(_ view: ByteView, recordAt start: Int) -> Bool {
    traits & SlotRow.omitsNil != 0 && isNil(view, recordAt: start)
  }

  /// True for the row that no key is found in.
  @inlinable var isNone: Bool { scope == ScopeNumber.none }

  /// Whether the nil bit of the slot is set in the record that begins at an offset.
  @inlinable
  @inline(__always)
  func isNil(_ view: ByteView, recordAt start: Int) -> Bool {
    if placement.nilMask == 0 { return false }
    let bits = view.load(UInt8.self, at: start &+ Int(placement.nilOffset))
    return bits & placement.nilMask != 0
  }
}

/// One shape, as reading needs it.
@usableFromInline
struct ShapeRow: BitwiseCopyable, Sendable {
  @usableFromInline var slots: RawSlice<SlotRow>
  /// The slots of ordinary keys by a number that is made of their names: 1 plus the slot, or 0, for
  /// which there is a row that no key is found in.
  @usableFromInline var index: RawIndex<SlotRow>
  /// How far the number of a name is shifted, so that the names of this shape get different places.
  @usableFromInline var shift: UInt8
  /// All slots in the order of their keys, if not all ordinary keys found a place in the index.
  var order: RawSlice<UInt32>
  /// Whether the index finds all ordinary keys, so that none is where it leads to no row.
  @usableFromInline var isComplete = true
  /// Whether all of them are in the places that their names lead to, so that none is in one after it.
  @usableFromInline var hasOwnPlaces = false
  @usableFromInline var layout: RecordLayout
  /// Where the payloads begin if their ends have one byte each, counted from the start of the body.
  @usableFromInline var narrowTail: UInt32
  /// The number of the shape.
  @usableFromInline var number: UInt32
  var type: Int32
  /// The entry of the case, or -1 for a record that is no enumeration.
  var enumerationCase: Int32
  /// Whether a record of the shape may be an object: its type has a name, and it is no enumeration.
  @usableFromInline var isOfObjects: Bool

  /// Whether records of the shape have a fixed width, so that they lie side by side in an array.
  @usableFromInline var isCell: Bool

  /// Whether a nil of one of the values means that there is none.
  var hasAbsentValues = false

  /// Whether records of the shape lie in the slots of others.
  var isInlinable: Bool { isCell && enumerationCase < 0 }

  /// How many places a name may be in.
  static let probeCount = 8

  /// Where a name is in the index, by the lower bits.
  ///
  /// A name whose place is taken lies in one of the few after it.
  @inlinable
  func place(_ mixed: UInt64, salt: UInt64) -> UInt64 {
    (mixed &+ salt) &>> UInt64(shift)
  }

  /// What a scope adds to the number of a name; nothing at the top.
  @inlinable
  static func salt(of scope: Int32) -> UInt64 {
    UInt64(UInt32(bitPattern: scope &+ 1)) &* 0x9E37_79B9
  }
}

/// What the rows of a run of shapes refer to: all shapes of a footer, or those of one segment.
struct ShapeRows: ~Copyable, Sendable {
  var slots: RawTable<SlotRow>
  var index: RawTable<UInt16>
  var order: RawTable<UInt32>
  /// The bytes of names that are not short, of the keys that were declared with the shapes.
  private var names: RawTable<UInt8>

  /// Tables for keys, and for shapes that take so many bytes in the archive, in which none grows beyond its room.
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

  /// What finds one of the keys.
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
      throw ArchiveError(
        .damaged, "a segment is of a shape that is not declared", offset: row.offset)
    }
    try resolve(fixedByteCount: shapes[number].layout.fixedByteCount)
  }
}

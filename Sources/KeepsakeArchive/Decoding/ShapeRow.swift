/// One slot of a shape, as reading needs it.
@usableFromInline
struct SlotRow: BitwiseCopyable, Sendable {
  /// The bits of a short name of an ordinary key; those of no string for any other.
  @usableFromInline var identity: StringIdentity
  /// The entry of the scope that the key is declared in, or -1 at the top.
  @usableFromInline var scope: Int32
  /// The entry of the key.
  @usableFromInline var key: UInt32
  @usableFromInline var placement: RecordLayout.Placement
  @usableFromInline var tag: ArchiveTag

  /// Whether the nil bit of the slot is set in the record that begins at an offset.
  @inlinable
  @inline(__always)
  func isNil(_ view: ByteView, recordAt start: Int) -> Bool {
    if placement.nilOffset == 0 { return false }
    let bits = view.load(UInt8.self, at: start &+ Int(placement.nilOffset))
    return bits & placement.nilMask != 0
  }

}

/// One shape, as reading needs it.
@usableFromInline
struct ShapeRow: BitwiseCopyable, Sendable {
  @usableFromInline var slots: RawSlice<SlotRow>
  /// The slots of ordinary keys by a number that is made of their names: 1 plus the slot, or 0.
  @usableFromInline var index: RawSlice<UInt16>
  /// How far the number of a name is shifted, so that the names of this shape get different places.
  @usableFromInline var shift: UInt8
  /// All slots in the order of their keys, if not all ordinary keys found a place in the index.
  var order: RawSlice<UInt32>
  @usableFromInline var layout: RecordLayout
  var type: Int32
  /// The entry of the case, or -1 for a record that is no enumeration.
  var enumerationCase: Int32

  /// Whether all values are numbers of any bits, none of which may be nil.
  var hasOnlyNumbers: Bool

  /// How many places a name may be in.
  static let probeCount = 8

  /// Where a name is in the index.
  ///
  /// A name whose place is taken lies in one of the few behind it.
  @inlinable
  func place(_ mixed: UInt64, salt: UInt64) -> Int {
    Int(truncatingIfNeeded: (mixed &+ salt) &>> UInt64(shift)) & (index.count &- 1)
  }

  /// What a scope adds to the number of a name; nothing at the top.
  @inlinable
  static func salt(of scope: Int32) -> UInt64 {
    UInt64(UInt32(bitPattern: scope &+ 1)) &* 0x9E37_79B9
  }
}

/// Where the slots of a record lie, computed from the tags alone and never read from the archive.
///
/// One rule (Spec/archive.md, 4.4): after the number of the shape the slots follow in their order,
/// without gaps. Each eighth slot that may hold nil, the first included, is preceded by a byte with
/// the nil bits of the eight. So where a slot lies depends only on the slots before it.
@usableFromInline
struct RecordLayout: BitwiseCopyable, Sendable {
  /// Where one slot lies, counted from the start of its record.
  @usableFromInline
  struct Placement: BitwiseCopyable, Sendable {
    @usableFromInline var offset: UInt32
    /// The byte with the slot's nil bit, or 0 when the slot cannot hold nil.
    @usableFromInline var nilOffset: UInt32
    /// The variable slot before this one, or 0 when this is the first or no variable slot.
    @usableFromInline var previous: UInt32
    @usableFromInline var nilMask: UInt8
    /// Whether the byte with the nil bits lies directly before this slot.
    @usableFromInline var opensNilByte: Bool
  }

  /// The bytes up to the end of the last slot.
  @usableFromInline var byteCount = UInt32(FormatConstants.recordHeaderByteCount)
  private var nullableCount: UInt32 = 0
  private var nilOffset: UInt32 = 0
  /// The last variable slot, or 0 when there is none.
  private(set) var lastVariable: UInt32 = 0
  /// Whether a slot is one of a value that contains others.
  private(set) var hasContainer = false

  init() {}

  /// Places the next slot.
  mutating func add(_ tag: ArchiveTag, isNullable: Bool) -> Placement {
    var opensNilByte = false
    var mask: UInt8 = 0
    if isNullable {
      if nullableCount & 7 == 0 {
        nilOffset = byteCount
        byteCount += 1
        opensNilByte = true
      }
      mask = 1 << UInt8(nullableCount & 7)
      nullableCount += 1
    }
    let placement = Placement(
      offset: byteCount, nilOffset: isNullable ? nilOffset : 0,
      previous: tag.isVariable ? lastVariable : 0, nilMask: mask, opensNilByte: opensNilByte)
    if tag.isVariable { lastVariable = byteCount }
    if tag.isContainer { hasContainer = true }
    byteCount += UInt32(tag.byteCount)
    return placement
  }

  /// Where the payloads begin: directly behind the slots, or at a multiple of eight if one of them
  /// begins at such.
  @usableFromInline var tailStart: Int {
    hasContainer ? (Int(byteCount) + 7) & ~7 : Int(byteCount)
  }

  /// The bits of the last byte of nil bits that no slot has.
  var unusedNilBits: (offset: UInt32, mask: UInt8)? {
    let used = nullableCount & 7
    return used == 0 ? nil : (nilOffset, ~((1 << UInt8(used)) - 1))
  }
}

/// One slot of a shape: the key it stands for and how its value is written.
struct SlotDeclaration: Hashable {
  var key: UInt32
  var tag: ArchiveTag
  var isNullable: Bool
}

/// Where the values of a record lie, computed from the tags alone and never read from the archive.
///
/// One rule (Spec/archive.md, 4.4): after the number of the shape the slots follow in their order,
/// without gaps. Each eighth slot that may hold nil, the first included, is preceded by a byte with
/// the nil bits of the eight. So where a slot lies depends only on the slots before it. Variable
/// values have no slot but the end of a payload: the ends follow the slots, the payloads the ends.
@usableFromInline
struct RecordLayout: BitwiseCopyable, Sendable {
  /// Where one value lies.
  @usableFromInline
  struct Placement: BitwiseCopyable, Sendable {
    /// Where the slot lies, counted from the start of the record; of a variable value, which of the
    /// ends is its own, and in a shape that is read, where that lies if the ends have one byte each.
    @usableFromInline var offset: UInt32
    /// The byte with the value's nil bit, or 0 when it cannot be nil.
    @usableFromInline var nilOffset: UInt32
    @usableFromInline var nilMask: UInt8
    /// Whether the byte with the nil bits is the next one of the slots.
    @usableFromInline var opensNilByte: Bool
  }

  /// The bytes up to the end of the last slot.
  @usableFromInline var byteCount = UInt32(FormatConstants.recordHeaderByteCount)
  /// How many payloads there are.
  @usableFromInline var variableCount: UInt32 = 0
  private var nullableCount: UInt32 = 0
  private var nilOffset: UInt32 = 0
  /// Whether a value is one that contains others.
  private(set) var hasContainer = false

  init() {}

  /// Places the next value.
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
      offset: tag.isVariable ? variableCount : byteCount, nilOffset: isNullable ? nilOffset : 0,
      nilMask: mask, opensNilByte: opensNilByte)
    if tag.isVariable { variableCount += 1 } else { byteCount += UInt32(tag.byteCount) }
    if tag.isContainer { hasContainer = true }
    return placement
  }

  /// The bits of the last byte of nil bits that no value has.
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

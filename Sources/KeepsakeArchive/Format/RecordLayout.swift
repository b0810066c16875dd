// The layout of a record (Spec/archive.md, 4.4).

/// What a record begins with: the number of its shape, and how wide the ends of its payloads are
/// (Spec/archive.md, 4.4).
@usableFromInline
struct RecordHead: BitwiseCopyable {
  static let byteCount = MemoryLayout<UInt32>.size
  /// The least that a record takes: its head, and its entry of the record directory.
  static let leastRecordByteCount = byteCount + SegmentRow.directoryEntryByteCount
  /// The longest record: it ends within what its directory can state.
  static let largestRecordByteCount = Int(UInt32.max) - SegmentRow.fullByteCount

  @usableFromInline let word: UInt32

  @inlinable
  init(_ word: UInt32) {
    self.word = word
  }

  @inlinable
  init(shape: Int32, endWidth: UInt32) {
    word = UInt32(bitPattern: shape) &<< 2 | endWidth
  }

  /// The number of the shape.
  @inlinable var shape: Int { Int(word &>> 2) }

  /// The bytes of an end as a power of two: 0, 1 or 2, and 3 in no record.
  @inlinable var endWidth: UInt32 { word & 3 }

  /// The width of the ends of payloads that take so many bytes together.
  @inlinable
  @inline(__always)
  static func endWidth(ofPayloads byteCount: Int) -> UInt32 {
    byteCount < 1 &<< 8 ? 0 : byteCount < 1 &<< 16 ? 1 : 2
  }
}

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
  @usableFromInline var byteCount = UInt32(RecordHead.byteCount)
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

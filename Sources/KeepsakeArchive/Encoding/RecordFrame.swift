// The state of the encoder while an object is written: the open record, the open array, and values whose place is
// not known yet.

/// The record that is being written.
///
/// It is copied for every nested record. It has four whole words, because the processor stalls when it reads a whole
/// word of which it has just written a part. Only this type knows their bits.
@usableFromInline
struct RecordFrame: BitwiseCopyable, Sendable {
  /// Facts about a record that is being written.
  @usableFromInline
  struct Flags: BitwiseCopyable, Sendable {
    @usableFromInline let bits: UInt64

    @inlinable
    init(bits: UInt64) { self.bits = bits }

    /// Set when `Int` and `UInt` slots of this record are 64 bits wide.
    @inlinable static var wide: Flags { Flags(bits: 1 << 31) }
    /// Set when at least one integer of a wide record needs 64 bits.
    @inlinable static var needsWide: Flags { Flags(bits: 1 << 30) }
    /// Set when at least one integer of a wide record fits 32 bits.
    @inlinable static var fitsNarrow: Flags { Flags(bits: 1 << 29) }
    /// Set when the record is written inline, in the slot of its container.
    @inlinable static var inSlot: Flags { Flags(bits: 1 << 28) }

    /// All flags that tell how wide the integers are or have to be.
    @inlinable static var ofWidth: Flags { wide.union(needsWide).union(fitsNarrow) }

    @inlinable
    func union(_ other: Flags) -> Flags { Flags(bits: bits | other.bits) }
  }

  /// ``step`` in the lower half, ``next`` in the upper half.
  @usableFromInline var packedSteps: UInt64 = 0
  /// The offset of the record among the bytes.
  @usableFromInline var start = 0
  /// The offset of its payloads; the bytes before it are reserved for the slots and the ends.
  @usableFromInline var tail = 0
  /// The scope of the keys in the bits from 32 on, the flags in those from 28 on, and the depth in those below 24.
  @usableFromInline var traits: UInt64

  /// The frame of a record in no scope, or outside of any record.
  @inlinable
  init(depth: Int = 0) {
    traits = 0xFFFF_FFFF_0000_0000 | UInt64(UInt32(truncatingIfNeeded: depth))
  }

  /// The frame of a record that was laid out up to a step of the plan.
  init(step: Int, start: Int, tail: Int) {
    self.init()
    take(step, next: 0)
    self.start = start
    self.tail = tail
  }

  /// The step of the plan that was taken last, ``EncodingPlan/none`` outside of any record.
  @inlinable var step: Int { Int(truncatingIfNeeded: packedSteps & 0xFFFF_FFFF) }

  /// The step that the last record took after ``step``, ``EncodingPlan/none`` when that is not known.
  @inlinable var next: Int { Int(truncatingIfNeeded: packedSteps >> 32) }

  /// True in a record; false elsewhere, such as among the elements of an array.
  @inlinable var isRecord: Bool { step != EncodingPlan.none }

  /// Takes a step of the plan, whose steps have 31 bits (``EncodingPlan/advance(from:key:signature:)``).
  @inlinable
  @inline(__always)
  mutating func take(_ step: Int, next: Int32) {
    packedSteps =
      UInt64(UInt32(bitPattern: next)) << 32 | UInt64(UInt32(truncatingIfNeeded: step))
  }

  @inlinable var scope: Int32 {
    get { Int32(truncatingIfNeeded: traits >> 32) }
    set { traits = UInt64(UInt32(bitPattern: newValue)) << 32 | traits & 0xFFFF_FFFF }
  }

  /// The scope in the bits in which a ``StepSignature`` has it.
  @inlinable var scopeBits: UInt64 { traits & StepSignature.scopeBits }

  /// The number of values that are open around this one.
  ///
  /// It has 24 bits: each level takes a call, and the stack has no room for more.
  @inlinable var depth: Int { Int(truncatingIfNeeded: traits & 0x00FF_FFFF) }

  @inlinable
  mutating func set(_ flags: Flags) { traits |= flags.bits }

  @inlinable
  mutating func clear(_ flags: Flags) { traits &= ~flags.bits }

  @inlinable var isWide: Bool { traits & Flags.wide.bits != 0 }

  @inlinable var isInSlot: Bool { traits & Flags.inSlot.bits != 0 }

  /// True when the integers have 64 bits, and all of them fit 32.
  @inlinable var isWiderThanNeeded: Bool {
    traits & Flags.ofWidth.bits == Flags.wide.union(.fitsNarrow).bits
  }
}

/// The array that is being written (Spec/archive.md, 5.5).
@usableFromInline
struct ElementsFrame: BitwiseCopyable {
  /// The tag that all elements so far share, except nils; `null` before the first element that is not nil, `any` when
  /// they have several tags.
  @usableFromInline var tag = ArchiveTag.null
  @usableFromInline var count = 0
  /// The number of elements that were begun so far.
  @usableFromInline var index = 0
  /// The offset of the array among the bytes.
  var start = 0
  /// The offset of the slots, or of the ends when elements have payloads.
  @usableFromInline var slots = 0
  /// The offset of the nil bits, or ``noNilBits``.
  var nilBits = ElementsFrame.noNilBits
  /// The shape that all records so far have.
  @usableFromInline var shape = OptionalShape.none
  /// The number of bytes of each record if the shape is a cell, otherwise ``varyingWidth``.
  @usableFromInline var width = ElementsFrame.varyingWidth
  /// The offset of the payloads.
  @usableFromInline var tail = 0
  /// The root of the last record among the elements, or ``EncodingPlan/none``; outside of arrays, the root of the
  /// last object.
  @usableFromInline var root = 0

  /// The value of ``nilBits`` when no element is nil.
  static var noNilBits: Int { 0 }
  /// The value of ``width`` when records have ends.
  @usableFromInline static var varyingWidth: Int { 0 }

  @usableFromInline init() {}
}

/// The frames around an array, which the encoder goes back to when the array is complete.
@usableFromInline
package struct EnclosingFrames: BitwiseCopyable {
  var frame: RecordFrame
  var elements: ElementsFrame
  var slot: Int
}

/// One value of a container that is not complete yet.
///
/// A value of fixed width is kept here. A payload is kept among the bytes, and the entry has its range.
struct StagedEntry: BitwiseCopyable {
  /// The tag of the value; `null` for a nil.
  var tag: ArchiveTag
  /// The number that the body of a cell has in signatures.
  var inlineRecord = StepSignature.noInlineRecord
  /// True when a nil in the slot says that the key is absent.
  var omitsNil = false
  /// True when the key is absent, and the slot says so by a nil.
  var isAbsent = false
  /// The shape of the body of a record; its number is not among the bytes of the body.
  var shape = OptionalShape.none
  /// The bits of a fixed value, or the start of the payload.
  var low: UInt64
  /// The upper bits of a value of 16 bytes, or the length of the payload.
  var high: UInt64

  static var null: StagedEntry { StagedEntry(tag: .null, low: 0, high: 0) }

  static func payload(_ tag: ArchiveTag, _ range: Range<Int>) -> StagedEntry {
    StagedEntry(
      tag: tag, low: UInt64(bitPattern: Int64(range.lowerBound)),
      high: UInt64(bitPattern: Int64(range.count)))
  }

  static func body(_ tag: ArchiveTag, _ range: Range<Int>, shape: OptionalShape) -> StagedEntry {
    var entry = payload(tag, range)
    entry.shape = shape
    return entry
  }

  /// True when the slot holds a nil.
  var isNil: Bool { tag == .null || isAbsent }

  /// The flags that tell whether the slot may hold nil, and what a nil means there.
  @inline(__always)
  var nilFlags: NilFlags { omitsNil ? .omitsNil : tag == .null ? .nullable : .none }

  /// The number of bytes of the shape's number in front of a body.
  var numberByteCount: Int { shape.isNone ? 0 : ShapeNumber.byteCount(of: shape.number) }

  /// True when an `Int` or `UInt` fits 32 bits.
  var isNarrow: Bool {
    tag == .int
      ? Int64(Int32(truncatingIfNeeded: low)) == Int64(bitPattern: low) : low < 1 << 32
  }

  /// The range of the payload, with the number of the shape in front of a body.
  var payload: Range<Int> { start - numberByteCount..<start + byteCount }

  var start: Int { Int(truncatingIfNeeded: low) }
  var byteCount: Int { Int(truncatingIfNeeded: high) }
}

extension ByteBuffer {
  /// Overwrites a slot with a value of fixed width; its tag determines the number of bytes.
  @inline(__always)
  mutating func store(_ entry: StagedEntry, at offset: Int) {
    switch entry.tag.rawValue & 7 {
    case 1, 7: store(UInt8(truncatingIfNeeded: entry.low), at: offset)
    case 2: store(UInt16(truncatingIfNeeded: entry.low), at: offset)
    case 3: store(UInt32(truncatingIfNeeded: entry.low), at: offset)
    case 4: store(entry.low, at: offset)
    case 5:
      store(entry.low, at: offset)
      store(entry.high, at: offset &+ 8)
    default: break
    }
  }

  /// Reads a value of fixed width from its slot.
  func entry(_ tag: ArchiveTag, at offset: Int) -> StagedEntry {
    let scalar = StoredScalar(tag, in: view, at: offset)
    return StagedEntry(tag: tag, low: scalar.low, high: scalar.high)
  }
}

// What is open while an object is written: the record, the array, and values whose place is not known.

/// The record that is being written.
///
/// Four whole words: a part of a word that is written and then read as a whole word waits in the
/// processor, and a frame is kept and put back for every nested record.
@usableFromInline
struct RecordFrame: BitwiseCopyable, Sendable {
  /// The step of the plan that was taken last, in the lower half, and the one that is expected next.
  @usableFromInline var steps: UInt64 = 0
  /// Where the record begins among the bytes.
  @usableFromInline var start = 0
  /// Where its payloads begin: the bytes before are kept for its slots.
  @usableFromInline var tail = 0
  /// The scope in the upper half, the depth of nesting in the lower, and what is said of integers.
  @usableFromInline var scopeAndDepth: UInt64

  /// The frame outside of any record.
  @inlinable
  init(depth: Int = 0) {
    scopeAndDepth = 0xFFFF_FFFF_0000_0000 | UInt64(UInt32(truncatingIfNeeded: depth))
  }

  /// The frame of a record that was laid out up to a step of the plan.
  init(node: Int, start: Int, tail: Int) {
    self.init()
    take(node, next: 0)
    self.start = start
    self.tail = tail
  }

  /// The step of the plan that was taken last, 0 outside of any record.
  @inlinable var node: Int { Int(truncatingIfNeeded: steps & 0xFFFF_FFFF) }

  /// The step that the last record took after it, as far as is known; it leads on from that step or is 0.
  @inlinable var next: Int { Int(truncatingIfNeeded: steps >> 32) }

  /// Takes a step of the plan, whose steps have 31 bits (``EncodingPlan/advance(from:key:signature:)``).
  @inlinable
  @inline(__always)
  mutating func take(_ node: Int, next: Int32) {
    steps = UInt64(UInt32(bitPattern: next)) << 32 | UInt64(UInt32(truncatingIfNeeded: node))
  }

  @inlinable var scope: Int32 {
    get { Int32(truncatingIfNeeded: scopeAndDepth >> 32) }
    set {
      scopeAndDepth =
        UInt64(UInt32(bitPattern: newValue)) << 32 | scopeAndDepth & 0xFFFF_FFFF
    }
  }

  /// The depth has 24 bits: each level takes a call, and the stack has not room for so many.
  @inlinable var depth: Int { Int(truncatingIfNeeded: scopeAndDepth & 0x00FF_FFFF) }

  /// Slots of `Int` and `UInt` have 64 bits.
  @inlinable static var wide: UInt64 { 1 << 31 }
  /// One of them at least needs so many.
  @inlinable static var needed: UInt64 { 1 << 30 }
  /// There is one that does not.
  @inlinable static var unneeded: UInt64 { 1 << 29 }

  /// The record is written in the slot where it belongs.
  @inlinable static var inSlot: UInt64 { 1 << 28 }

  @inlinable var isWide: Bool { scopeAndDepth & RecordFrame.wide != 0 }

  @inlinable var isInSlot: Bool { scopeAndDepth & RecordFrame.inSlot != 0 }

  /// Whether integers have 64 bits of which none needs them.
  @inlinable var isWiderThanNeeded: Bool {
    scopeAndDepth & (RecordFrame.wide | RecordFrame.needed | RecordFrame.unneeded)
      == RecordFrame.wide | RecordFrame.unneeded
  }
}

/// The array that is being written (Spec/archive.md, 5.5).
@usableFromInline
struct ElementsFrame: BitwiseCopyable {
  /// The tag that all elements so far share, but those that are nil; `null` before the first that
  /// is not nil, `any` once there are two tags.
  @usableFromInline var tag = ArchiveTag.null
  @usableFromInline var count = 0
  /// How many elements there are so far.
  @usableFromInline var index = 0
  /// Where the array begins among the bytes.
  var start = 0
  /// Where the slots begin, or where the ends begin of elements with tags of their own.
  @usableFromInline var slots = 0
  /// Where the nil bits begin, 0 when there are none.
  var nilBits = 0
  /// The number of the shape that all records so far have, or -1.
  @usableFromInline var shape: Int32 = -1
  /// The bytes of each record, if the shape is a cell; else 0.
  @usableFromInline var width = 0
  /// Where the payloads begin.
  @usableFromInline var tail = 0
  /// The root of the last record among the elements, 0 for none; outside of any array that of the last
  /// object.
  @usableFromInline var root = 0

  @usableFromInline init() {}
}

/// What to go back to when an array is complete.
@usableFromInline
struct EnclosingFrames: BitwiseCopyable {
  var frame: RecordFrame
  var elements: ElementsFrame
  var slot: Int
}

/// One value of a container that is not complete yet.
struct StagedEntry: BitwiseCopyable {
  /// `null` for a nil.
  var tag: ArchiveTag
  /// Of the body of a cell the number that stands for it in signatures, else 0.
  var cell: UInt16 = 0
  /// Whether a nil in its slot would mean that there is no value.
  var omitsNil = false
  /// Whether there is no value, so that the slot has such a nil.
  var isAbsent = false
  /// Of a body the number of its shape, which is not among its bytes; else -1.
  var shape: Int32 = -1
  /// The bits of a value of a width of its own; of a variable one where its payload begins.
  var low: UInt64
  /// The upper bits of a value of 16 bytes; of a variable one how long its payload is.
  var high: UInt64

  static var null: StagedEntry { StagedEntry(tag: .null, low: 0, high: 0) }

  static func payload(_ tag: ArchiveTag, _ range: Range<Int>) -> StagedEntry {
    StagedEntry(
      tag: tag, low: UInt64(bitPattern: Int64(range.lowerBound)),
      high: UInt64(bitPattern: Int64(range.count)))
  }

  /// The body of a record.
  static func body(_ tag: ArchiveTag, _ range: Range<Int>, shape: Int32) -> StagedEntry {
    var entry = payload(tag, range)
    entry.shape = shape
    return entry
  }

  /// Whether the slot has a nil.
  var isNil: Bool { tag == .null || isAbsent }

  /// Whether the slot may hold nil, and what a nil means there; as ``ArchivePlace`` has it.
  @inline(__always)
  var nilFlags: UInt64 {
    if omitsNil { return ArchivePlace.nullableFlag | ArchivePlace.omitsNilFlag }
    return tag == .null ? ArchivePlace.nullableFlag : 0
  }

  /// How many bytes the number of the shape takes in front of a body.
  var numberByteCount: Int { shape < 0 ? 0 : ShapeNumber.byteCount(of: Int(shape)) }

  /// Whether an integer whose width is to be chosen fits 32 bits.
  var isNarrow: Bool {
    tag == .int
      ? Int64(Int32(truncatingIfNeeded: low)) == Int64(bitPattern: low) : low < 1 << 32
  }

  /// The bytes with the number of the shape in front of a body.
  var payload: Range<Int> { start - numberByteCount..<start + byteCount }

  var start: Int { Int(truncatingIfNeeded: low) }
  var byteCount: Int { Int(truncatingIfNeeded: high) }
}

extension ByteBuffer {
  /// Overwrites a slot with a value of a width of its own: as many of the lowest bits as its tag says.
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

  /// Reads a value of a width of its own back.
  func entry(_ tag: ArchiveTag, at offset: Int) -> StagedEntry {
    var entry = StagedEntry(tag: tag, low: 0, high: 0)
    switch tag.rawValue & 7 {
    case 1, 7: entry.low = UInt64(load(UInt8.self, at: offset))
    case 2: entry.low = UInt64(load(UInt16.self, at: offset))
    case 3: entry.low = UInt64(load(UInt32.self, at: offset))
    case 4: entry.low = load(UInt64.self, at: offset)
    case 5:
      entry.low = load(UInt64.self, at: offset)
      entry.high = load(UInt64.self, at: offset + 8)
    default: break
    }
    return entry
  }
}

// The layout of a record (Spec/archive.md, 5.2).

/// The number of a shape before a body: one byte, or a byte that says how many follow (Spec/archive.md, 5.4).
@usableFromInline
package enum ShapeNumber {
  /// The byte before a number of two bytes; smaller numbers are one byte.
  @usableFromInline static var two: UInt8 { 254 }
  /// The byte before a number of four bytes.
  @usableFromInline static var four: UInt8 { 255 }

  @inlinable
  static func byteCount(of number: Int) -> Int { number < 254 ? 1 : number < 1 << 16 ? 3 : 5 }

  /// Reads the number at the start of a range, and returns it with the start of the body.
  @inlinable
  @inline(__always)
  package static func read(
    _ view: ByteView, _ range: Range<Int>
  ) throws(ArchiveError) -> (number: Int, body: Int) {
    if range.isEmpty { throw ArchiveError.recordLength(range) }
    let first = view.load(UInt8.self, at: range.lowerBound)
    if first < two { return (Int(first), range.lowerBound &+ 1) }
    return try readWide(view, range, isLong: first == four)
  }

  @inline(never)
  @usableFromInline
  static func readWide(
    _ view: ByteView, _ range: Range<Int>, isLong: Bool
  ) throws(ArchiveError) -> (number: Int, body: Int) {
    let place = range.lowerBound + 1
    guard range.count >= (isLong ? 5 : 3) else { throw ArchiveError.recordLength(range) }
    if isLong { return (Int(view.load(UInt32.self, at: place)), place + 4) }
    return (Int(view.load(UInt16.self, at: place)), place + 2)
  }
}

extension ByteBuffer {
  mutating func append(shapeNumber number: Int) {
    let offset = count
    appendRoom(ShapeNumber.byteCount(of: number))
    store(shapeNumber: number, at: offset)
  }

  mutating func store(shapeNumber number: Int, at offset: Int) {
    switch ShapeNumber.byteCount(of: number) {
    case 1: store(UInt8(truncatingIfNeeded: number), at: offset)
    case 3:
      store(ShapeNumber.two, at: offset)
      store(UInt16(truncatingIfNeeded: number), at: offset + 1)
    default:
      store(ShapeNumber.four, at: offset)
      store(UInt32(truncatingIfNeeded: number), at: offset + 1)
    }
  }
}

/// The width of the numbers that store ends (Spec/archive.md, 1): the smallest one that fits the length of the part
/// around them.
@usableFromInline
package enum EndWidth {
  /// The width of ends inside a part of a number of bytes, as a power of two in bytes.
  @inlinable
  @inline(__always)
  package static func inside(_ byteCount: Int) -> UInt32 {
    byteCount < 1 &<< 8 ? 0 : byteCount < 1 &<< 16 ? 1 : 2
  }

  /// The exponent of a width of 1, 2 or 4 bytes; nil for another width.
  static func exponent(ofByteCount byteCount: UInt8) -> UInt32? {
    switch byteCount {
    case 1: 0
    case 2: 1
    case 4: 2
    default: nil
    }
  }

  /// An end in 32 bits, truncated without a check while an object is written.
  ///
  /// An object of more bytes is refused when it is complete (``ObjectEncoder/endObject(_:)``); code that reads
  /// ends back before then calls ``ObjectEncoder/canCountEnds(from:)``.
  @inlinable
  @inline(__always)
  static func cut(_ end: Int) -> UInt32 { UInt32(truncatingIfNeeded: end) }

  /// The smallest width, as a power of two in bytes, that fits the length of `count` ends and `byteCount` other bytes.
  @inlinable
  @inline(__always)
  static func smallest(of count: Int, besides byteCount: Int) -> UInt32 {
    byteCount &+ count < 1 &<< 8 ? 0 : byteCount &+ count &* 2 < 1 &<< 16 ? 1 : 2
  }
}

/// The positions of the values of a record, computed from the tags and never read from the archive.
///
/// The rule is in Spec/archive.md, 5.2: the slots follow each other in order, without gaps. Truth values, and whether
/// a value is nil, are bits: before the slot with the first of eight bits, there is a byte for them. So the position
/// of a slot depends only on the slots before it. A variable value has no slot, only the end of a payload: the ends
/// follow the slots, and the payloads follow the ends. The last payload ends where the record ends, and has no stored
/// end.
@usableFromInline
package struct RecordLayout: BitwiseCopyable, Sendable {
  @usableFromInline
  package struct Placement: BitwiseCopyable, Sendable {
    /// The offset of the slot in the body; for a variable value, the index of its payload, or in a shape that is
    /// read, the offset of its end if ends have one byte each.
    @usableFromInline package var offset: UInt32
    /// The offset of the byte with the value's nil bit, if it may be nil.
    @usableFromInline package var nilOffset: UInt32
    /// The value's nil bit in that byte, or 0 when it cannot be nil.
    @usableFromInline package var nilMask: UInt8
    /// The bit of a value that is a bit, in the byte at its offset.
    @usableFromInline package var bit: UInt8
    /// The offset of the byte of bits that begins with this value, or -1 if none does.
    @usableFromInline var openedByte: Int32
  }

  /// The bytes up to the end of the last slot.
  @usableFromInline package var byteCount: UInt32 = 0
  @usableFromInline var variableCount: UInt32 = 0
  private var bitCount: UInt32 = 0
  /// The offset of the last byte of bits.
  private var bitsOffset: UInt32 = 0
  private(set) var hasContainer = false
  /// The depth of records inside each other in slots, counting this one.
  private(set) var depth: UInt8 = 1
  var hasReservedKey = false

  init() {}

  mutating func add(_ tag: ArchiveTag, isNullable: Bool) -> Placement {
    var placement = Placement(
      offset: 0, nilOffset: 0, nilMask: 0, bit: 0, openedByte: -1)
    if isNullable { (placement.nilOffset, placement.nilMask) = nextBit(&placement.openedByte) }
    if tag.isBit {
      (placement.offset, placement.bit) = nextBit(&placement.openedByte)
    } else if tag.isVariable {
      placement.offset = variableCount
      variableCount += 1
    } else {
      placement.offset = byteCount
      byteCount += UInt32(tag.byteCount)
    }
    if tag.isContainer { hasContainer = true }
    return placement
  }

  /// Places a record that is stored in its slot, by the layout of its own shape.
  mutating func add(inline cell: RecordLayout) -> Placement {
    let placement = Placement(
      offset: byteCount, nilOffset: 0, nilMask: 0, bit: 0, openedByte: -1)
    byteCount += cell.byteCount
    depth = max(depth, cell.depth + 1)
    hasContainer = true
    return placement
  }

  /// Takes the next bit, and adds a byte of bits if all are taken.
  private mutating func nextBit(_ openedByte: inout Int32) -> (offset: UInt32, mask: UInt8) {
    if bitCount & 7 == 0 {
      bitsOffset = byteCount
      byteCount += 1
      openedByte = Int32(bitsOffset)
    }
    defer { bitCount += 1 }
    return (bitsOffset, 1 << UInt8(bitCount & 7))
  }

  /// The number of payloads with a stored end: all but the last.
  @inlinable package var endCount: Int { variableCount == 0 ? 0 : Int(variableCount &- 1) }

  /// True when such records can be cells (Spec/archive.md, 4.3).
  var isCell: Bool {
    variableCount == 0 && 1...65_535 ~= byteCount && !hasReservedKey && depth <= 8
  }

  /// The bytes of every body if they are the same, else 0 (Spec/archive.md, 4.3).
  @inlinable var fixedByteCount: Int { variableCount == 0 ? Int(byteCount) : 0 }
}

extension ArchiveError {
  /// The error for a record whose length differs from that of its parts.
  @inline(never)
  @usableFromInline
  package static func recordLength(_ range: Range<Int>) -> ArchiveError {
    .damaged("the length of a record does not match its values", at: range.lowerBound)
  }
}

// The layout of arrays (Spec/archive.md, 5.5).

/// The first byte of an array's payload, unless it is the tag of all elements.
package enum ArrayForm {
  /// The elements have tags of their own.
  static let mixed = ArchiveTag.any.rawValue
  /// Elements of a fixed width, at least one of them nil.
  static let nullable: UInt8 = 0x91
  /// Numbers that are aligned, because there are many.
  static let aligned: UInt8 = 0x92
  /// Arrays of numbers of one tag, all of one length.
  static let rows: UInt8 = 0x93
  /// Reserved for later versions.
  static let unknown: ClosedRange<UInt8> = 0x94...0x97
  /// Records of one shape of a fixed width.
  static let records = ArchiveTag.inline.rawValue
  /// Enumerations of one shape of a fixed width.
  static let enumerations: UInt8 = 0x80

  /// The form of records or enumerations that have one shape of a fixed width.
  static func cells(of tag: ArchiveTag) -> UInt8 { tag == .record ? records : enumerations }

  /// Whether the bytes of a value are an array in an unknown form, or a dictionary with such values.
  package static func isUnknown(_ tag: ArchiveTag, _ bytes: [UInt8]) -> Bool {
    isUnknown(tag, ByteRegion(bytes).view, 0..<bytes.count)
  }

  /// Whether a value is an array in an unknown form, or a dictionary with such values (Spec/archive.md, 5.5).
  ///
  /// It is skipped like a value of an unknown kind.
  package static func isUnknown(_ tag: ArchiveTag, _ view: ByteView, _ range: Range<Int>) -> Bool {
    var first = range.lowerBound
    if tag == .dictionary, !range.isEmpty {
      let width = EndWidth.inside(range.count)
      let keys = first + 1 << Int(width)
      guard keys <= range.upperBound else { return false }
      first = keys + view.end(0, endsAt: first, width: width)
    } else if tag != .array {
      return false
    }
    return first < range.upperBound && unknown ~= view.load(UInt8.self, at: first)
  }
}

/// The start of aligned numbers, and the zero bytes around them.
///
/// The number of zero bytes before and after them is such that the array takes the same number of bytes at any
/// offset.
enum AlignedNumbers {
  /// The form, the tag, and the number of zero bytes before the numbers.
  static let headByteCount = 3
  /// The minimum number of bytes of numbers that are aligned.
  static let leastByteCount = 256

  static func areAligned(_ tag: ArchiveTag, count: Int) -> Bool {
    tag.alignment > 1 && count * tag.byteCount >= leastByteCount
  }

  /// The number of zero bytes before the numbers of an array that begins at an offset.
  static func zerosBefore(_ tag: ArchiveTag, at start: Int) -> Int {
    -(start + headByteCount) & (tag.alignment - 1)
  }
}

/// The elements of an array while it is written, before their widths are known.
///
/// They have room for the head, then the tags if each element has its own, then an end of four bytes for each.
enum StagedElements {
  static let headByteCount = 8
  static let endByteCount = 4
  /// The bytes of the length of the keys of a dictionary.
  static let keysLengthByteCount = 4
}

extension ByteBuffer {
  /// Aligns the numbers of an array again, after it was moved.
  mutating func align(arrayAt start: Int, byteCount: Int) {
    let tag = ArchiveTag(rawValue: load(UInt8.self, at: start + 1))
    let before = Int(load(UInt8.self, at: start + 2))
    let wanted = AlignedNumbers.zerosBefore(tag, at: start)
    if before == wanted { return }
    let first = start + AlignedNumbers.headByteCount
    shift(first + before..<first + before + byteCount, to: first + wanted)
    clear(first..<first + wanted)
    clear(first + wanted + byteCount..<first + tag.alignment - 1 + byteCount)
    store(UInt8(truncatingIfNeeded: wanted), at: start + 2)
  }

  /// Packs truth values of a byte each into bits, and puts a bit 1 after the last.
  mutating func packBits(_ count: Int, at start: Int) {
    var byte: UInt8 = 0
    for index in 0..<count {
      byte |= load(UInt8.self, at: start + index) << UInt8(index & 7)
      if index & 7 == 7 {
        store(byte, at: start + index / 8)
        byte = 0
      }
    }
    truncate(to: start + count / 8)
    append(byte | 1 << UInt8(count & 7))
  }

  /// Appends a number with a width as a power of two in bytes.
  mutating func append(number: Int, width: UInt32) {
    appendRoom(1 << Int(width))
    store(number, width: width, at: count - 1 << Int(width))
  }

  /// Stores a number with a width as a power of two in bytes.
  mutating func store(_ number: Int, width: UInt32, at offset: Int) {
    switch width {
    case 0: store(UInt8(truncatingIfNeeded: number), at: offset)
    case 1: store(UInt16(truncatingIfNeeded: number), at: offset)
    default: store(UInt32(truncatingIfNeeded: number), at: offset)
    }
  }
}

extension ArrayForm {
  /// Whether the payload of an array needs no more checks: it is empty, or has numbers of one tag side by side, as a
  /// writer writes them.
  @inline(__always)
  static func isPlainNumbers(_ view: ByteView, _ range: Range<Int>) -> Bool {
    if range.isEmpty { return true }
    let tag = ArchiveTag(rawValue: view.load(UInt8.self, at: range.lowerBound))
    guard tag.hasFreeBits, tag.isWellFormed else { return false }
    let byteCount = range.count &- 1
    return byteCount > 0 && byteCount & (tag.byteCount &- 1) == 0
      && (byteCount < AlignedNumbers.leastByteCount || tag.alignment == 1)
  }
}

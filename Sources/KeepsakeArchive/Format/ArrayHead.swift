/// What an array with elements begins with (Spec/archive.md, 5.5).
struct ArrayHead: BitwiseCopyable {
  static let byteCount = MemoryLayout<UInt64>.size
  /// The end of an element of width class 6, and of any element that has a tag of its own.
  static let endByteCount = MemoryLayout<UInt32>.size
  /// Where in the head the number of elements is.
  static let countOffset = 4

  /// The tag that all elements share, or `any`.
  var tag: ArchiveTag
  var hasNilBits = false
  /// How many zero bytes come before the slots.
  var zerosBefore = 0
  var count: Int

  /// The zero bytes after the slots: before and after them are as many wherever the array lies.
  var zerosAfter: Int { tag.alignment - 1 - zerosBefore }

  /// The bytes of the nil bits.
  var nilBitsByteCount: Int { hasNilBits ? (count + 7) / 8 : 0 }

  init(tag: ArchiveTag, count: Int, hasNilBits: Bool = false, zerosBefore: Int = 0) {
    self.tag = tag
    self.count = count
    self.hasNilBits = hasNilBits
    self.zerosBefore = zerosBefore
  }

  /// The head for an array whose slots are aligned if it begins at an offset.
  init(tag: ArchiveTag, count: Int, at offset: Int) {
    self.init(
      tag: tag, count: count, zerosBefore: -(offset + ArrayHead.byteCount) & (tag.alignment - 1))
  }

  /// What eight bytes say; those that have to be zero are not looked at.
  init(_ word: UInt64) {
    tag = ArchiveTag(rawValue: UInt8(truncatingIfNeeded: word))
    hasNilBits = word >> 8 & 1 != 0
    zerosBefore = Int(word >> 16 & 0xFF)
    count = Int(word >> 32)
  }

  /// The eight bytes.
  var word: UInt64 {
    UInt64(tag.rawValue) | (hasNilBits ? 1 << 8 : 0) | UInt64(zerosBefore) << 16
      | UInt64(UInt32(truncatingIfNeeded: count)) << 32
  }
}

// How arrays lie among the bytes. Numbers are aligned: so many zero bytes come before them that they
// are, and so many after them that all are as many wherever the array lies.

extension ByteBuffer {
  /// What the head of an array says that was appended.
  func arrayHead(at start: Int) -> ArrayHead { ArrayHead(load(UInt64.self, at: start)) }

  /// Aligns the slots of an array of numbers after it was moved.
  mutating func align(arrayAt start: Int) {
    let old = arrayHead(at: start)
    var new = ArrayHead(tag: old.tag, count: old.count, at: start)
    if new.zerosBefore == old.zerosBefore { return }
    new.hasNilBits = old.hasNilBits
    let first = start + ArrayHead.byteCount
    let length = old.count * old.tag.byteCount + old.nilBitsByteCount
    let slots = first + new.zerosBefore
    shift(first + old.zerosBefore..<first + old.zerosBefore + length, to: slots)
    clear(first..<slots)
    clear(slots + length..<slots + length + new.zerosAfter)
    store(new.word, at: start)
  }

  /// The end of a payload of a record.
  func end(_ index: Int, width: UInt32, at ends: Int) -> Int {
    let offset = ends + index << Int(width)
    return switch width {
    case 0: Int(load(UInt8.self, at: offset))
    case 1: Int(load(UInt16.self, at: offset))
    default: Int(load(UInt32.self, at: offset))
    }
  }
}

// Whether bytes are text, without a string made of them.

extension ByteView {
  /// Whether no byte of a range has its highest bit set.
  @inline(__always)
  func isASCII(_ range: Range<Int>) -> Bool {
    unsafe buffer(range).isASCIIText
  }

  /// Whether a range is well-formed UTF-8; most texts are ASCII.
  @inline(__always)
  func isUTF8(_ range: Range<Int>) -> Bool {
    unsafe buffer(range).isASCIIText || buffer(range).isWellFormedUTF8
  }

  /// Whether the payload of an array is that of no elements, or of numbers of one tag side by side, as a
  /// writer writes them: then there is nothing more to check in it.
  @inline(__always)
  func isPlainNumbers(_ range: Range<Int>) -> Bool {
    if range.isEmpty { return true }
    let tag = ArchiveTag(rawValue: load(UInt8.self, at: range.lowerBound))
    guard tag.hasFreeBits, tag.isWellFormed else { return false }
    let byteCount = range.count &- 1
    return byteCount > 0 && byteCount & (tag.byteCount &- 1) == 0
      && (byteCount < AlignedNumbers.leastByteCount || tag.alignment == 1)
  }

  /// The largest of numbers of 1, 2 or 4 bytes that fill a range, of which there is at least one, and where
  /// the first of these lies.
  func largestReference(in range: Range<Int>, width: Int) -> (number: UInt32, offset: Int) {
    switch width {
    case 1: largest(UInt8.self, in: range)
    case 2: largest(UInt16.self, in: range)
    default: largest(UInt32.self, in: range)
    }
  }

  @inline(__always)
  private func largest<Word: FixedWidthInteger & BitwiseCopyable>(
    _ type: Word.Type, in range: Range<Int>
  ) -> (number: UInt32, offset: Int) {
    let source = unsafe UnsafeRawBufferPointer(buffer(range))
    var largest = (number: Word.zero, offset: 0)
    var offset = 0
    while offset &+ MemoryLayout<Word>.size <= source.count {
      let word = Word(
        littleEndian: unsafe source.loadUnaligned(fromByteOffset: offset, as: Word.self))
      if word > largest.number { largest = (word, offset) }
      offset &+= MemoryLayout<Word>.size
    }
    return (UInt32(largest.number), range.lowerBound + largest.offset)
  }
}

/// The bits of eight bytes that ASCII does not have.
private let highBits: UInt64 = 0x8080_8080_8080_8080

extension UnsafeBufferPointer<UInt8> {
  /// Whether no byte has its highest bit set.
  @inline(__always)
  fileprivate var isASCIIText: Bool {
    guard count >= 64 else { return unsafe isASCII(self) }
    return unsafe endOfASCII(from: 0) == count
  }

  /// Where the first byte lies from an offset on that has its highest bit set; the end if none does.
  private func endOfASCII(from start: Int) -> Int {
    let raw = UnsafeRawBufferPointer(self)
    var offset = start
    while offset &+ 64 <= count {
      let one = unsafe raw.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
      let two = unsafe raw.loadUnaligned(fromByteOffset: offset &+ 16, as: SIMD16<UInt8>.self)
      let three = unsafe raw.loadUnaligned(fromByteOffset: offset &+ 32, as: SIMD16<UInt8>.self)
      let four = unsafe raw.loadUnaligned(fromByteOffset: offset &+ 48, as: SIMD16<UInt8>.self)
      let all = unsafe unsafeBitCast((one | two) | (three | four), to: SIMD2<UInt64>.self)
      if (all[0] | all[1]) & highBits != 0 { break }
      offset &+= 64
    }
    while offset &+ 8 <= count {
      let word = UInt64(
        littleEndian: unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      let high = word & highBits
      if high != 0 { return offset &+ high.trailingZeroBitCount &>> 3 }
      offset &+= 8
    }
    while offset < count, unsafe self[offset] < 0x80 { offset &+= 1 }
    return offset
  }

  /// Whether the bytes are well-formed UTF-8: each scalar in its shortest form, no half of a surrogate pair,
  /// none above U+10FFFF.
  @inline(never)
  fileprivate var isWellFormedUTF8: Bool {
    var offset = unsafe endOfASCII(from: 0)
    while offset < count {
      let length = unsafe lengthOfScalar(at: offset)
      if length == 0 { return false }
      offset &+= length
      // After a scalar of several bytes mostly comes another one, or a short run of ASCII.
      if offset < count, unsafe self[offset] < 0x80 {
        offset = unsafe endOfASCII(from: offset)
      }
    }
    return true
  }

  /// How many bytes the scalar of several bytes takes that begins at an offset, 0 if there is none.
  @inline(__always)
  private func lengthOfScalar(at offset: Int) -> Int {
    let rest = count &- offset
    // The first byte in the lowest bits; bytes after the end are zero, which continue nothing.
    var word: UInt32 = 0
    if rest >= 4 {
      word = UInt32(
        littleEndian: unsafe UnsafeRawBufferPointer(self)
          .loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    } else {
      for index in 0..<rest {
        word |= UInt32(unsafe self[offset &+ index]) &<< UInt32(8 &* index)
      }
    }
    if word & 0xC0E0 == 0x80C0 {
      // At least U+0080.
      return word & 0x1E != 0 ? 2 : 0
    }
    if word & 0xC0_C0F0 == 0x80_80E0 {
      // At least U+0800, and none of U+D800 to U+DFFF.
      let bits = word & 0x200F
      return bits != 0 && bits != 0x200D ? 3 : 0
    }
    if word & 0xC0C0_C0F8 == 0x8080_80F0 {
      // At least U+10000, at most U+10FFFF.
      let bits = word & 0x3007
      return bits != 0 && (bits & 0x0004 == 0 || bits & 0x3003 == 0) ? 4 : 0
    }
    return 0
  }
}

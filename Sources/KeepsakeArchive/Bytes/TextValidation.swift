// These functions check that bytes are text, without making a string.

extension ByteView {
  /// Whether no byte of a range has its highest bit set.
  @inline(__always)
  func isASCII(_ range: Range<Int>) -> Bool {
    unsafe buffer(range).isASCIIText
  }

  /// Whether a range is well-formed UTF-8; most texts are ASCII.
  @inline(__always)
  package func isUTF8(_ range: Range<Int>) -> Bool {
    unsafe buffer(range).isASCIIText || isWellFormedUTF8(buffer(range))
  }

  /// The largest of the numbers of 1, 2 or 4 bytes that fill a range, and where the first of the largest starts.
  ///
  /// The range has at least one number.
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

extension UnsafeBufferPointer<UInt8> {
  /// Whether no byte has its highest bit set; long texts are checked 64 bytes at a time.
  @inline(__always)
  fileprivate var isASCIIText: Bool {
    unsafe count < 64 ? isASCII(self) : isLongASCII
  }

  @inline(never)
  private var isLongASCII: Bool {
    let raw = UnsafeRawBufferPointer(self)
    var offset = 0
    while offset &+ 64 <= count {
      let one = unsafe raw.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
      let two = unsafe raw.loadUnaligned(fromByteOffset: offset &+ 16, as: SIMD16<UInt8>.self)
      let three = unsafe raw.loadUnaligned(fromByteOffset: offset &+ 32, as: SIMD16<UInt8>.self)
      let four = unsafe raw.loadUnaligned(fromByteOffset: offset &+ 48, as: SIMD16<UInt8>.self)
      let all = unsafe unsafeBitCast((one | two) | (three | four), to: SIMD2<UInt64>.self)
      if (all[0] | all[1]) & 0x8080_8080_8080_8080 != 0 { return false }
      offset &+= 64
    }
    return unsafe isASCII(UnsafeBufferPointer(rebasing: self[offset...]))
  }
}

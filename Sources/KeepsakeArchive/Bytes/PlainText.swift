// Text that is copied as it is, found sixteen bytes at a time.

extension Span<UInt8> {
  package var isUTF8: Bool { unsafe withUnsafeBufferPointer { unsafe isWellFormedUTF8($0) } }

  /// Finds the first quotation mark, backslash or control character of ASCII.
  ///
  /// - Parameter start: The index where the search begins.
  /// - Returns: Its index; `count` when the text has no such byte.
  package func endOfPlainText(from start: Int) -> Int {
    precondition(start >= 0)
    var index = start
    while index <= count &- 16 {
      let block = unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: index, as: SIMD16<UInt8>.self)
      let ends = (block .== 0x22) .| (block .== 0x5C) .| (block .< 0x20)
      let words = unsafe unsafeBitCast(ends, to: SIMD2<UInt64>.self)
      if words[0] != 0 { return index &+ UInt64(littleEndian: words[0]).trailingZeroBitCount / 8 }
      if words[1] != 0 {
        return index &+ 8 &+ UInt64(littleEndian: words[1]).trailingZeroBitCount / 8
      }
      index &+= 16
    }
    while index < count {
      let byte = self[index]
      if byte == 0x22 || byte == 0x5C || byte < 0x20 { return index }
      index &+= 1
    }
    return count
  }
}

extension [UInt8] {
  /// Appends the bytes of a number, the lowest first.
  mutating func appendLittleEndian<Number: FixedWidthInteger>(_ number: Number) {
    for index in 0..<(Number.bitWidth / 8) {
      append(UInt8(truncatingIfNeeded: number >> (8 * index)))
    }
  }

  /// Appends `bytes` after their count as a 64-bit number (Spec/seal.md, section 1).
  mutating func appendLengthPrefixed(_ bytes: [UInt8]) {
    appendLittleEndian(UInt64(bytes.count))
    append(contentsOf: bytes)
  }

  /// The number whose lowest byte is at `offset`; the caller has checked the length.
  func littleEndian<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type) -> Number {
    var number: Number = 0
    for index in 0..<(Number.bitWidth / 8) {
      number |= Number(truncatingIfNeeded: self[offset + index]) << (8 * index)
    }
    return number
  }

  /// Whether all bytes of `range` are zero.
  func isZero(_ range: Range<Int>) -> Bool {
    let bytes = span
    var union: UInt8 = 0
    for index in range { union |= bytes[index] }
    return union == 0
  }
}

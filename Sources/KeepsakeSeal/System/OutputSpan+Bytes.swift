extension OutputSpan<UInt8> {
  /// Appends some bytes, for which there is room.
  mutating func append(_ bytes: [UInt8]) { append(bytes, 0..<bytes.count) }

  /// Appends the bytes of a number, the lowest first.
  mutating func appendLittleEndian<Number: FixedWidthInteger>(_ number: Number) {
    for index in 0..<(Number.bitWidth / 8) {
      append(UInt8(truncatingIfNeeded: number >> (8 * index)))
    }
  }

  /// Appends `bytes` after their count as a 64-bit number (Spec/seal.md, section 1).
  mutating func appendLengthPrefixed(_ bytes: [UInt8]) {
    appendLittleEndian(UInt64(bytes.count))
    append(bytes)
  }

  /// Appends a part of some bytes, for which there is room.
  mutating func append(_ bytes: [UInt8], _ range: Range<Int>) {
    unsafe withUnsafeMutableBufferPointer { buffer, count in
      unsafe bytes.withUnsafeBytes { source in
        let room = UnsafeMutableRawBufferPointer(buffer)
        unsafe UnsafeMutableRawBufferPointer(rebasing: room[count..<count + range.count])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[range]))
      }
      count += range.count
    }
  }
}

extension [UInt8] {
  /// As many bytes as `write` appends, of which the most are known beforehand.
  ///
  /// Quicker than appending to an array, which looks each time whether it is the only owner of its bytes and has
  /// room.
  static func laidOut(
    _ capacity: Int, by write: (inout OutputSpan<UInt8>) -> Void
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(addingCapacity: capacity) { write(&$0) }
    return bytes
  }
}

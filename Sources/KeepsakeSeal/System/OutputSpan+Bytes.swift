extension OutputSpan<UInt8> {
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

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension [UInt8] {
  /// Whether the first bytes are those; not in constant time.
  func hasPrefix(_ other: [UInt8]) -> Bool {
    guard other.count <= count else { return false }
    return unsafe withUnsafeBytes { own in
      unsafe other.withUnsafeBytes { other in
        guard let own = own.baseAddress, let start = other.baseAddress else { return true }
        return unsafe memcmp(own, start, other.count) == 0
      }
    }
  }

  /// `count` bytes, all of which `fill` writes; they are not cleared before.
  static func filled(
    _ count: Int, by fill: (UnsafeMutableRawBufferPointer) throws(SealError) -> Void
  ) throws(SealError) -> [UInt8] {
    var bytes: [UInt8] = []
    // Quicker than the initialiser that gives out such memory, which looks for its type at run time.
    try bytes.append(addingCapacity: count) { output throws(SealError) in
      try unsafe output.withUnsafeMutableBufferPointer {
        buffer, initializedCount throws(SealError) in
        try unsafe fill(UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count))
        initializedCount = count
      }
    }
    return bytes
  }
}

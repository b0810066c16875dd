extension [UInt8] {
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

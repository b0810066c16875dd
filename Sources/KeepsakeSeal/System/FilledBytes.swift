extension [UInt8] {
  /// `count` bytes, all of which `fill` writes; they are not cleared before.
  static func filled(
    _ count: Int, by fill: (UnsafeMutableRawBufferPointer) throws(SealError) -> Void
  ) throws(SealError) -> [UInt8] {
    var failure: SealError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      let exact = unsafe UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count)
      do throws(SealError) {
        try unsafe fill(exact)
        initializedCount = count
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}

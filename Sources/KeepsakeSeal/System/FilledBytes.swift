#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension [UInt8] {
  /// `count` bytes, all of which `fill` writes; they are not cleared before.
  static func filled(
    _ count: Int, by fill: (UnsafeMutableRawBufferPointer) throws(SealError) -> Void
  ) throws(SealError) -> [UInt8] {
    var failure: SealError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      let exact = unsafe UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count)
      unsafe adviseLargePages(exact)
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

  /// Asks for large pages where there is much new memory: to map 4 KiB at a time takes almost as long
  /// as to decrypt into it.
  private static func adviseLargePages(_ bytes: UnsafeMutableRawBufferPointer) {
    #if os(Linux)
      let pageSize = 2 << 20
      guard bytes.count >= 4 * pageSize, let base = bytes.baseAddress else { return }
      let start = unsafe base.alignedUp(toMultipleOf: pageSize)
      let length = unsafe bytes.count - (start - base)
      // A wish: what cannot be had is had in small pages.
      _ = unsafe madvise(start, length - length % pageSize, MADV_HUGEPAGE)
    #endif
  }
}

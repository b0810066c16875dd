#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Memory that was just allocated, and that the system has given no pages yet.
enum NewPages {
  /// Less than this is not worth a call of its own.
  private static let leastLength = 1 << 16
  private static let pageSize = 4_096

  /// Gives `bytes` their pages by one call, just before they are written.
  ///
  /// One by one, as they are first written to, would take almost as long as to decrypt into them.
  static func prepare(_ bytes: UnsafeMutableRawBufferPointer) {
    #if os(Linux)
      guard bytes.count >= leastLength, let base = bytes.baseAddress else { return }
      let start = unsafe base.alignedUp(toMultipleOf: pageSize)
      let length = unsafe bytes.count - (start - base)
      // MADV_POPULATE_WRITE of Linux 5.14. It changes no byte, and where it fails the pages come one
      // by one.
      _ = unsafe madvise(start, length - length % pageSize, 23)
    #endif
  }
}

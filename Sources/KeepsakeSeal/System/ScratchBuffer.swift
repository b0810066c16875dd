#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Memory that one thread uses over and over: room for the sealed bytes of a batch, and for its plaintext.
///
/// So its pages are mapped and in the cache. It is allocated when it is first used.
@safe
final class ScratchBuffer {
  /// How much room there is.
  struct Size {
    var sealed = 0
    var plaintext = 0
  }

  private let size: Size
  private var memory: UnsafeMutableRawBufferPointer?

  init(_ size: Size) {
    self.size = size
    unsafe memory = nil
  }

  deinit { unsafe memory?.deallocate() }

  /// Both parts begin at a cache line.
  private var plaintextStart: Int { (size.sealed + 63) & ~63 }

  private var bytes: UnsafeMutableRawBufferPointer {
    if let memory = unsafe memory { return unsafe memory }
    let new = UnsafeMutableRawBufferPointer.allocate(
      byteCount: plaintextStart + size.plaintext, alignment: 64)
    unsafe memory = new
    return unsafe new
  }

  /// The first `count` bytes of the room for sealed bytes.
  func sealed(_ count: Int) -> UnsafeMutableRawBufferPointer {
    // Within this part alone, so that a debug build finds a part that was planned too small.
    unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<size.sealed][..<count])
  }

  /// The first `count` bytes of the room for plaintext.
  func plaintext(_ count: Int) -> UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(
      rebasing: bytes[plaintextStart..<plaintextStart + count])
  }
}

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

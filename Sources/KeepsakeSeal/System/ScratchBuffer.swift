#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Memory that one thread reuses: space for the sealed bytes of a batch, and for its plaintext.
///
/// Reuse keeps its pages mapped and in the cache. It is allocated on first use.
@safe
final class ScratchBuffer {
  /// The space for each part, in bytes.
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

  /// The start of the plaintext; both parts start at a cache line.
  private var plaintextStart: Int { (size.sealed + 63) & ~63 }

  private var bytes: UnsafeMutableRawBufferPointer {
    if let memory = unsafe memory { return unsafe memory }
    let new = UnsafeMutableRawBufferPointer.allocate(
      byteCount: plaintextStart + size.plaintext, alignment: 64)
    unsafe memory = new
    return unsafe new
  }

  /// The first `count` bytes of the space for sealed bytes.
  func sealed(_ count: Int) -> UnsafeMutableRawBufferPointer {
    // Slicing twice lets a debug build detect a part that was planned too small.
    unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<size.sealed][..<count])
  }

  /// The first `count` bytes of the space for plaintext.
  func plaintext(_ count: Int) -> UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(
      rebasing: bytes[plaintextStart..<plaintextStart + count])
  }
}

/// Memory that was just allocated, and has no pages yet.
enum NewPages {
  /// The shortest memory, in bytes, that is worth a system call.
  private static let leastLength = 1 << 16
  private static let pageSize = 4_096

  /// Maps all pages of `bytes` in one call, just before they are written.
  ///
  /// Page faults, one for each page, would take almost as long as decrypting into the memory.
  static func prepare(_ bytes: UnsafeMutableRawBufferPointer) {
    #if os(Linux)
      guard bytes.count >= leastLength, let base = bytes.baseAddress else { return }
      let start = unsafe base.alignedUp(toMultipleOf: pageSize)
      let length = unsafe bytes.count - (start - base)
      // MADV_POPULATE_WRITE of Linux 5.14. It changes no byte. If it fails, the pages are mapped one by one.
      _ = unsafe madvise(start, length - length % pageSize, 23)
    #endif
  }
}

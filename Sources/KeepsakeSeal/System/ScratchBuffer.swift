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
    unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
  }

  /// The first `count` bytes of the room for plaintext.
  func plaintext(_ count: Int) -> UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(
      rebasing: bytes[plaintextStart..<plaintextStart + count])
  }
}

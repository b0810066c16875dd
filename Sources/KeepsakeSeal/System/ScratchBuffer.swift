/// Memory that one thread uses over and over, so that its pages are mapped and in the cache: room for
/// the sealed bytes of a batch, and for its plaintext.
@safe
final class ScratchBuffer {
  /// How much room there is.
  struct Size {
    var sealed = 0
    var plaintext = 0
  }

  private let bytes: UnsafeMutableRawBufferPointer
  private let plaintextStart: Int

  init(_ size: Size) {
    // Both parts begin at a cache line.
    plaintextStart = (size.sealed + 63) & ~63
    unsafe bytes = UnsafeMutableRawBufferPointer.allocate(
      byteCount: plaintextStart + size.plaintext, alignment: 64)
  }

  deinit { unsafe bytes.deallocate() }

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

/// Memory that one thread uses over and over, so that its pages are mapped and in the cache.
@safe
final class ScratchBuffer {
  let bytes: UnsafeMutableRawBufferPointer

  init(length: Int) {
    unsafe bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 64)
  }

  deinit { unsafe bytes.deallocate() }

  /// The first `count` bytes.
  func prefix(_ count: Int) -> UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
  }
}

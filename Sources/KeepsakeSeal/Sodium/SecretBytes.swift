internal import CSodium

/// Secret bytes in guarded memory of their own: locked where the system allows it, kept out of core
/// dumps, wiped when the last reference goes.
///
/// The bytes never change after `init`.
@safe
final class SecretBytes: Sendable {
  let count: Int
  private nonisolated(unsafe) let address: UnsafeMutableRawPointer

  /// Allocates `count` bytes and lets `fill` write all of them.
  init(
    count: Int, filling fill: (UnsafeMutableRawBufferPointer) throws(SealError) -> Void
  ) throws(SealError) {
    try Sodium.requireReady()
    guard let address = unsafe sodium_malloc(count) else {
      throw SealError(.insufficientMemory)
    }
    self.count = count
    unsafe self.address = address
    try unsafe fill(UnsafeMutableRawBufferPointer(start: address, count: count))
  }

  deinit {
    unsafe sodium_free(address)
  }

  /// Calls `body` with the bytes, which must not leave it.
  func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(UnsafeRawBufferPointer(start: address, count: count))
  }
}

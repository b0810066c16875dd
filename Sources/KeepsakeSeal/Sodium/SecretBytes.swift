internal import CSodium

/// Secret bytes in guarded memory: locked where the system allows it, kept out of core dumps, wiped
/// when the last reference goes.
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
    self.count = count
    if count <= SecretCells.cellLength {
      unsafe address = try SecretCells.take()
    } else {
      guard let pages = unsafe SecretMemory.allocate(count) else {
        throw SealError(.insufficientMemory)
      }
      unsafe address = unsafe pages
    }
    try unsafe fill(UnsafeMutableRawBufferPointer(start: address, count: count))
  }

  deinit {
    if count <= SecretCells.cellLength {
      unsafe SecretCells.giveBack(address)
    } else {
      unsafe sodium_free(address)
    }
  }

  /// Calls `body` with the bytes, which must not leave it.
  func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(UnsafeRawBufferPointer(start: address, count: count))
  }
}

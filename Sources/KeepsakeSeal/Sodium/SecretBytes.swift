import KeepsakeFiles
internal import SodiumLibrary

/// Secret bytes in guarded memory: locked if the system allows it, excluded from core dumps, wiped when the
/// last reference is released.
///
/// The bytes never change after `init`.
@safe
package final class SecretBytes: Sendable {
  package let count: Int
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
      unsafe SecretCells.wipeAndFree(address)
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

extension SecretBytes {
  /// Fresh random bytes of the operating system.
  package static func random(count: Int) throws(SealError) -> SecretBytes {
    try unsafe SecretBytes(count: count) { target in
      if let start = target.baseAddress { unsafe randombytes_buf(start, count) }
    }
  }

  /// A copy of `bytes`; the caller wipes its own.
  package convenience init(copying bytes: Span<UInt8>) throws(SealError) {
    // A span cannot be captured, so the address is taken first and used inside its scope.
    try unsafe self.init(count: bytes.count) { target in
      unsafe bytes.withUnsafeBytes { source in unsafe target.copyMemory(from: source) }
    }
  }

  convenience init(joining first: [UInt8], _ second: SecretBytes, _ third: [UInt8] = [])
    throws(SealError)
  {
    let total = first.count + second.count + third.count
    try unsafe self.init(count: total) { target in
      unsafe target.copyBytes(from: first)
      unsafe second.withUnsafeBytes { source in
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[first.count...])
          .copyMemory(from: source)
      }
      unsafe UnsafeMutableRawBufferPointer(rebasing: target[(first.count + second.count)...])
        .copyBytes(from: third)
    }
  }

  /// A copy of one range of these bytes.
  func slice(_ range: Range<Int>) throws(SealError) -> SecretBytes {
    try unsafe SecretBytes(count: range.count) { target in
      unsafe withUnsafeBytes { source in
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[range]))
      }
    }
  }

  /// A range of these bytes as ordinary bytes; only for parts that are not secret.
  func publicBytes(_ range: Range<Int>) -> [UInt8] {
    withSpan { source in
      [UInt8].laidOut(range.count) { output in
        for index in range { output.append(source[index]) }
      }
    }
  }

  /// Whether both hold the same bytes; compared in time that depends on their count only.
  func isEqual(to other: SecretBytes) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBytes { left in
      unsafe other.withUnsafeBytes { right in
        guard let left = left.baseAddress, let right = right.baseAddress else {
          return true
        }
        return unsafe sodium_memcmp(left, right, count) == 0
      }
    }
  }
}

extension SecretBytes {
  /// Calls `body` with the bytes, which cannot leave it.
  func withSpan<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafeBytes { bytes throws(Failure) in
      try unsafe body(Span(_unsafeBytes: bytes))
    }
  }

  /// Allocates `count` bytes and lets `write` append them; the rest is zero.
  convenience init(
    count: Int, writing write: (inout OutputSpan<UInt8>) throws(SealError) -> Void
  ) throws(SealError) {
    try unsafe self.init(count: count) { target throws(SealError) in
      let typed = unsafe target.bindMemory(to: UInt8.self)
      unsafe typed.initialize(repeating: 0)
      var output = unsafe OutputSpan(buffer: typed, initializedCount: 0)
      try write(&output)
      _ = unsafe output.finalize(for: typed)
    }
  }
}

extension SecretBytes {
  /// Calls `body` with guarded memory for `count` numbers, all 0, which is wiped afterwards.
  static func withScratch<Result>(
    count: Int, _ body: (inout MutableSpan<UInt32>) throws(SealError) -> Result
  ) throws(SealError) -> Result {
    var result: Result?
    let scratch = try unsafe SecretBytes(count: count * MemoryLayout<UInt32>.stride) {
      target throws(SealError) in
      let numbers = unsafe target.bindMemory(to: UInt32.self)
      unsafe numbers.initialize(repeating: 0)
      var span = unsafe MutableSpan(_unsafeElements: numbers)
      result = try body(&span)
    }
    withExtendedLifetime(scratch) {}
    guard let result else { throw SealError(.insufficientMemory) }
    return result
  }
}

extension SecretBytes {
  /// Reads the first `count` bytes of a file directly into guarded memory; nil when the file ends before.
  static func reading(
    count: Int, from file: FileDescriptor, path: String
  ) throws(SealError) -> SecretBytes? {
    var received = 0
    let secret = try unsafe SecretBytes(count: count) { target throws(SealError) in
      do throws(SystemFailure) {
        received = try unsafe file.read(into: target, at: 0)
      } catch {
        throw SealError(error, path: path)
      }
    }
    return received == count ? secret : nil
  }
}

extension PendingFile {
  /// Writes a secret at the beginning of the file, straight from its guarded memory.
  func write(_ secret: SecretBytes) throws(SealError) {
    do throws(SystemFailure) {
      try file.write(secret, at: 0)
    } catch {
      throw SealError(error, path: location.path)
    }
  }
}

extension FileDescriptor {
  /// Writes all of a secret at `offset`, directly from guarded memory.
  func write(_ secret: SecretBytes, at offset: UInt64) throws(SystemFailure) {
    try unsafe secret.withUnsafeBytes { bytes throws(SystemFailure) in
      try unsafe write(bytes, at: offset)
    }
  }
}

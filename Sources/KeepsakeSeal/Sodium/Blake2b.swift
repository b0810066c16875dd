internal import SodiumLibrary

/// `crypto_generichash`: BLAKE2b with an output of 16 to 64 bytes, keyed or not.
///
/// A public message has two parts, such as a label and the data that a key is bound to; its digest is that of
/// both parts joined.
package enum Blake2b {
  /// A public digest, unkeyed or keyed with 32 secret bytes.
  package static func hash(
    _ message: [UInt8], _ rest: ArraySlice<UInt8> = [], key: SecretBytes? = nil, count: Int = 32
  ) throws(SealError) -> [UInt8] {
    if key == nil, rest.count > longestCopy {
      return try unsafe rest.span.withUnsafeBytes { rest throws(SealError) in
        try unsafe hash(message, rest, count: count)
      }
    }
    try Sodium.requireReady()
    return try unsafe [UInt8].filled(count) { target throws(SealError) in
      try unsafe compute(message, rest, key: key, into: target)
    }
  }

  /// Longer messages of two parts are hashed part by part, and not joined.
  private static let longestCopy = 4_096

  /// A public, unkeyed digest of two parts, which are not joined.
  static func hash(
    _ message: [UInt8], _ rest: UnsafeRawBufferPointer, count: Int = 32
  ) throws(SealError) -> [UInt8] {
    try Sodium.requireReady()
    var digest = [UInt8](repeating: 0, count: count)
    // libsodium requires its state to be aligned to a cache line.
    let isDone = unsafe withUnsafeTemporaryAllocation(
      byteCount: crypto_generichash_statebytes(), alignment: 64
    ) { memory in
      // Swift cannot import the type of the state because of its alignment.
      guard let start = memory.baseAddress else { return false }
      let state = OpaquePointer(start)
      let bytes = unsafe rest.baseAddress?.assumingMemoryBound(to: UInt8.self)
      return unsafe crypto_generichash_init(state, nil, 0, count) == 0
        && crypto_generichash_update(state, message, UInt64(message.count)) == 0
        && crypto_generichash_update(state, bytes, UInt64(rest.count)) == 0
        && crypto_generichash_final(state, &digest, count) == 0
    }
    guard isDone else { throw SealError(.cryptographyUnavailable) }
    return digest
  }

  /// A public, unkeyed digest of secret bytes.
  static func hash(_ message: SecretBytes, count: Int = 32) throws(SealError) -> [UInt8] {
    try unsafe [UInt8].filled(count) { target throws(SealError) in
      let isDone = unsafe message.withUnsafeBytes { source in
        unsafe compute(source, key: nil, into: target)
      }
      guard isDone else { throw SealError(.cryptographyUnavailable) }
    }
  }

  /// Whether a digest matches a message; compared in time that depends on its length only.
  package static func isDigest(
    _ digest: ArraySlice<UInt8>, of message: [UInt8], _ rest: ArraySlice<UInt8>,
    key: SecretBytes?
  ) throws(SealError) -> Bool {
    try Sodium.requireReady()
    let isEqual = unsafe digest.withUnsafeBytes { expected -> Bool? in
      unsafe withUnsafeTemporaryAllocation(byteCount: expected.count, alignment: 1) { target in
        let isDone = unsafe withJoined(message, rest) { source in
          unsafe compute(source, key: key, into: target)
        }
        guard isDone, let computed = target.baseAddress, let expected = expected.baseAddress else {
          return nil
        }
        return unsafe sodium_memcmp(computed, expected, target.count) == 0
      }
    }
    guard let isEqual else { throw SealError(.cryptographyUnavailable) }
    return isEqual
  }

  /// A secret of `count` bytes, derived from 32 secret bytes and a public message.
  package static func derive(
    _ message: [UInt8], _ rest: ArraySlice<UInt8> = [], key: SecretBytes, count: Int = 32
  ) throws(SealError) -> SecretBytes {
    try unsafe SecretBytes(count: count) { target throws(SealError) in
      try unsafe compute(message, rest, key: key, into: target)
    }
  }

  /// 32 secret bytes, derived from 32 secret bytes and a secret message.
  static func derive(_ message: SecretBytes, key: SecretBytes) throws(SealError) -> SecretBytes {
    try unsafe SecretBytes(count: 32) { target throws(SealError) in
      let isDone = unsafe message.withUnsafeBytes { source in
        unsafe compute(source, key: key, into: target)
      }
      guard isDone else { throw SealError(.cryptographyUnavailable) }
    }
  }

  private static func compute(
    _ message: [UInt8], _ rest: ArraySlice<UInt8>, key: SecretBytes?,
    into target: UnsafeMutableRawBufferPointer
  ) throws(SealError) {
    let isDone = unsafe withJoined(message, rest) { source in
      unsafe compute(source, key: key, into: target)
    }
    guard isDone else { throw SealError(.cryptographyUnavailable) }
  }

  /// Calls `body` with both parts joined, on the stack when they are short.
  private static func withJoined(
    _ first: [UInt8], _ second: ArraySlice<UInt8>, _ body: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    unsafe first.withUnsafeBytes { first in
      unsafe second.withUnsafeBytes { second in
        if unsafe second.isEmpty { return unsafe body(first) }
        if unsafe first.isEmpty { return unsafe body(second) }
        let count = first.count + second.count
        return unsafe withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { joined in
          unsafe joined.copyMemory(from: first)
          unsafe UnsafeMutableRawBufferPointer(rebasing: joined[first.count...])
            .copyMemory(from: second)
          return unsafe body(UnsafeRawBufferPointer(joined))
        }
      }
    }
  }

  private static func compute(
    _ message: UnsafeRawBufferPointer, key: SecretBytes?,
    into target: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard (16...64).contains(target.count),
      let output = unsafe target.baseAddress?.assumingMemoryBound(to: UInt8.self)
    else { return false }
    let input = unsafe message.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let length = UInt64(message.count)
    guard let key else {
      return unsafe crypto_generichash(output, target.count, input, length, nil, 0) == 0
    }
    return unsafe key.withUnsafeBytes { key in
      let start = unsafe key.baseAddress?.assumingMemoryBound(to: UInt8.self)
      return unsafe crypto_generichash(
        output, target.count, input, length, start, key.count) == 0
    }
  }
}

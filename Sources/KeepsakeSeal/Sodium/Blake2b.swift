internal import CSodium

/// `crypto_generichash`: BLAKE2b with an output of 16 to 64 bytes, keyed or not.
enum Blake2b {
  /// A public digest of `message`, unkeyed or keyed with 32 secret bytes.
  static func hash(
    _ message: [UInt8], key: SecretBytes? = nil, count: Int = 32
  ) throws(SealError) -> [UInt8] {
    try hash(message[...], key: key, count: count)
  }

  /// The same of a part of some bytes, without copying it.
  static func hash(
    _ message: ArraySlice<UInt8>, key: SecretBytes? = nil, count: Int = 32
  ) throws(SealError) -> [UInt8] {
    try Sodium.requireReady()
    return try unsafe [UInt8].filled(count) { target throws(SealError) in
      let isDone = unsafe message.withUnsafeBytes { source in
        unsafe compute(source, key: key, into: target)
      }
      guard isDone else { throw SealError(.cryptographyUnavailable) }
    }
  }

  /// A public, unkeyed digest of secret bytes.
  static func hash(_ message: SecretBytes, count: Int = 32) throws(SealError) -> [UInt8] {
    try Sodium.requireReady()
    return try unsafe [UInt8].filled(count) { target throws(SealError) in
      let isDone = unsafe message.withUnsafeBytes { source in
        unsafe compute(source, key: nil, into: target)
      }
      guard isDone else { throw SealError(.cryptographyUnavailable) }
    }
  }

  /// A secret of `count` bytes, derived from 32 secret bytes and a public message.
  static func derive(
    _ message: [UInt8], key: SecretBytes, count: Int = 32
  ) throws(SealError) -> SecretBytes {
    try unsafe SecretBytes(count: count) { target throws(SealError) in
      let isDone = unsafe message.withUnsafeBytes { source in
        unsafe compute(source, key: key, into: target)
      }
      guard isDone else { throw SealError(.cryptographyUnavailable) }
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

internal import SodiumLibrary

/// `crypto_hash_sha256` and `crypto_auth_hmacsha256`, for foreign protocols such as S3.
///
/// No format of this package uses them.
package enum SHA256 {
  /// The digest of public bytes.
  package static func hash(_ message: [UInt8]) throws(SealError) -> [UInt8] {
    try Sodium.requireReady()
    return try unsafe [UInt8].filled(Int(crypto_hash_sha256_bytes())) { target throws(SealError) in
      guard let output = unsafe target.baseAddress?.assumingMemoryBound(to: UInt8.self),
        unsafe crypto_hash_sha256(output, message, UInt64(message.count)) == 0
      else { throw SealError(.cryptographyUnavailable) }
    }
  }

  /// The HMAC of a message, as public bytes; the key has any length.
  package static func authenticationCode(
    of message: [UInt8], key: SecretBytes
  ) throws(SealError) -> [UInt8] {
    try Sodium.requireReady()
    return try unsafe [UInt8].filled(codeLength) { target throws(SealError) in
      try unsafe authenticate(message, key: key, into: target)
    }
  }

  /// The HMAC of a public message, as a secret; the key has any length.
  package static func derive(
    _ message: [UInt8], key: SecretBytes
  ) throws(SealError) -> SecretBytes {
    try unsafe SecretBytes(count: codeLength) { target throws(SealError) in
      try unsafe authenticate(message, key: key, into: target)
    }
  }

  private static var codeLength: Int { Int(crypto_auth_hmacsha256_bytes()) }

  private static func authenticate(
    _ message: [UInt8], key: SecretBytes, into target: UnsafeMutableRawBufferPointer
  ) throws(SealError) {
    let isDone = unsafe key.withUnsafeBytes { key in
      guard let output = unsafe target.baseAddress?.assumingMemoryBound(to: UInt8.self),
        let start = unsafe key.baseAddress?.assumingMemoryBound(to: UInt8.self)
      else { return false }
      var state = crypto_auth_hmacsha256_state()
      defer { unsafe sodium_memzero(&state, MemoryLayout<crypto_auth_hmacsha256_state>.size) }
      guard unsafe crypto_auth_hmacsha256_init(&state, start, key.count) == 0,
        unsafe crypto_auth_hmacsha256_update(&state, message, UInt64(message.count)) == 0
      else { return false }
      return unsafe crypto_auth_hmacsha256_final(&state, output) == 0
    }
    guard isDone else { throw SealError(.cryptographyUnavailable) }
  }
}

internal import SodiumLibrary

/// `crypto_scalarmult_curve25519`: Diffie-Hellman on Curve25519 (RFC 7748).
enum X25519 {
  static let keyLength = 32

  /// The public key of 32 secret bytes.
  static func publicKey(of secret: SecretBytes) throws(SealError) -> [UInt8] {
    try Sodium.requireReady()
    guard secret.count == keyLength else { throw SealError(.invalidKeyLength) }
    var publicKey = [UInt8](repeating: 0, count: keyLength)
    let isDone = unsafe secret.withUnsafeBytes { secret in
      guard let secret = unsafe secret.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
        return false
      }
      return unsafe crypto_scalarmult_base(&publicKey, secret) == 0
    }
    guard isDone else { throw SealError(.cryptographyUnavailable) }
    return publicKey
  }

  /// The secret that both sides compute; nil for a public key that is not canonical, or that has a low order, with
  /// which anyone could compute the secret.
  static func sharedSecret(
    _ secret: SecretBytes, with publicKey: [UInt8]
  ) throws(SealError) -> SecretBytes? {
    guard secret.count == keyLength, isCanonical(publicKey) else { return nil }
    var isUsable = false
    let shared = try unsafe SecretBytes(count: keyLength) { target in
      isUsable = unsafe secret.withUnsafeBytes { secret in
        guard let secret = unsafe secret.baseAddress?.assumingMemoryBound(to: UInt8.self),
          let target = unsafe target.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return false }
        // The call fails when the result is zero.
        return unsafe crypto_scalarmult(target, secret, publicKey) == 0
      }
    }
    return isUsable ? shared : nil
  }

  /// Whether a public key is canonical and not of low order.
  ///
  /// A point of low order gives zero with every secret, so the test can use a constant secret.
  static func isUsable(_ publicKey: [UInt8]) throws(SealError) -> Bool {
    let anySecret = [UInt8](repeating: 8, count: keyLength)
    return try sharedSecret(try SecretBytes(copying: anySecret.span), with: publicKey) != nil
  }

  /// Whether the number is below 2^255 - 19, so that each point has one encoding.
  private static func isCanonical(_ publicKey: [UInt8]) -> Bool {
    guard publicKey.count == keyLength, publicKey[31] < 0x80 else { return false }
    let isLargest = publicKey[31] == 0x7F && publicKey[1..<31].allSatisfy { $0 == 0xFF }
    return !isLargest || publicKey[0] < 0xED
  }
}

/// `crypto_sign`: Ed25519 (RFC 8032), without prehashing.
enum Ed25519 {
  static let seedLength = 32
  static let publicKeyLength = 32
  static let signatureLength = 64

  /// The key pair of a seed; the secret key consists of the seed and the public key.
  static func keyPair(
    seed: SecretBytes
  ) throws(SealError) -> (secretKey: SecretBytes, publicKey: [UInt8]) {
    try Sodium.requireReady()
    guard seed.count == seedLength else { throw SealError(.invalidKeyLength) }
    var publicKey = [UInt8](repeating: 0, count: publicKeyLength)
    let secretKey = try unsafe SecretBytes(count: 64) { target throws(SealError) in
      let isDone = unsafe seed.withUnsafeBytes { seed in
        guard let target = unsafe target.baseAddress?.assumingMemoryBound(to: UInt8.self),
          let seed = unsafe seed.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return false }
        return unsafe crypto_sign_seed_keypair(&publicKey, target, seed) == 0
      }
      guard isDone else { throw SealError(.cryptographyUnavailable) }
    }
    return (secretKey, publicKey)
  }

  static func sign(_ message: [UInt8], with secretKey: SecretBytes) throws(SealError) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: signatureLength)
    let isDone = unsafe secretKey.withUnsafeBytes { secretKey in
      guard secretKey.count == 64,
        let key = unsafe secretKey.baseAddress?.assumingMemoryBound(to: UInt8.self)
      else { return false }
      return unsafe crypto_sign_detached(&signature, nil, message, UInt64(message.count), key) == 0
    }
    guard isDone else { throw SealError(.cryptographyUnavailable) }
    return signature
  }

  /// Whether a signature was made with the public key's secret; false for weak keys and non-canonical
  /// encodings.
  static func isValid(
    _ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]
  ) throws(SealError) -> Bool {
    try Sodium.requireReady()
    guard signature.count == signatureLength, publicKey.count == publicKeyLength else {
      return false
    }
    return unsafe crypto_sign_verify_detached(
      signature, message, UInt64(message.count), publicKey) == 0
  }

  /// Whether a public key is the canonical encoding of a point of the main group.
  static func isUsable(_ publicKey: [UInt8]) throws(SealError) -> Bool {
    try Sodium.requireReady()
    guard publicKey.count == publicKeyLength, isCanonical(publicKey) else { return false }
    // The conversion to Curve25519 fails for points outside of the main group.
    var point = [UInt8](repeating: 0, count: publicKeyLength)
    return unsafe crypto_sign_ed25519_pk_to_curve25519(&point, publicKey) == 0
  }

  /// Whether the number, without the bit for the sign, is below 2^255 - 19.
  private static func isCanonical(_ publicKey: [UInt8]) -> Bool {
    let isLargest = publicKey[31] & 0x7F == 0x7F && publicKey[1..<31].allSatisfy { $0 == 0xFF }
    return !isLargest || publicKey[0] < 0xED
  }
}

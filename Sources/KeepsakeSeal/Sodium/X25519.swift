internal import CSodium

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

  /// What both sides compute, or nil for a public key with which everybody would.
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
  /// Any secret, also this known one, gives zero with a point of low order.
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

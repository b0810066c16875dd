internal import CSodium

extension XChaCha20Poly1305 {
  /// Seals a short public-memory message.
  static func seal(
    _ message: [UInt8], key: SecretBytes, nonce: [UInt8]
  ) throws(SealError) -> [UInt8] {
    try unsafe [UInt8].filled(message.count + tagLength) { target throws(SealError) in
      let isSealed = unsafe message.withUnsafeBytes { source in
        unsafe seal(source, key: key, nonce: nonce, associatedData: [], into: target)
      }
      guard isSealed else { throw SealError(.cryptographyUnavailable) }
    }
  }

  /// Opens a short message, or returns nil when it does not verify.
  static func open(_ sealed: [UInt8], key: SecretBytes, nonce: [UInt8]) -> [UInt8]? {
    guard sealed.count >= tagLength else { return nil }
    var output = [UInt8](repeating: 0, count: sealed.count - tagLength)
    let isOpen = unsafe output.withUnsafeMutableBytes { target in
      unsafe sealed.withUnsafeBytes { source in
        unsafe open(source, key: key, nonce: nonce, associatedData: [], into: target)
      }
    }
    return isOpen ? output : nil
  }

  /// Seals one secret under another.
  static func wrap(
    _ secret: SecretBytes, key: SecretBytes, nonce: [UInt8], associatedData: [UInt8]
  ) throws(SealError) -> [UInt8] {
    try unsafe [UInt8].filled(secret.count + tagLength) { target throws(SealError) in
      let isSealed = unsafe secret.withUnsafeBytes { source in
        unsafe seal(
          source, key: key, nonce: nonce, associatedData: associatedData, into: target)
      }
      guard isSealed else { throw SealError(.cryptographyUnavailable) }
    }
  }

  /// Opens a wrapped secret into guarded memory, or returns nil when it does not verify.
  static func unwrap(
    _ wrapped: [UInt8], key: SecretBytes, nonce: [UInt8], associatedData: [UInt8]
  ) throws(SealError) -> SecretBytes? {
    guard wrapped.count > tagLength else { return nil }
    var isOpen = false
    let secret = try unsafe SecretBytes(count: wrapped.count - tagLength) { target in
      isOpen = unsafe wrapped.withUnsafeBytes { source in
        unsafe open(
          source, key: key, nonce: nonce, associatedData: associatedData, into: target)
      }
    }
    return isOpen ? secret : nil
  }
}

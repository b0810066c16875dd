internal import CSodium

/// Short messages: what stands in a file is the nonce, the ciphertext and the tag.
extension XChaCha20Poly1305 {
  /// Seals a public message, without associated data.
  static func sealAfterNonce(
    _ message: [UInt8], key: SecretBytes, nonce: [UInt8]
  ) throws(SealError) -> [UInt8] {
    try unsafe message.span.withUnsafeBytes { source throws(SealError) in
      try unsafe sealAfterNonce(source, key: key, nonce: nonce, associatedData: [])
    }
  }

  /// Opens what `sealAfterNonce` made; nil when it was altered or the key is another one.
  static func openAfterNonce(_ sealed: ArraySlice<UInt8>, key: SecretBytes) -> [UInt8]? {
    let length = sealed.count - nonceLength - tagLength
    guard length >= 0 else { return nil }
    var isOpen = false
    let output = try? unsafe [UInt8].filled(length) { target in
      isOpen = unsafe openAfterNonce(sealed, key: key, associatedData: [], into: target)
    }
    return isOpen ? output : nil
  }

  /// Seals a secret.
  static func wrap(
    _ secret: SecretBytes, key: SecretBytes, nonce: [UInt8], associatedData: [UInt8]
  ) throws(SealError) -> [UInt8] {
    try unsafe secret.withUnsafeBytes { source throws(SealError) in
      try unsafe sealAfterNonce(source, key: key, nonce: nonce, associatedData: associatedData)
    }
  }

  /// Opens what `wrap` made, into guarded memory; nil when it was altered or the key is another one.
  static func unwrap(
    _ wrapped: ArraySlice<UInt8>, key: SecretBytes, associatedData: [UInt8]
  ) throws(SealError) -> SecretBytes? {
    let length = wrapped.count - nonceLength - tagLength
    guard length > 0 else { return nil }
    var isOpen = false
    let secret = try unsafe SecretBytes(count: length) { target in
      isOpen = unsafe openAfterNonce(
        wrapped, key: key, associatedData: associatedData, into: target)
    }
    return isOpen ? secret : nil
  }

  private static func sealAfterNonce(
    _ message: UnsafeRawBufferPointer, key: SecretBytes, nonce: [UInt8], associatedData: [UInt8]
  ) throws(SealError) -> [UInt8] {
    guard nonce.count == nonceLength else { throw SealError(.cryptographyUnavailable) }
    return try unsafe [UInt8].filled(nonceLength + message.count + tagLength) {
      output throws(SealError) in
      unsafe output.copyBytes(from: nonce)
      let isSealed = unsafe seal(
        message, key: key, nonce: nonce, associatedData: associatedData,
        into: UnsafeMutableRawBufferPointer(rebasing: output[nonceLength...]))
      guard isSealed else { throw SealError(.cryptographyUnavailable) }
    }
  }

  private static func openAfterNonce(
    _ sealed: ArraySlice<UInt8>, key: SecretBytes, associatedData: [UInt8],
    into output: UnsafeMutableRawBufferPointer
  ) -> Bool {
    unsafe sealed.withUnsafeBytes { sealed in
      guard sealed.count >= nonceLength,
        let nonce = unsafe sealed.baseAddress?.assumingMemoryBound(to: UInt8.self)
      else { return false }
      return unsafe open(
        UnsafeRawBufferPointer(rebasing: sealed[nonceLength...]), key: key, nonceAt: nonce,
        associatedData: associatedData, into: output)
    }
  }
}

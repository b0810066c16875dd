internal import SodiumLibrary

/// `crypto_aead_xchacha20poly1305_ietf`: sealed bytes are the ciphertext followed by its tag.
enum XChaCha20Poly1305 {
  static let keyLength = 32
  static let nonceLength = 24
  static let tagLength = SealFormat.tagLength

  /// Seals `plaintext` into `output`, which has space for it and its tag.
  static func seal(
    _ plaintext: UnsafeRawBufferPointer, key: SecretBytes, nonce: [UInt8],
    associatedData: [UInt8], into output: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard nonce.count == nonceLength, key.count >= keyLength,
      output.count == plaintext.count + tagLength
    else { return false }
    return unsafe key.withUnsafeBytes { key in
      guard let key = unsafe key.baseAddress?.assumingMemoryBound(to: UInt8.self),
        let output = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
      else { return false }
      return unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
        output, nil, plaintext.baseAddress?.assumingMemoryBound(to: UInt8.self),
        UInt64(plaintext.count), associatedData, UInt64(associatedData.count), nil, nonce,
        key) == 0
    }
  }

  /// Opens `sealed` into `output`; false, without any plaintext, when the tag does not verify.
  static func open(
    _ sealed: UnsafeRawBufferPointer, key: SecretBytes, nonce: [UInt8],
    associatedData: [UInt8], into output: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard nonce.count == nonceLength else { return false }
    return unsafe open(
      sealed, key: key, nonceAt: nonce, associatedData: associatedData, into: output)
  }

  /// Opens `sealed` with a nonce at an address; its length is not checked here.
  static func open(
    _ sealed: UnsafeRawBufferPointer, key: SecretBytes, nonceAt nonce: UnsafePointer<UInt8>,
    associatedData: [UInt8], into output: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard key.count >= keyLength, sealed.count == output.count + tagLength else { return false }
    return unsafe key.withUnsafeBytes { key in
      guard let key = unsafe key.baseAddress?.assumingMemoryBound(to: UInt8.self),
        let sealed = unsafe sealed.baseAddress?.assumingMemoryBound(to: UInt8.self)
      else { return false }
      return unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
        output.baseAddress?.assumingMemoryBound(to: UInt8.self), nil, nil, sealed,
        UInt64(output.count + tagLength), associatedData, UInt64(associatedData.count), nonce,
        key) == 0
    }
  }
}

/// Short messages, stored as nonce, ciphertext and tag.
extension XChaCha20Poly1305 {
  /// Seals a public message, without associated data.
  static func sealAfterNonce(
    _ message: [UInt8], key: SecretBytes, nonce: [UInt8]
  ) throws(SealError) -> [UInt8] {
    try unsafe message.span.withUnsafeBytes { source throws(SealError) in
      try unsafe sealAfterNonce(source, key: key, nonce: nonce, associatedData: [])
    }
  }

  /// Opens a message that `sealAfterNonce` made; nil when it was changed or the key is wrong.
  static func openAfterNonce(_ sealed: ArraySlice<UInt8>, key: SecretBytes) -> [UInt8]? {
    let length = sealed.count - nonceLength - tagLength
    guard length >= 0 else { return nil }
    var isOpen = false
    let output = try? unsafe [UInt8].filled(length) { target in
      isOpen = unsafe openAfterNonce(sealed, key: key, associatedData: [], into: target)
    }
    return isOpen ? output : nil
  }

  static func wrap(
    _ secret: SecretBytes, key: SecretBytes, nonce: [UInt8], associatedData: [UInt8]
  ) throws(SealError) -> [UInt8] {
    try unsafe secret.withUnsafeBytes { source throws(SealError) in
      try unsafe sealAfterNonce(source, key: key, nonce: nonce, associatedData: associatedData)
    }
  }

  /// Opens a secret that `wrap` made, into guarded memory; nil when it was changed or the key is wrong.
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

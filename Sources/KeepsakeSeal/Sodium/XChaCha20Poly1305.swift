internal import CSodium

/// `crypto_aead_xchacha20poly1305_ietf`: sealed bytes are the ciphertext followed by its tag.
enum XChaCha20Poly1305 {
  static let keyLength = 32
  static let nonceLength = 24
  static let tagLength = SealFormat.tagLength

  /// Seals `plaintext` into `output`, which has room for it and its tag.
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

  /// Opens `sealed` into `output`; false, and nothing released, when the tag does not verify.
  static func open(
    _ sealed: UnsafeRawBufferPointer, key: SecretBytes, nonce: [UInt8],
    associatedData: [UInt8], into output: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard nonce.count == nonceLength else { return false }
    return unsafe open(
      sealed, key: key, nonceAt: nonce, associatedData: associatedData, into: output)
  }

  /// The same with a nonce that lies in memory; its length is not checked here.
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

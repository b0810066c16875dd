/// What only a key holder can read of a header (Spec/seal.md, section 5).
struct EncryptedMetadata: Sendable {
  var plaintextLength: UInt64
  var generation: UInt64
  var creator: String

  /// What is sealed, and what a signer signs.
  var message: [UInt8] {
    [UInt8].laidOut(20 + creator.utf8.count) { output in
      output.appendLittleEndian(plaintextLength)
      output.appendLittleEndian(generation)
      output.appendLittleEndian(UInt32(clamping: creator.utf8.count))
      for byte in creator.utf8 { output.append(byte) }
    }
  }

  /// The sealed form: nonce, ciphertext, tag.
  func sealed(key: SecretBytes, nonce: [UInt8]) throws(SealError) -> [UInt8] {
    try XChaCha20Poly1305.sealAfterNonce(message, key: key, nonce: nonce)
  }

  init(plaintextLength: UInt64, generation: UInt64, creator: String) {
    self.plaintextLength = plaintextLength
    self.generation = generation
    self.creator = creator
  }

  /// Opens the sealed form; what is inside is checked as untrusted input.
  init(opening sealed: ArraySlice<UInt8>, key: SecretBytes) throws(SealError) {
    guard let message = XChaCha20Poly1305.openAfterNonce(sealed, key: key) else {
      throw SealError(.damagedHeader, detail: "encrypted metadata")
    }
    plaintextLength = message.littleEndian(at: 0, as: UInt64.self)
    generation = message.littleEndian(at: 8, as: UInt64.self)
    // Section 5: the creator fills the rest, is short, and is UTF-8.
    let length = message.littleEndian(at: 16, as: UInt32.self)
    guard Int(length) == message.count - 20 else {
      throw SealError(.malformedHeader, detail: "creator")
    }
    guard length > 0 else {
      creator = ""
      return
    }
    guard length <= SealFormat.maximumCreatorLength,
      let creator = String(validating: message[20...], as: UTF8.self)
    else { throw SealError(.malformedHeader, detail: "creator") }
    self.creator = creator
  }
}

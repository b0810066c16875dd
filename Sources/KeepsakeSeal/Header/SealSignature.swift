/// The signature that a reader requires.
public enum SealSignaturePolicy: Sendable {
  /// The reader requires and verifies no signature; anyone who has or had a key of the file may have written it.
  case notRequired
  /// The file must have a valid signature of any signer; ``SealedFile/signer`` is the signer.
  ///
  /// Use it to show the signer, or to trust the first signer that is seen. Anyone who has a key of the file can
  /// sign it with another signing key.
  case anySigner
  /// The file must have a valid signature of one of these signers.
  case trusted([SealSigner])
}

/// The last bytes of a signed file: the content digest, the signer and the signature (Spec/seal.md, sections
/// 6.2 and 6.3).
struct SignatureBlock {
  let contentDigest: [UInt8]
  let publicKey: [UInt8]
  let signature: [UInt8]

  init(
    signing contentDigest: [UInt8], of header: SealedHeader, metadata: EncryptedMetadata,
    schedule: KeySchedule, with key: SealSigningKey
  ) throws(SealError) {
    self.contentDigest = contentDigest
    publicKey = key.signer.publicKey
    signature = try key.signature(
      of: SignatureBlock.statement(
        contentDigest, header.preamble, metadata, schedule, publicKey: publicKey))
  }

  /// Opens the sealed form; the signature is not verified.
  init(opening sealed: [UInt8], key: SecretBytes) throws(SealError) {
    guard sealed.count == SealFormat.signatureBlockLength,
      let message = XChaCha20Poly1305.openAfterNonce(sealed[...], key: key)
    else { throw SealError(.damagedSignature, detail: "the signature block") }
    contentDigest = Array(message[..<32])
    publicKey = Array(message[32..<64])
    signature = Array(message[64...])
  }

  /// The sealed form: nonce, ciphertext, tag.
  func sealed(key: SecretBytes, nonce: [UInt8]) throws(SealError) -> [UInt8] {
    try XChaCha20Poly1305.sealAfterNonce(
      contentDigest + publicKey + signature, key: key, nonce: nonce)
  }

  /// Verifies the signature and returns its signer.
  func verifiedSigner(
    of header: SealedHeader, metadata: EncryptedMetadata, schedule: KeySchedule
  ) throws(SealError) -> SealSigner {
    let statement = SignatureBlock.statement(
      contentDigest, header.preamble, metadata, schedule, publicKey: publicKey)
    guard try Ed25519.isUsable(publicKey),
      try Ed25519.isValid(signature, of: statement, by: publicKey)
    else { throw SealError(.invalidSignature) }
    return SealSigner(unchecked: publicKey)
  }

  /// The signed message; it covers nothing that a change of slots alters, so such a change needs no signing key.
  private static func statement(
    _ contentDigest: [UInt8], _ preamble: Preamble, _ metadata: EncryptedMetadata,
    _ schedule: KeySchedule, publicKey: [UInt8]
  ) -> [UInt8] {
    var statement = KeyLabel.signedFile + schedule.transcript + preamble.commitment
    statement.appendLittleEndian(preamble.payloadLength)
    statement.appendLengthPrefixed(metadata.message)
    return statement + contentDigest + publicKey
  }
}

extension SealSignaturePolicy {
  var isRequired: Bool { if case .notRequired = self { false } else { true } }

  /// Refuses a signer that the reader does not trust.
  func require(_ signer: SealSigner) throws(SealError) {
    guard case .trusted(let signers) = self, !signers.contains(signer) else { return }
    throw SealError(.untrustedSigner, detail: "\(signer)")
  }
}

/// The keys of one file, all derived from its data key (Spec/seal.md, section 3).
///
/// The header MAC does not cover the external context; all other keys do. So a reader can tell a wrong context from a
/// damaged header, although a wrong context opens nothing.
struct KeySchedule: Sendable {
  private let dataKey: SecretBytes
  /// The transcript and the context, which all keys but that of the header MAC are bound to.
  private let bound: [UInt8]
  private let transcriptLength: Int

  /// The header fields that all keys and the statement of a signer are bound to.
  var transcript: ArraySlice<UInt8> { bound[..<transcriptLength] }

  init(
    dataKey: SecretBytes, chunkSize: SealOptions.ChunkSize, isSigned: Bool = false,
    fileID: [UInt8], publicMetadata: [UInt8], context: [UInt8]
  ) {
    self.dataKey = dataKey
    transcriptLength = 4 + fileID.count + 8 + publicMetadata.count
    bound = [UInt8].laidOut(transcriptLength + 8 + context.count) { output in
      output.append(SealFormat.version)
      output.append(SealFormat.suite)
      output.append(chunkSize.rawValue)
      output.append(isSigned ? SealFormat.signedFlag : 0)
      output.append(fileID)
      output.appendLengthPrefixed(publicMetadata)
      output.appendLengthPrefixed(context)
    }
  }

  /// 32 bytes that depend on the data key, the header and the context.
  func commitment() throws(SealError) -> [UInt8] {
    try Blake2b.hash(KeyLabel.commitment, bound[...], key: dataKey)
  }

  /// Whether the header was made with this data key and context; compared in constant time.
  func isCommitment(_ commitment: [UInt8]) throws(SealError) -> Bool {
    try Blake2b.isDigest(
      commitment[...], of: KeyLabel.commitment, bound[...], key: dataKey)
  }

  /// The MAC over the header bytes before it.
  func headerMAC(of bytes: ArraySlice<UInt8>) throws(SealError) -> [UInt8] {
    try Blake2b.hash([], bytes, key: headerKey())
  }

  /// Whether a MAC matches the header bytes before it; compared in constant time.
  func isHeaderMAC(
    _ mac: ArraySlice<UInt8>, of bytes: ArraySlice<UInt8>
  ) throws(SealError) -> Bool {
    try Blake2b.isDigest(mac, of: [], bytes, key: headerKey())
  }

  private func headerKey() throws(SealError) -> SecretBytes {
    try Blake2b.derive(KeyLabel.headerMAC, transcript, key: dataKey)
  }

  func metadataKey() throws(SealError) -> SecretBytes {
    try Blake2b.derive(KeyLabel.metadata, bound[...], key: dataKey)
  }

  func signatureKey() throws(SealError) -> SecretBytes {
    try Blake2b.derive(KeyLabel.signature, bound[...], key: dataKey)
  }

  /// 32 bytes of key, then the 24 bytes of the base nonce.
  func payloadKey() throws(SealError) -> SecretBytes {
    try Blake2b.derive(KeyLabel.payload, bound[...], key: dataKey, count: 56)
  }
}

/// The part of a header that only a key holder can read (Spec/seal.md, section 5).
struct EncryptedMetadata: Sendable {
  var plaintextLength: UInt64
  var generation: UInt64
  var creator: String

  /// The plaintext that is sealed and that a signer signs.
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

  /// Opens the sealed form; its content is checked as untrusted input.
  init(opening sealed: ArraySlice<UInt8>, key: SecretBytes) throws(SealError) {
    guard let message = XChaCha20Poly1305.openAfterNonce(sealed, key: key) else {
      throw SealError(.damagedHeader, detail: "encrypted metadata")
    }
    plaintextLength = message.littleEndian(at: 0, as: UInt64.self)
    generation = message.littleEndian(at: 8, as: UInt64.self)
    // Section 5: the creator takes the rest of the message, is short, and is UTF-8.
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

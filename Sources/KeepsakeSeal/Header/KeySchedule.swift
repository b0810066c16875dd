/// The keys of one file, all derived from its data key (Spec/seal.md, section 3).
///
/// The header MAC does not take in the external context, everything else does. So a wrong
/// context is told from a damaged header, and still nothing opens.
struct KeySchedule: Sendable {
  private let dataKey: SecretBytes
  /// The transcript and the context, to which all keys but that of the header's MAC are bound.
  private let bound: [UInt8]
  private let transcriptLength: Int

  /// What all keys, and the statement of a signer, are bound to.
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

  /// 32 bytes that only this data key, this header and this context give.
  func commitment() throws(SealError) -> [UInt8] {
    try Blake2b.hash(KeyLabel.commitment, bound[...], key: dataKey)
  }

  /// Whether the header has been made with this data key and this context; compared in constant time.
  func isCommitment(_ commitment: [UInt8]) throws(SealError) -> Bool {
    try Blake2b.isDigest(
      commitment[...], of: KeyLabel.commitment, bound[...], key: dataKey)
  }

  /// The MAC over the header bytes before it.
  func headerMAC(of bytes: ArraySlice<UInt8>) throws(SealError) -> [UInt8] {
    try Blake2b.hash([], bytes, key: headerKey())
  }

  /// Whether a MAC is that of the header bytes before it; compared in constant time.
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

  /// What the signature block is sealed with.
  func signatureKey() throws(SealError) -> SecretBytes {
    try Blake2b.derive(KeyLabel.signature, bound[...], key: dataKey)
  }

  /// 32 bytes of key, then the 24 bytes of the base nonce.
  func payloadKey() throws(SealError) -> SecretBytes {
    try Blake2b.derive(KeyLabel.payload, bound[...], key: dataKey, count: 56)
  }
}

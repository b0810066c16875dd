/// The keys of one file, all derived from its data key (Spec/seal.md, section 3).
///
/// The header MAC does not take in the external context, everything else does. So a wrong
/// context is told from a damaged header, and still nothing opens.
struct KeySchedule: Sendable {
  private let dataKey: SecretBytes
  /// What all keys, and the statement of a signer, are bound to.
  let transcript: [UInt8]
  private let context: [UInt8]

  init(
    dataKey: SecretBytes, chunkSize: SealOptions.ChunkSize, isSigned: Bool = false,
    fileID: [UInt8], publicMetadata: [UInt8], context: [UInt8]
  ) {
    self.dataKey = dataKey
    self.context = context
    var transcript: [UInt8] = [
      SealFormat.version, SealFormat.suite, chunkSize.rawValue,
      isSigned ? SealFormat.signedFlag : 0,
    ]
    transcript += fileID
    transcript.appendLengthPrefixed(publicMetadata)
    self.transcript = transcript
  }

  /// 32 bytes that only this data key, this header and this context give.
  func commitment() throws(SealError) -> [UInt8] {
    try Blake2b.hash(message(KeyLabel.commitment, bindsContext: true), key: dataKey)
  }

  /// The MAC over the header bytes before it.
  func headerMAC(of bytes: ArraySlice<UInt8>) throws(SealError) -> [UInt8] {
    let label = message(KeyLabel.headerMAC, bindsContext: false)
    let key = try Blake2b.derive(label, key: dataKey)
    return try Blake2b.hash(bytes, key: key)
  }

  func metadataKey() throws(SealError) -> SecretBytes {
    try Blake2b.derive(message(KeyLabel.metadata, bindsContext: true), key: dataKey)
  }

  /// What the signature block is sealed with.
  func signatureKey() throws(SealError) -> SecretBytes {
    try Blake2b.derive(message(KeyLabel.signature, bindsContext: true), key: dataKey)
  }

  /// 32 bytes of key, then the 24 bytes of the base nonce.
  func payloadKey() throws(SealError) -> SecretBytes {
    try Blake2b.derive(
      message(KeyLabel.payload, bindsContext: true), key: dataKey, count: 56)
  }

  private func message(_ label: [UInt8], bindsContext: Bool) -> [UInt8] {
    var message: [UInt8] = []
    message.reserveCapacity(label.count + transcript.count + 8 + context.count)
    message += label
    message += transcript
    if bindsContext { message.appendLengthPrefixed(context) }
    return message
  }
}

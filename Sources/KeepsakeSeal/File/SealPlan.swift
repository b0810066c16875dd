/// Everything random that one seal uses up, drawn in one place.
///
/// Only tests pass values of their own, to pin the bytes of the worked example in Spec/seal.md.
struct SealRandomness {
  var dataKey: SecretBytes
  var fileID: [UInt8]
  var slots: [SlotRandomness]
  var metadataNonce: [UInt8]

  static func fresh(for recipients: [SealRecipient]) throws(SealError) -> SealRandomness {
    var slots: [SlotRandomness] = []
    for recipient in recipients { slots.append(try SlotRandomness.fresh(for: recipient)) }
    return SealRandomness(
      dataKey: try SecretBytes.random(count: SealFormat.dataKeyLength),
      fileID: try RandomBytes.make(count: SealFormat.fileIDLength), slots: slots,
      metadataNonce: try RandomBytes.make(count: XChaCha20Poly1305.nonceLength))
  }
}

/// A finished header, and the cipher for the chunks that follow it.
struct SealPlan {
  let header: SealedHeader
  let cipher: ChunkCipher

  /// Lays out the header; `foreignSlots`, of other types, are put before the slots of `recipients`.
  init(
    plaintextLength: Int, recipients: [SealRecipient], options: SealOptions,
    randomness: SealRandomness, foreignSlots: [Slot] = []
  ) throws(SealError) {
    try options.requireValid()
    let (dataKey, fileID) = (randomness.dataKey, randomness.fileID)
    var slots = foreignSlots
    for (recipient, randomness) in zip(recipients, randomness.slots) {
      slots.append(
        try Slot(
          wrapping: dataKey, for: recipient, fileID: fileID, randomness: randomness))
    }
    let schedule = KeySchedule(
      dataKey: dataKey, chunkSize: options.chunkSize, fileID: fileID,
      publicMetadata: options.publicMetadata, context: options.context)
    let metadata = EncryptedMetadata(
      plaintextLength: UInt64(plaintextLength), generation: options.generation,
      creator: options.creator)
    let encryptedMetadata = try metadata.sealed(
      key: schedule.metadataKey(), nonce: randomness.metadataNonce)
    let preamble = Preamble(
      chunkSize: options.chunkSize, slotCount: slots.count,
      publicMetadataLength: options.publicMetadata.count,
      encryptedMetadataLength: encryptedMetadata.count, payloadLength: UInt64(plaintextLength),
      fileID: fileID, commitment: try schedule.commitment())
    header = try SealedHeader(
      preamble: preamble, slots: slots, publicMetadata: options.publicMetadata,
      encryptedMetadata: encryptedMetadata, mac: schedule.headerMAC(of:))
    cipher = ChunkCipher(
      layout: ChunkLayout(preamble), payloadKey: try schedule.payloadKey())
  }

  /// Checks the recipients and draws fresh random values: no two seals share any of them.
  init(
    plaintextLength: Int, recipients: [SealRecipient], options: SealOptions
  ) throws(SealError) {
    try SlotRules.check(recipients, allowsMixedPassphrase: options.allowsMixedPassphrase)
    try self.init(
      plaintextLength: plaintextLength, recipients: recipients, options: options,
      randomness: try SealRandomness.fresh(for: recipients))
  }
}

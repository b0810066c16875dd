/// Everything random that one seal uses up, drawn in one place.
///
/// Only tests pass values of their own, to pin the bytes of the worked example in Spec/seal.md.
struct SealRandomness {
  var dataKey: SecretBytes
  var fileID: [UInt8]
  var slotNonces: [[UInt8]]
  var metadataNonce: [UInt8]

  static func fresh(slotCount: Int) throws(SealError) -> SealRandomness {
    var slotNonces: [[UInt8]] = []
    for _ in 0..<slotCount {
      slotNonces.append(try RandomBytes.make(count: XChaCha20Poly1305.nonceLength))
    }
    return SealRandomness(
      dataKey: try SecretBytes.random(count: SealFormat.dataKeyLength),
      fileID: try RandomBytes.make(count: SealFormat.fileIDLength), slotNonces: slotNonces,
      metadataNonce: try RandomBytes.make(count: XChaCha20Poly1305.nonceLength))
  }
}

/// A finished header, and the cipher for the chunks that follow it.
struct SealPlan {
  let header: SealedHeader
  let cipher: ChunkCipher

  /// Lays out the header; `foreignSlots`, of other types, are put before the slots of `keys`.
  init(
    plaintextLength: Int, keys: [SealKey], options: SealOptions, randomness: SealRandomness,
    foreignSlots: [Slot] = []
  ) throws(SealError) {
    try options.requireValid()
    var slots = foreignSlots
    for (key, nonce) in zip(keys, randomness.slotNonces) {
      slots.append(
        try Slot(
          wrapping: randomness.dataKey, under: key.secret, fileID: randomness.fileID,
          nonce: nonce))
    }
    let schedule = KeySchedule(
      dataKey: randomness.dataKey, chunkSize: options.chunkSize, fileID: randomness.fileID,
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
      fileID: randomness.fileID, commitment: try schedule.commitment())
    header = try SealedHeader(
      preamble: preamble, slots: slots, publicMetadata: options.publicMetadata,
      encryptedMetadata: encryptedMetadata, mac: schedule.headerMAC(of:))
    cipher = ChunkCipher(
      layout: ChunkLayout(preamble), payloadKey: try schedule.payloadKey())
  }

  /// Checks the keys and draws fresh random values: no two seals share any of them.
  init(plaintextLength: Int, keys: [SealKey], options: SealOptions) throws(SealError) {
    guard !keys.isEmpty, keys.count <= SealFormat.maximumSlotCount else {
      throw SealError(.invalidKeys, detail: "\(keys.count) keys")
    }
    for (index, key) in keys.enumerated() {
      guard !keys[..<index].contains(where: { $0.isEqual(to: key) }) else {
        throw SealError(.invalidKeys, detail: "one key is given twice")
      }
    }
    try self.init(
      plaintextLength: plaintextLength, keys: keys, options: options,
      randomness: try SealRandomness.fresh(slotCount: keys.count))
  }
}

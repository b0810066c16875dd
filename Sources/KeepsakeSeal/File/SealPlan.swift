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

/// The keys and slots of one seal, drawn before anything is known of the plaintext.
struct SealPlan: Sendable {
  let options: SealOptions
  let slots: [Slot]
  let headerLength: Int
  private let schedule: KeySchedule
  private let fileID: [UInt8]
  private let metadataNonce: [UInt8]
  private let payloadKey: SecretBytes

  /// Makes the slots; `foreignSlots`, of other types, are put before the slots of `recipients`.
  init(
    recipients: [SealRecipient], options: SealOptions, randomness: SealRandomness,
    foreignSlots: [Slot] = []
  ) throws(SealError) {
    try options.requireValid()
    let (dataKey, fileID) = (randomness.dataKey, randomness.fileID)
    var slots = foreignSlots
    for (recipient, randomness) in zip(recipients, randomness.slots) {
      slots.append(
        try Slot(
          wrapping: dataKey, for: recipient, fileID: fileID, randomness: randomness,
          isSole: foreignSlots.count + recipients.count == 1))
    }
    schedule = KeySchedule(
      dataKey: dataKey, chunkSize: options.chunkSize, fileID: fileID,
      publicMetadata: options.publicMetadata, context: options.context)
    payloadKey = try schedule.payloadKey()
    self.options = options
    self.slots = slots
    self.fileID = fileID
    metadataNonce = randomness.metadataNonce
    headerLength = SealPlan.headerLength(slotCount: slots.count, options: options)
  }

  static func headerLength(slotCount: Int, options: SealOptions) -> Int {
    SealFormat.preambleLength + slotCount * SealFormat.slotLength + options.publicMetadata.count
      + SealFormat.minimumEncryptedMetadataLength + options.creator.utf8.count
      + SealFormat.macLength + SealFormat.checkLength
  }

  /// Checks the recipients and draws fresh random values: no two seals share any of them.
  init(recipients: [SealRecipient], options: SealOptions) throws(SealError) {
    try SlotRules.check(recipients, allowsMixedPassphrase: options.allowsMixedPassphrase)
    try self.init(
      recipients: recipients, options: options,
      randomness: try SealRandomness.fresh(for: recipients))
  }

  /// The header of a file with that much plaintext.
  func header(plaintextLength: Int) throws(SealError) -> SealedHeader {
    try requireAllowed(plaintextLength: plaintextLength)
    let metadata = EncryptedMetadata(
      plaintextLength: UInt64(plaintextLength), generation: options.generation,
      creator: options.creator)
    let encryptedMetadata = try metadata.sealed(
      key: schedule.metadataKey(), nonce: metadataNonce)
    let preamble = Preamble(
      chunkSize: options.chunkSize, slotCount: slots.count,
      publicMetadataLength: options.publicMetadata.count,
      encryptedMetadataLength: encryptedMetadata.count,
      payloadLength: UInt64(payloadLength(of: plaintextLength)),
      fileID: fileID, commitment: try schedule.commitment())
    return try SealedHeader(
      preamble: preamble, slots: slots, publicMetadata: options.publicMetadata,
      encryptedMetadata: encryptedMetadata, mac: schedule.headerMAC(of:))
  }

  /// The length of a plaintext with its padding.
  func payloadLength(of plaintextLength: Int) -> Int {
    Int(clamping: options.padding.paddedLength(UInt64(clamping: plaintextLength)))
  }

  /// Refuses a plaintext that the format, or by default a reader, has no room for (Spec/seal.md, sections 6
  /// and 7.1).
  func requireAllowed(plaintextLength: Int) throws(SealError) {
    let length = payloadLength(of: plaintextLength)
    // The caps of the format, and of file offsets: a counter that wrapped around would repeat nonces.
    guard UInt64(length) <= SealFormat.maximumChunkCount << UInt64(options.chunkSize.rawValue),
      length <= .max / 2
    else { throw SealError(.limitExceeded, detail: "a payload has at most 2^32 chunks") }
    guard length <= options.maximumPayloadLength else {
      throw SealError(
        .limitExceeded,
        detail: "payload of \(length) bytes, SealOptions.maximumPayloadLength is "
          + "\(options.maximumPayloadLength)")
    }
  }

  /// The chunks of a file with that much plaintext.
  func payload(plaintextLength: Int) -> SealedPayload {
    SealedPayload(
      layout: ChunkLayout(
        headerLength: headerLength, chunkSize: options.chunkSize.byteCount,
        payloadLength: payloadLength(of: plaintextLength), plaintextLength: plaintextLength),
      payloadKey: payloadKey)
  }

  /// The whole file in memory.
  func sealed(
    _ plaintext: Span<UInt8>, progress: ProgressReport = .none
  ) throws(SealError) -> [UInt8] {
    let header = try header(plaintextLength: plaintext.count)
    return try payload(plaintextLength: plaintext.count).seal(
      plaintext, after: header.bytes, threads: options.resolvedThreadCount, progress: progress)
  }
}

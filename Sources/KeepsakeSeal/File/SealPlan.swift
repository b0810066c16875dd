import KeepsakeFiles

/// All random values of one seal.
///
/// Only tests pass their own values, to reproduce the worked example in Spec/seal.md.
struct SealRandomness {
  var dataKey: SecretBytes
  var fileID: [UInt8]
  var slots: [SlotRandomness]
  var metadataNonce: [UInt8]
  /// The nonce of the signature block; empty without a signature.
  var signatureNonce: [UInt8] = []

  static func fresh(
    for recipients: [SealRecipient], isSigned: Bool = false
  ) throws(SealError) -> SealRandomness {
    let nonceLength = XChaCha20Poly1305.nonceLength
    // The values that are not secret are drawn in one system call.
    let nonceCount = recipients.count + (isSigned ? 2 : 1)
    let bytes = try RandomBytes.make(count: SealFormat.fileIDLength + nonceCount * nonceLength)
    func nonce(_ index: Int) -> [UInt8] {
      let start = SealFormat.fileIDLength + index * nonceLength
      return Array(bytes[start..<start + nonceLength])
    }
    var slots: [SlotRandomness] = []
    for (index, recipient) in recipients.enumerated() {
      slots.append(try SlotRandomness(nonce: nonce(index), freshFor: recipient))
    }
    return SealRandomness(
      dataKey: try SecretBytes.random(count: SealFormat.dataKeyLength),
      fileID: Array(bytes[..<SealFormat.fileIDLength]), slots: slots,
      metadataNonce: nonce(recipients.count),
      signatureNonce: isSigned ? nonce(recipients.count + 1) : [])
  }
}

/// The keys and slots of one seal, made before the plaintext is known.
final class SealPlan: Sendable {
  let options: SealOptions
  let slots: [Slot]
  let headerLength: Int
  private let schedule: KeySchedule
  private let fileID: [UInt8]
  private let metadataNonce: [UInt8]
  private let signatureNonce: [UInt8]
  private let payloadKey: SecretBytes

  /// Makes the slots.
  ///
  /// `foreignSlots`, of unknown types, come before the slots of `recipients`.
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
          mark: foreignSlots.count + recipients.count == 1 ? .sole : .none))
    }
    schedule = KeySchedule(
      dataKey: dataKey, chunkSize: options.chunkSize, isSigned: options.signingKey != nil,
      fileID: fileID, publicMetadata: options.publicMetadata, context: options.context)
    payloadKey = try schedule.payloadKey()
    self.options = options
    self.slots = slots
    self.fileID = fileID
    metadataNonce = randomness.metadataNonce
    signatureNonce = randomness.signatureNonce
    headerLength = SealPlan.headerLength(slotCount: slots.count, options: options)
  }

  static func headerLength(slotCount: Int, options: SealOptions) -> Int {
    SealFormat.preambleLength + slotCount * SealFormat.slotLength + options.publicMetadata.count
      + SealFormat.minimumEncryptedMetadataLength + options.creator.utf8.count
      + SealFormat.macLength + SealFormat.checkLength
  }

  /// Checks the recipients and draws fresh random values, which no two seals share.
  convenience init(recipients: [SealRecipient], options: SealOptions) throws(SealError) {
    try SlotRules.check(recipients, allowsMixedPassphrase: options.allowsMixedPassphrase)
    try self.init(
      recipients: recipients, options: options,
      randomness: try SealRandomness.fresh(
        for: recipients, isSigned: options.signingKey != nil))
  }

  func header(plaintextLength: Int) throws(SealError) -> SealedHeader {
    try requireAllowed(plaintextLength: plaintextLength)
    let encryptedMetadata = try metadata(plaintextLength: plaintextLength).sealed(
      key: schedule.metadataKey(), nonce: metadataNonce)
    let preamble = Preamble(
      chunkSize: options.chunkSize, isSigned: options.signingKey != nil, slotCount: slots.count,
      publicMetadataLength: options.publicMetadata.count,
      encryptedMetadataLength: encryptedMetadata.count,
      payloadLength: UInt64(payloadLength(of: plaintextLength)),
      fileID: fileID, commitment: try schedule.commitment())
    return try SealedHeader(
      preamble: preamble, slots: slots, publicMetadata: options.publicMetadata,
      encryptedMetadata: encryptedMetadata[...], mac: schedule.headerMAC(of:))
  }

  private func metadata(plaintextLength: Int) -> EncryptedMetadata {
    EncryptedMetadata(
      plaintextLength: UInt64(plaintextLength), generation: options.generation,
      creator: options.creator)
  }

  func payloadLength(of plaintextLength: Int) -> Int {
    Int(clamping: options.padding.paddedLength(UInt64(clamping: plaintextLength)))
  }

  /// Refuses a plaintext that is longer than the format, or by default a reader, allows (Spec/seal.md,
  /// sections 6 and 7.1).
  func requireAllowed(plaintextLength: Int) throws(SealError) {
    let length = payloadLength(of: plaintextLength)
    // The limits of the format and of file offsets: a counter that wrapped around would repeat nonces.
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

  /// The chunks of a file with a plaintext of this length.
  ///
  /// If they are sealed into `file`, the digests for a signature are written there too.
  func payload(plaintextLength: Int, file: FileDescriptor? = nil) -> SealedPayload {
    var payload = SealedPayload(
      layout: ChunkLayout(
        headerLength: headerLength, chunkSize: options.chunkSize.byteCount,
        payloadLength: payloadLength(of: plaintextLength), plaintextLength: plaintextLength,
        isSigned: options.signingKey != nil),
      payloadKey: payloadKey)
    payload.builder = builder(
      file.map { .written($0, at: payload.layout.trailerOffset) } ?? .kept)
    return payload
  }

  /// Whether one thread seals a plaintext of this length in one step.
  func isOneBatch(plaintextLength: Int) -> Bool {
    payloadLength(of: plaintextLength) <= max(ChunkBatches.byteCount, options.chunkSize.byteCount)
  }

  /// The builder of the digest tree; nil when neither a signature nor the content digest is needed.
  func builder(_ leaves: DigestTreeBuilder.Leaves) -> DigestTreeBuilder? {
    if options.signingKey != nil { return DigestTreeBuilder(leaves) }
    return options.computesContentDigest ? DigestTreeBuilder(.dropped) : nil
  }

  /// Completes the tree when all chunks are sealed, and signs it; nil when there is no tree.
  func completion(
    of builder: DigestTreeBuilder?, header: SealedHeader, plaintextLength: Int
  ) throws(SealError) -> SealCompletion? {
    guard let builder else { return nil }
    let tree = try builder.finish(chunkCount: ChunkLayout(header.preamble).chunkCount)
    var trailer: [UInt8] = []
    if let key = options.signingKey {
      let block = try SignatureBlock(
        signing: tree.contentDigest, of: header,
        metadata: metadata(plaintextLength: plaintextLength), schedule: schedule, with: key)
      trailer = try tree.rest + block.sealed(key: schedule.signatureKey(), nonce: signatureNonce)
    }
    return SealCompletion(tree: tree, trailer: trailer)
  }

  /// The whole file in memory, and its content digest if the options request it.
  func sealed(
    _ plaintext: Span<UInt8>, header: SealedHeader, threads: Int,
    progress: ProgressReport = .none
  ) throws(SealError) -> (bytes: [UInt8], contentDigest: [UInt8]?) {
    let payload = payload(plaintextLength: plaintext.count)
    let count = plaintext.count
    var digest: [UInt8]?
    let bytes = try payload.seal(
      plaintext, after: header.bytes, threads: threads, progress: progress
    ) { () throws(SealError) in
      let completion = try completion(
        of: payload.builder, header: header, plaintextLength: count)
      digest = completion?.tree.contentDigest
      return completion?.trailer ?? []
    }
    return (bytes, digest)
  }

  /// The whole file in memory.
  func sealed(_ plaintext: Span<UInt8>) throws(SealError) -> [UInt8] {
    try sealed(
      plaintext, header: header(plaintextLength: plaintext.count),
      threads: options.resolvedThreadCount
    ).bytes
  }
}

/// The data after the last chunk, complete once all chunks are sealed.
struct SealCompletion {
  let tree: DigestTreeBuilder.Result
  /// The bytes of the trailer that have not been written yet; empty without a signature.
  let trailer: [UInt8]
}

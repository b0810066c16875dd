/// A verified header with its data key, for operations that write the file again.
final class UnlockedHeader {
  let header: SealedHeader
  let dataKey: SecretBytes
  /// The index of the slot whose key opened the header.
  let slot: Int
  /// The key that opened that slot.
  let opener: SealIdentity
  let schedule: KeySchedule
  let metadata: EncryptedMetadata
  /// True when passphrase slots are also compared with the text as it was typed, if its form C differs.
  private var triesUnnormalizedTexts = false

  var fileID: [UInt8] { header.preamble.fileID }

  /// Finds the matching key and verifies the header (Spec/seal.md, section 7, steps 5 to 9).
  init(
    _ header: SealedHeader, identities: [SealIdentity], context: [UInt8], policy: SealPolicy
  ) throws(SealError) {
    (dataKey, slot, opener) = try header.unlock(identities, policy: policy)
    schedule = KeySchedule(
      dataKey: dataKey, chunkSize: header.preamble.chunkSize, isSigned: header.preamble.isSigned,
      fileID: header.preamble.fileID, publicMetadata: header.publicMetadata, context: context)
    metadata = try header.verify(schedule)
    self.header = header
  }

  func payload() throws(SealError) -> SealedPayload {
    SealedPayload(
      layout: ChunkLayout(
        header.preamble, plaintextLength: Int(clamping: metadata.plaintextLength)),
      payloadKey: try schedule.payloadKey())
  }

  /// The indices of the slots that a selection matches; throws when it matches no slot.
  func slots(_ selection: SealSlotSelection) throws(SealError) -> [Int] {
    let found: [Int]
    switch selection {
    case .slot(let index):
      found = header.slots.indices.contains(index) ? [index] : []
    case .recipient(let recipient): found = try slots(of: recipient)
    }
    guard !found.isEmpty else {
      var error = SealError(.noSuchSlot)
      if case .slot(let index) = selection { error.slotIndex = index }
      throw error
    }
    return found
  }

  func slots(of recipient: SealRecipient) throws(SealError) -> [Int] {
    var found: [Int] = []
    for index in header.slots.indices where try isSlot(index, for: recipient) {
      found.append(index)
    }
    return found
  }

  /// True when a slot's commitment or hint fits a recipient; for the slot that opened the file, when its key does.
  func isSlot(_ index: Int, for recipient: SealRecipient) throws(SealError) -> Bool {
    // The hint of this slot proves nothing: anyone with the data key can have copied it from another
    // recipient.
    if index == slot { return opener.isCounterpart(of: recipient) }
    return try header.slots[index].isFor(
      recipient, dataKey: dataKey, fileID: fileID, triesUnnormalizedTexts: triesUnnormalizedTexts)
  }

  /// Refuses recipients whose slots could cost more to find than `policy` allows.
  func requireAffordable(
    _ recipients: [SealRecipient], policy: SealPolicy
  ) throws(SealError) {
    let passphrases = recipients.compactMap(\.passphrase)
    try header.requireAffordable(passphrases.count, policy: policy)
    triesUnnormalizedTexts = header.isAffordable(
      passphrases.count + passphrases.count { $0.unnormalized != nil }, policy: policy)
  }
}

/// The payload with the digest tree that its signature or pin requires, and the results of their checks.
struct VerifiedContent {
  let payload: SealedPayload
  /// The verified signer of the file; nil when no signature is required.
  let signer: SealSigner?
  let freshness: SealFreshness
}

extension UnlockedHeader {
  private func pin(_ contentDigest: [UInt8]? = nil) -> SealedFilePin {
    SealedFilePin(
      SealedFileSummary(header, contentDigest: contentDigest), generation: metadata.generation)
  }

  /// Verifies the signature that `policy` requires and the caller's expectation (Spec/seal.md, section 7,
  /// steps 10 and 11).
  func verifiedContent(
    in source: SealedSource, expecting expectation: SealExpectation = .nothing, policy: SealPolicy
  ) throws(SealError) -> VerifiedContent {
    var payload = try payload()
    let needsDigest = expectation.needsContentDigest(of: pin())
    let isRequired = policy.signature.isRequired
    var signer: SealSigner?
    if header.preamble.isSigned, isRequired || needsDigest {
      let layout = payload.layout
      let offset = layout.fileSize - UInt64(SealFormat.signatureBlockLength)
      let block = try SignatureBlock(
        opening: source.read(SealFormat.signatureBlockLength, at: offset),
        key: schedule.signatureKey())
      if isRequired {
        let found = try block.verifiedSigner(of: header, metadata: metadata, schedule: schedule)
        try policy.signature.require(found)
        signer = found
      }
      payload.tree = DigestTree(contentDigest: block.contentDigest, of: layout)
    } else if isRequired {
      throw SealError(.signatureAbsent)
    } else if needsDigest {
      payload.tree = try payload.computedTree(of: source, threads: policy.resolvedThreadCount)
    }
    do throws(SealError) {
      return VerifiedContent(
        payload: payload, signer: signer,
        freshness: try expectation.check(pin(payload.tree?.contentDigest)))
    } catch {
      // Distinguishes accidental damage from content that another holder of a key wrote.
      if needsDigest, !header.preamble.isSigned {
        payload.tree = nil
        try payload.verify(source, threads: policy.resolvedThreadCount)
      }
      throw error
    }
  }
}

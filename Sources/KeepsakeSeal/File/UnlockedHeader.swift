/// A verified header together with the data key, for operations that write the file anew.
final class UnlockedHeader {
  let header: SealedHeader
  let dataKey: SecretBytes
  /// The index of the slot whose key opened the header.
  let slot: Int
  /// What opened that slot.
  let opener: SealIdentity
  let schedule: KeySchedule
  let metadata: EncryptedMetadata
  /// Whether the slots of passphrases are also looked for by what was typed, where form C is another text.
  private var triesTextsAsGiven = false

  var fileID: [UInt8] { header.preamble.fileID }

  /// Finds the key that fits and verifies the header (Spec/seal.md, section 7, steps 5 to 9).
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

  /// The indices of the slots that a selection means; throws when there is none.
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

  /// Whether a slot bears a recipient's mark; of the slot that opened the file, whether it is the recipient's.
  func isSlot(_ index: Int, for recipient: SealRecipient) throws(SealError) -> Bool {
    // Whoever has the data key can have copied somebody else's hint into it.
    if index == slot { return opener.isCounterpart(of: recipient) }
    return try header.slots[index].isFor(
      recipient, dataKey: dataKey, fileID: fileID, triesTextsAsGiven: triesTextsAsGiven)
  }

  /// Refuses when finding the slots of these recipients could cost more than `policy` allows.
  func requireAffordable(
    _ recipients: [SealRecipient], policy: SealPolicy
  ) throws(SealError) {
    let passphrases = recipients.compactMap(\.passphrase)
    try header.requireAffordable(passphrases.count, policy: policy)
    triesTextsAsGiven = header.isAffordable(
      passphrases.count + passphrases.count { $0.asGiven != nil }, policy: policy)
  }
}

/// A payload that is read as its signature and its pin want it, and what they have told.
struct VerifiedContent {
  let payload: SealedPayload
  /// Who has signed the file; nil when nobody asked.
  let signer: SealSigner?
  let freshness: SealFreshness
}

extension UnlockedHeader {
  private func pin(_ contentDigest: [UInt8]? = nil) -> SealedFilePin {
    SealedFilePin(
      SealedFileSummary(header, contentDigest: contentDigest), generation: metadata.generation)
  }

  /// Verifies the signature that `policy` asks for, and what is expected (Spec/seal.md, section 7, steps 10
  /// and 11).
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
      // Damage by accident is told from another content that somebody with a key has written.
      if needsDigest, !header.preamble.isSigned {
        payload.tree = nil
        try payload.verify(source, threads: policy.resolvedThreadCount)
      }
      throw error
    }
  }
}

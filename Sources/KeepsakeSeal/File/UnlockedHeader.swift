/// A verified header together with the data key, for operations that write the file anew.
struct UnlockedHeader {
  let header: SealedHeader
  let dataKey: SecretBytes
  /// The index of the slot whose key opened the header.
  let slot: Int
  let schedule: KeySchedule
  let metadata: EncryptedMetadata

  var fileID: [UInt8] { header.preamble.fileID }

  /// Finds the key that fits and verifies the header (Spec/seal.md, section 7, steps 5 to 9).
  init(
    _ header: SealedHeader, identities: [SealIdentity], context: [UInt8], policy: SealPolicy
  ) throws(SealError) {
    (dataKey, slot) = try header.unlock(identities, policy: policy)
    schedule = KeySchedule(
      dataKey: dataKey, chunkSize: header.preamble.chunkSize, fileID: header.preamble.fileID,
      publicMetadata: header.publicMetadata, context: context)
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
    for (index, slot) in header.slots.enumerated() {
      if try slot.isFor(recipient, dataKey: dataKey, fileID: fileID) { found.append(index) }
    }
    return found
  }
}

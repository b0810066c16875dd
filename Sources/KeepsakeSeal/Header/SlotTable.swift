/// The random values of one segment of a journal; only tests pass their own, to reproduce vectors.
package struct SegmentRandomness: Sendable {
  package let dataKey: SecretBytes
  package let segmentID: [UInt8]
  private let slots: [SlotRandomness]

  package init(
    dataKey: SecretBytes, segmentID: [UInt8], slots: [(nonce: [UInt8], seed: SecretBytes?)]
  ) {
    self.dataKey = dataKey
    self.segmentID = segmentID
    self.slots = slots.map { SlotRandomness(nonce: $0.nonce, seed: $0.seed) }
  }

  package init(freshFor recipients: [SealRecipient]) throws(SealError) {
    var slots: [SlotRandomness] = []
    for recipient in recipients { slots.append(try SlotRandomness.fresh(for: recipient)) }
    dataKey = try SecretBytes.random(count: SealFormat.dataKeyLength)
    segmentID = try RandomBytes.make(count: SealFormat.fileIDLength)
    self.slots = slots
  }

  /// The slots that wrap the data key for the recipients, one after the other.
  package func slots(
    for recipients: [SealRecipient], boundTo id: [UInt8]
  ) throws(SealError) -> [UInt8] {
    var bytes: [UInt8] = []
    for (recipient, randomness) in zip(recipients, slots) {
      bytes += try Slot(
        wrapping: dataKey, for: recipient, fileID: id, randomness: randomness
      ).bytes
    }
    return bytes
  }
}

/// The slots of a header of a journal: those of a sealed file, without passphrases (Spec/journal.md, section 2).
package struct SlotTable: Sendable {
  package static let slotLength = SealFormat.slotLength
  package static let maximumSlotCount = SealFormat.maximumSlotCount
  private let slots: [Slot]

  /// Reads slots, and checks the rules that need no key.
  package init(parsing bytes: ArraySlice<UInt8>) throws(SealError) {
    var slots: [Slot] = []
    for start in stride(
      from: bytes.startIndex, through: bytes.endIndex - SlotTable.slotLength,
      by: SlotTable.slotLength)
    {
      let slot = try Slot(parsing: Array(bytes[start..<start + SlotTable.slotLength]))
      guard slot.type != .passphrase else {
        throw SealError(.malformedHeader, detail: "a passphrase slot in a journal")
      }
      slots.append(slot)
    }
    self.slots = slots
  }

  /// Checks that a journal can be written for the recipients.
  package static func check(_ recipients: [SealRecipient]) throws(SealError) {
    try SlotRules.check(recipients, allowsMixedPassphrase: false)
    guard !recipients.contains(where: { $0.passphrase != nil }) else {
      throw SealError(
        .invalidKeys, detail: "a journal has no passphrases; keep a key in a passphrase key file")
    }
  }

  /// Finds the slot of one of the keys, and unwraps the data key.
  package func dataKey(
    with identities: [SealIdentity], boundTo id: [UInt8]
  ) throws(SealError) -> SecretBytes {
    var isTampered = false
    for type in [SealSlotType.rawKey, .x25519] {
      for identity in identities where identity.slotType == type {
        for slot in slots {
          guard let key = try slot.keyEncryptionKey(of: identity, fileID: id) else { continue }
          switch try slot.unwrap(with: key, fileID: id) {
          case .dataKey(let dataKey): return dataKey
          case .tampered: isTampered = true
          case .otherKey: break
          }
        }
      }
    }
    throw SealError(isTampered ? .damagedHeader : .noMatchingKey)
  }
}

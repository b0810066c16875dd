/// A whole header as it is stored in a file: parsed, but not verified with any key.
///
/// A class, since it is passed around a lot and never changes.
final class SealedHeader: Sendable {
  let preamble: Preamble
  let slots: [Slot]
  let publicMetadata: [UInt8]
  /// All bytes, including MAC and check.
  let bytes: [UInt8]

  /// The MAC over everything before it.
  var mac: ArraySlice<UInt8> { bytes[macOffset..<macOffset + SealFormat.macLength] }
  var macOffset: Int { bytes.count - SealFormat.checkLength - SealFormat.macLength }
  var bytesBeforeMAC: ArraySlice<UInt8> { bytes[..<macOffset] }
  var encryptedMetadata: ArraySlice<UInt8> {
    bytes[macOffset - preamble.encryptedMetadataLength..<macOffset]
  }

  /// Reads `preamble.headerLength` bytes.
  init(parsing bytes: [UInt8], preamble: Preamble) throws(SealError) {
    // The preamble was read twice: the limits were checked on the first reading, the MAC covers the second.
    guard bytes.hasPrefix(preamble.bytes) else {
      throw SealError(.changedMeanwhile)
    }
    // Section 3: the check distinguishes accidental damage from a wrong key. It proves nothing.
    let checkOffset = bytes.count - SealFormat.checkLength
    guard try Blake2b.isDigest(bytes[checkOffset...], of: [], bytes[..<checkOffset], key: nil)
    else {
      throw SealError(.damagedHeader)
    }
    var offset = SealFormat.preambleLength
    var slots: [Slot] = []
    for _ in 0..<preamble.slotCount {
      slots.append(try Slot(parsing: Array(bytes[offset..<offset + SealFormat.slotLength])))
      offset += SealFormat.slotLength
    }
    // Section 4.2: more passphrases would only cost a reader more work.
    guard slots.count(where: \.isPassphrase) <= SealFormat.maximumPassphraseSlotCount else {
      throw SealError(.malformedHeader, detail: "more than 4 passphrase slots")
    }
    // Section 4.2: a sole slot is the only one.
    guard slots.count == 1 || !slots.contains(where: \.isSole) else {
      throw SealError(.malformedHeader, detail: "a sole passphrase slot beside another slot")
    }
    self.preamble = preamble
    self.slots = slots
    publicMetadata = Array(bytes[offset..<offset + preamble.publicMetadataLength])
    self.bytes = bytes
  }

  /// Lays out a new header; `mac` computes the MAC over the bytes before it.
  init(
    preamble: Preamble, slots: [Slot], publicMetadata: [UInt8],
    encryptedMetadata: ArraySlice<UInt8>,
    mac: (ArraySlice<UInt8>) throws(SealError) -> [UInt8]
  ) throws(SealError) {
    self.preamble = preamble
    self.slots = slots
    self.publicMetadata = publicMetadata
    var bytes = [UInt8].laidOut(preamble.headerLength) { output in
      preamble.write(to: &output)
      for slot in slots { output.append(slot.bytes) }
      output.append(publicMetadata)
      for byte in encryptedMetadata { output.append(byte) }
    }
    bytes += try mac(bytes[...])
    bytes += try Blake2b.hash(bytes, count: SealFormat.checkLength)
    self.bytes = bytes
  }
}

extension SealedHeader {
  /// Finds the data key, the index of its slot, and the key that opened the slot (Spec/seal.md, section 7,
  /// steps 5 and 6).
  ///
  /// All keys that fit no slot cause the same error. A slot that was written for one of the keys but does not
  /// unwrap was tampered with: then the key is not to blame.
  func unlock(
    _ identities: [SealIdentity], policy: SealPolicy
  ) throws(SealError) -> (dataKey: SecretBytes, slot: Int, opener: SealIdentity) {
    var isTampered = false
    // Section 7, step 5: passphrases cost the most and come last.
    for type in [SealSlotType.rawKey, .x25519, .passphrase] {
      var attempts = identities.filter { $0.slotType == type }
      if type == .passphrase { try addUnnormalizedTexts(to: &attempts, policy: policy) }
      for identity in attempts {
        for (index, slot) in slots.enumerated() {
          guard let key = try slot.keyEncryptionKey(of: identity, fileID: preamble.fileID) else {
            continue
          }
          switch try slot.unwrap(with: key, fileID: preamble.fileID) {
          case .dataKey(let dataKey): return (dataKey, index, identity)
          case .tampered: isTampered = true
          case .otherKey: break
          }
        }
      }
    }
    throw SealError(isTampered ? .damagedHeader : .noMatchingKey)
  }

  /// Adds passphrases as they were typed, if their form C differs.
  ///
  /// They come last, and only as many as the cost allows, so that a wrong passphrase never causes the error
  /// of excessive cost (Spec/seal.md, section 4.2).
  func addUnnormalizedTexts(
    to attempts: inout [SealIdentity], policy: SealPolicy
  ) throws(SealError) {
    try requireAffordable(attempts.count, policy: policy)
    for identity in attempts {
      guard case .passphrase(let passphrase) = identity,
        let unnormalized = passphrase.unnormalized
      else { continue }
      guard isAffordable(attempts.count + 1, policy: policy) else { return }
      attempts.append(.passphrase(unnormalized))
    }
  }

  /// Whether the cost of trying this many passphrases on all slots is within `policy`.
  func isAffordable(_ passphraseCount: Int, policy: SealPolicy) -> Bool {
    do throws(SealError) {
      try requireAffordable(passphraseCount, policy: policy)
      return true
    } catch {
      return false
    }
  }

  /// Refuses to try this many passphrases when all slots together could cost more than `policy` allows.
  func requireAffordable(_ passphraseCount: Int, policy: SealPolicy) throws(SealError) {
    guard passphraseCount > 0 else { return }
    let costs = slots.enumerated().filter(\.element.isPassphrase).map {
      (slot: $0.offset as Int?, cost: $0.element.passphraseCost)
    }
    try policy.requireAffordable(costs, passphraseCount: passphraseCount)
  }

  /// Verifies the header with the keys derived from its data key (steps 7 to 9).
  func verify(_ schedule: KeySchedule) throws(SealError) -> EncryptedMetadata {
    guard try schedule.isHeaderMAC(mac, of: bytesBeforeMAC) else {
      throw SealError(.damagedHeader)
    }
    guard try schedule.isCommitment(preamble.commitment) else {
      throw SealError(.contextMismatch)
    }
    let metadata = try EncryptedMetadata(
      opening: encryptedMetadata, key: try schedule.metadataKey())
    // Section 5.1: no other padding is allowed.
    let isPadded = SealOptions.Padding.allCases.contains {
      $0.paddedLength(metadata.plaintextLength) == preamble.payloadLength
    }
    guard isPadded else {
      throw SealError(
        .malformedHeader,
        detail: "a payload of \(preamble.payloadLength) bytes for a plaintext of "
          + "\(metadata.plaintextLength)")
    }
    return metadata
  }
}

extension SealedHeader {
  /// The data key, the index of the slot that gave it, and what opened that (Spec/seal.md, section 7, steps 5, 6).
  ///
  /// Every key that fits no slot ends in the same error. A slot that was written for one of the
  /// keys, but does not unwrap, was tampered with: then the key is not what is wrong.
  func unlock(
    _ identities: [SealIdentity], policy: SealPolicy
  ) throws(SealError) -> (dataKey: SecretBytes, slot: Int, opener: SealIdentity) {
    var isTampered = false
    // Section 7, step 5: passphrases cost most and come last.
    for type in [SealSlotType.rawKey, .x25519, .passphrase] {
      if type == .passphrase {
        try requireAffordable(identities.count { $0.slotType == type }, policy: policy)
      }
      for identity in identities where identity.slotType == type {
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

  /// Refuses when trying that many passphrases on all slots for them could cost more than `policy` allows.
  func requireAffordable(_ passphraseCount: Int, policy: SealPolicy) throws(SealError) {
    guard passphraseCount > 0 else { return }
    let costs = slots.enumerated().filter(\.element.isPassphrase).map {
      (slot: $0.offset as Int?, cost: $0.element.passphraseCost)
    }
    try policy.requireAffordable(costs, passphraseCount: passphraseCount)
  }

  /// Verifies the header with the keys of its data key (steps 7 to 9).
  func verify(_ schedule: KeySchedule) throws(SealError) -> EncryptedMetadata {
    guard try schedule.isHeaderMAC(mac, of: bytesBeforeMAC) else {
      throw SealError(.damagedHeader)
    }
    guard try schedule.isCommitment(preamble.commitment) else {
      throw SealError(.contextMismatch)
    }
    let metadata = try EncryptedMetadata(
      opening: encryptedMetadata, key: try schedule.metadataKey())
    // Section 5.1: there is no other padding, and no other way to write a length.
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

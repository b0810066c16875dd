extension SealedHeader {
  /// The data key, and the index of the slot that gave it (Spec/seal.md, section 7, steps 5, 6).
  ///
  /// Every key that fits no slot ends in the same error. A slot that was written for one of the
  /// keys, but does not unwrap, was tampered with: then the key is not what is wrong.
  func unlock(
    _ identities: [SealIdentity], policy: SealPolicy
  ) throws(SealError) -> (dataKey: SecretBytes, slot: Int) {
    var isTampered = false
    // Section 7, step 5: passphrases cost most and come last.
    for type in [SealSlotType.rawKey, .x25519, .passphrase] {
      let candidates = identities.filter { $0.slotType == type }
      if type == .passphrase { try requireAffordable(candidates.count, policy: policy) }
      for identity in candidates {
        for (index, slot) in slots.enumerated() {
          guard let key = try slot.keyEncryptionKey(of: identity, fileID: preamble.fileID),
            try slot.matches(key, fileID: preamble.fileID)
          else { continue }
          if let dataKey = try slot.unwrap(with: key, fileID: preamble.fileID) {
            return (dataKey, index)
          }
          isTampered = true
        }
      }
    }
    throw SealError(isTampered ? .damagedHeader : .noMatchingKey)
  }

  /// Section 4.2: all that trying passphrases could cost is held against the limits before any of it
  /// is allocated or computed.
  func requireAffordable(_ passphraseCount: Int, policy: SealPolicy) throws(SealError) {
    guard passphraseCount > 0 else { return }
    var total: UInt64 = 0
    for (index, slot) in slots.enumerated() where slot.isPassphrase {
      let cost = slot.passphraseCost
      guard cost.passes <= policy.maximumPassphrasePasses else {
        throw SealError(
          .limitExceeded, slotIndex: index,
          detail: "\(cost.passes) passes of Argon2id, limit \(policy.maximumPassphrasePasses)")
      }
      guard cost.memoryByteCount <= policy.maximumPassphraseMemory else {
        throw SealError(
          .limitExceeded, slotIndex: index,
          detail: "\(cost.memoryByteCount) bytes for Argon2id, limit "
            + "\(policy.maximumPassphraseMemory)")
      }
      let work = cost.work.multipliedReportingOverflow(by: UInt64(passphraseCount))
      let sum = total.addingReportingOverflow(work.partialValue)
      total = work.overflow || sum.overflow ? .max : sum.partialValue
    }
    guard total <= UInt64(clamping: policy.maximumPassphraseWork) else {
      throw SealError(
        .limitExceeded,
        detail: "\(total) bytes times passes for all passphrases, limit "
          + "\(policy.maximumPassphraseWork)")
    }
  }

  /// Verifies the header with the keys of its data key (steps 7 to 9).
  func verify(_ schedule: KeySchedule) throws(SealError) -> EncryptedMetadata {
    guard ConstantTime.areEqual(try schedule.headerMAC(of: bytesBeforeMAC), mac) else {
      throw SealError(.damagedHeader)
    }
    guard ConstantTime.areEqual(try schedule.commitment(), preamble.commitment) else {
      throw SealError(.contextMismatch)
    }
    let metadata = try EncryptedMetadata(
      opening: encryptedMetadata, key: try schedule.metadataKey())
    // Section 5: without padding, the true length is the length of the payload.
    guard metadata.plaintextLength == preamble.payloadLength else {
      throw SealError(.malformedHeader, detail: "the two plaintext lengths differ")
    }
    return metadata
  }
}

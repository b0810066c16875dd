extension SealedHeader {
  /// The data key, and the index of the slot that gave it (Spec/seal.md, section 7, steps 5, 6).
  ///
  /// Every key that fits no slot ends in the same error. A slot that was written for one of the
  /// keys, but does not unwrap, was tampered with: then the key is not what is wrong.
  func unlock(_ keys: [SealKey]) throws(SealError) -> (dataKey: SecretBytes, slot: Int) {
    var isTampered = false
    for key in keys {
      for (index, slot) in slots.enumerated() where slot.isRawKey {
        guard try slot.matches(key.secret, fileID: preamble.fileID) else { continue }
        if let dataKey = try slot.unwrap(with: key.secret, fileID: preamble.fileID) {
          return (dataKey, index)
        }
        isTampered = true
      }
    }
    throw SealError(isTampered ? .damagedHeader : .noMatchingKey)
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

extension Slot {
  /// Wraps `dataKey` under the key-encryption key that the recipient and `prefix` give (Spec/seal.md,
  /// section 4).
  init(
    wrapping dataKey: SecretBytes, under key: SecretBytes, prefix: [UInt8], fileID: [UInt8],
    nonce: [UInt8]
  ) throws(SealError) {
    let wrappingKey = try Blake2b.derive(
      Slot.message(KeyLabel.slotWrap, prefix, fileID), key: key)
    let wrapped = try XChaCha20Poly1305.wrap(
      dataKey, key: wrappingKey, nonce: nonce, associatedData: prefix + fileID)
    let commitment = try Slot.commitment(prefix, key: key, fileID: fileID)
    let padding = [UInt8](repeating: 0, count: 32)
    bytes = prefix + commitment + nonce + wrapped + padding
  }

  /// Whether the slot was written under `key`: compared in constant time, before any unwrapping.
  func matches(_ key: SecretBytes, fileID: [UInt8]) throws(SealError) -> Bool {
    let expected = try Slot.commitment(prefix, key: key, fileID: fileID)
    return ConstantTime.areEqual(expected, commitment)
  }

  /// The data key, or nil when the wrapping does not verify.
  func unwrap(with key: SecretBytes, fileID: [UInt8]) throws(SealError) -> SecretBytes? {
    let wrappingKey = try Blake2b.derive(
      Slot.message(KeyLabel.slotWrap, prefix, fileID), key: key)
    return try XChaCha20Poly1305.unwrap(
      wrappedKey, key: wrappingKey, nonce: nonce, associatedData: prefix + fileID)
  }

  private static func commitment(
    _ prefix: [UInt8], key: SecretBytes, fileID: [UInt8]
  ) throws(SealError) -> [UInt8] {
    try Blake2b.hash(message(KeyLabel.slotCommitment, prefix, fileID)[...], key: key)
  }

  private static func message(_ label: [UInt8], _ prefix: [UInt8], _ fileID: [UInt8]) -> [UInt8] {
    var message: [UInt8] = []
    message.reserveCapacity(label.count + prefix.count + fileID.count)
    message += label
    message += prefix
    message += fileID
    return message
  }
}

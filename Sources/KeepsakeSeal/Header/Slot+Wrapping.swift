extension Slot {
  /// Wraps `dataKey` under the key-encryption key that the recipient and `prefix` give (Spec/seal.md,
  /// section 4).
  init(
    wrapping dataKey: SecretBytes, under key: SecretBytes, prefix: [UInt8], fileID: [UInt8],
    nonce: [UInt8]
  ) throws(SealError) {
    let bound = prefix + fileID
    let wrappingKey = try Blake2b.derive(KeyLabel.slotWrap + bound, key: key)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(SealFormat.slotLength)
    bytes += prefix
    bytes += try Slot.commitment(bound, key: key)
    bytes += nonce
    bytes += try XChaCha20Poly1305.wrap(
      dataKey, key: wrappingKey, nonce: nonce, associatedData: bound)
    bytes.append(contentsOf: repeatElement(0, count: SealFormat.slotLength - bytes.count))
    self.bytes = bytes
  }

  /// Whether the slot was written under `key`: compared in constant time, before any unwrapping.
  func matches(_ key: SecretBytes, fileID: [UInt8]) throws(SealError) -> Bool {
    ConstantTime.areEqual(try Slot.commitment(prefix + fileID, key: key), commitment)
  }

  /// The data key, or nil when the wrapping does not verify.
  func unwrap(with key: SecretBytes, fileID: [UInt8]) throws(SealError) -> SecretBytes? {
    let bound = prefix + fileID
    let wrappingKey = try Blake2b.derive(KeyLabel.slotWrap + bound, key: key)
    return try XChaCha20Poly1305.unwrap(
      wrappedKey, key: wrappingKey, nonce: nonce, associatedData: bound)
  }

  /// Takes the prefix and the file id.
  private static func commitment(
    _ bound: [UInt8], key: SecretBytes
  ) throws(SealError) -> [UInt8] {
    try Blake2b.hash(KeyLabel.slotCommitment + bound, key: key)
  }
}

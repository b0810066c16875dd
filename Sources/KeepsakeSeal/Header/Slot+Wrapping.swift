extension Slot {
  /// Wraps `dataKey` under the key-encryption key that the recipient and `prefix` give (Spec/seal.md,
  /// section 4).
  init(
    wrapping dataKey: SecretBytes, under key: SecretBytes, prefix: [UInt8], fileID: [UInt8],
    nonce: [UInt8]
  ) throws(SealError) {
    let bound = prefix + fileID
    let wrappingKey = try Blake2b.derive(KeyLabel.slotWrap, bound[...], key: key)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(SealFormat.slotLength)
    bytes += prefix
    bytes += try Blake2b.hash(KeyLabel.slotCommitment, bound[...], key: key)
    bytes += try XChaCha20Poly1305.wrap(
      dataKey, key: wrappingKey, nonce: nonce, associatedData: bound)
    bytes += Slot.unusedEnd
    self.bytes = bytes
  }

  /// Whether the slot was written under `key`: compared in constant time, before any unwrapping.
  func matches(_ key: SecretBytes, fileID: [UInt8]) throws(SealError) -> Bool {
    try Blake2b.isDigest(
      commitment, of: KeyLabel.slotCommitment, bound(to: fileID)[...], key: key)
  }

  /// The data key, or nil when the wrapping does not verify.
  func unwrap(with key: SecretBytes, fileID: [UInt8]) throws(SealError) -> SecretBytes? {
    let bound = bound(to: fileID)
    let wrappingKey = try Blake2b.derive(KeyLabel.slotWrap, bound[...], key: key)
    return try XChaCha20Poly1305.unwrap(wrappedKey, key: wrappingKey, associatedData: bound)
  }

  /// The prefix and the file id, which the commitment and the wrapping cover.
  private func bound(to fileID: [UInt8]) -> [UInt8] {
    var bound: [UInt8] = []
    bound.reserveCapacity(SealFormat.slotPrefixLength + fileID.count)
    bound += bytes[..<SealFormat.slotPrefixLength]
    bound += fileID
    return bound
  }

  /// What stands behind the wrapped key.
  private static let unusedEnd = [UInt8](repeating: 0, count: 32)
}

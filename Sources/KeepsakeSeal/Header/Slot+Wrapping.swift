extension Slot {
  /// Wraps `dataKey` under the key-encryption key that the recipient and `prefix` give (Spec/seal.md,
  /// section 4).
  init(
    wrapping dataKey: SecretBytes, under key: SecretBytes, prefix: [UInt8], fileID: [UInt8],
    nonce: [UInt8]
  ) throws(SealError) {
    let bound = prefix + fileID
    let wrappingKey = try Blake2b.derive(KeyLabel.slotWrap, bound[...], key: key)
    let commitment = try Blake2b.hash(KeyLabel.slotCommitment, bound[...], key: key)
    let wrapped = try XChaCha20Poly1305.wrap(
      dataKey, key: wrappingKey, nonce: nonce, associatedData: bound)
    bytes = [UInt8].laidOut(SealFormat.slotLength) { output in
      output.append(prefix)
      output.append(commitment)
      output.append(wrapped)
      // What stands behind the wrapped key is unused.
      for _ in 0..<4 { output.appendLittleEndian(UInt64(0)) }
    }
  }

  /// Whether the slot was written under `key`: compared in constant time, before any unwrapping.
  func matches(_ key: SecretBytes, fileID: [UInt8]) throws(SealError) -> Bool {
    try matches(key, bound(to: fileID))
  }

  private func matches(_ key: SecretBytes, _ bound: [UInt8]) throws(SealError) -> Bool {
    try Blake2b.isDigest(commitment, of: KeyLabel.slotCommitment, bound[...], key: key)
  }

  /// What a key makes of a slot.
  enum Unwrapping {
    /// The slot was written under another key.
    case otherKey
    /// It was written under this key, and changed since.
    case tampered
    case dataKey(SecretBytes)
  }

  /// The data key, if the slot was written under `key`, and verifies.
  func unwrap(with key: SecretBytes, fileID: [UInt8]) throws(SealError) -> Unwrapping {
    let bound = bound(to: fileID)
    guard try matches(key, bound) else { return .otherKey }
    let wrappingKey = try Blake2b.derive(KeyLabel.slotWrap, bound[...], key: key)
    guard
      let dataKey = try XChaCha20Poly1305.unwrap(
        wrappedKey, key: wrappingKey, associatedData: bound)
    else { return .tampered }
    return .dataKey(dataKey)
  }

  /// The prefix and the file id, which the commitment and the wrapping cover.
  private func bound(to fileID: [UInt8]) -> [UInt8] {
    [UInt8].laidOut(SealFormat.slotPrefixLength + fileID.count) { output in
      output.append(bytes, 0..<SealFormat.slotPrefixLength)
      output.append(fileID)
    }
  }
}

extension SealKey {
  /// The key that takes both this key and another one to have.
  ///
  /// Use it where erasing either of the two is to make everything unreadable that was sealed with the
  /// combined key. The derivation is stated in Spec/seal.md, section 9.3.
  ///
  /// - Parameter other: The other key; exchanging the two gives a different key.
  /// - Returns: A key that tells nothing of the two.
  /// - Throws: ``SealError`` with `insufficientMemory` or `cryptographyUnavailable`.
  public func combined(with other: SealKey) throws(SealError) -> SealKey {
    let message = try SecretBytes(joining: KeyLabel.combinedKey, other.secret)
    return SealKey(secret: try Blake2b.derive(message, key: secret))
  }
}

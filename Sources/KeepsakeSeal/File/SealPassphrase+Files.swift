import KeepsakeFiles

// Deriving the keys of a passphrase before a file is locked (Spec/seal.md, section 4.2).

extension SealPassphrase {
  /// The same passphrase, which keeps the keys that are derived from it.
  ///
  /// A file that is sealed for it has the salt of the key that was used last, so that the key fits the next file too.
  package func keepingKeys() -> SealPassphrase {
    SealPassphrase(secret: secret, asGiven: asGiven?.keepingKeys(), derivedKeys: DerivedKeys())
  }

  /// Derives the keys that opening a file needs, and keeps them.
  ///
  /// A file that is absent, or that cannot be opened, needs none.
  package func deriveKeys(
    openingFileAt path: String, policy: SealPolicy = .default
  ) throws(SealError) {
    guard derivedKeys != nil, let header = Self.header(at: path, policy) else { return }
    do throws(SealError) {
      _ = try header.unlock([.passphrase(self)], policy: policy)
    } catch {
      // Opening the file gives this error again.
      if error.code == .insufficientMemory { throw error }
    }
  }

  /// Derives a key for sealing a file, and keeps it, unless there is one.
  package func deriveKey(sealingAt cost: PassphraseCost) throws(SealError) {
    guard let derivedKeys, derivedKeys.salt(cost: cost) == nil else { return }
    _ = try key(salt: RandomBytes.make(count: Argon2id.saltLength), cost: cost)
  }

  /// Whether opening the file takes no derivation.
  package func hasKeys(
    openingFileAt path: String, policy: SealPolicy = .default
  ) throws(SealError) -> Bool {
    guard let header = Self.header(at: path, policy), header.isAffordable(1, policy: policy) else {
      return true
    }
    return try hasKeys(for: header)
  }

  private func hasKeys(for header: SealedHeader) throws(SealError) -> Bool {
    for slot in header.slots where slot.isPassphrase {
      let salt = Array(slot.salt[..<Argon2id.saltLength])
      guard let key = derivedKeys?.key(salt: salt, cost: slot.passphraseCost) else { return false }
      if try slot.matches(key, fileID: header.preamble.fileID) { return true }
    }
    return try asGiven?.hasKeys(for: header) ?? true
  }

  private static func header(at path: String, _ policy: SealPolicy) -> SealedHeader? {
    try? SealedSource(path: path).header(policy: policy)
  }
}

import KeepsakeFiles

// Deriving the keys of passphrases before a file is locked (Spec/seal.md, section 4.2).

extension SealPassphrase {
  /// A copy of this passphrase that caches its derived keys.
  ///
  /// A new file gets the salt of the key that was used last, so that the cached key fits it too.
  package func cachingDerivedKeys() -> SealPassphrase {
    SealPassphrase(
      secret: secret, unnormalized: unnormalized?.cachingDerivedKeys(), derivedKeys: DerivedKeys())
  }

  /// Derives and caches a key for sealing a file, unless one is cached.
  package func deriveKey(sealingAt cost: PassphraseCost) throws(SealError) {
    guard let derivedKeys, derivedKeys.salt(cost: cost) == nil else { return }
    _ = try key(salt: RandomBytes.make(count: Argon2id.saltLength), cost: cost)
  }

  /// Whether the passphrase opens a file; nil when a key has to be derived to find out.
  fileprivate func opens(_ header: SealedHeader) throws(SealError) -> Bool? {
    for slot in header.slots where slot.isPassphrase {
      let salt = Array(slot.salt[..<Argon2id.saltLength])
      guard let key = derivedKeys?.key(salt: salt, cost: slot.passphraseCost) else { return nil }
      if try slot.matches(key, fileID: header.preamble.fileID) { return true }
    }
    return false
  }

  /// True when both passphrases were given as the same bytes.
  private func isSame(as other: SealPassphrase) -> Bool {
    switch (unnormalized, other.unnormalized) {
    case (nil, nil): isEqual(to: other)
    case (let one?, let two?): isEqual(to: other) && one.isEqual(to: two)
    default: false
    }
  }

  /// The same recipients and identities, with passphrases that cache their derived keys; a passphrase in both lists has
  /// one cache.
  package static func cachingDerivedKeys(
    _ recipients: [SealRecipient], _ identities: [SealIdentity]
  ) -> ([SealRecipient], [SealIdentity]) {
    var all: [SealPassphrase] = []
    func keeping(_ passphrase: SealPassphrase) -> SealPassphrase {
      if let known = all.first(where: { $0.isSame(as: passphrase) }) { return known }
      all.append(passphrase.cachingDerivedKeys())
      return all[all.count - 1]
    }
    return (
      recipients.map { recipient in
        guard case .passphrase(let passphrase, let cost) = recipient else { return recipient }
        return .passphrase(keeping(passphrase), cost: cost)
      },
      identities.map { identity in
        guard case .passphrase(let passphrase) = identity else { return identity }
        return .passphrase(keeping(passphrase))
      }
    )
  }
}

extension SealRecipient {
  /// Derives and caches a key for sealing a file; only a passphrase needs one.
  package func deriveKey() throws(SealError) {
    if case .passphrase(let passphrase, let cost) = self {
      try passphrase.deriveKey(sealingAt: cost)
    }
  }
}

extension SealIdentity {
  fileprivate var isPassphrase: Bool { slotType == .passphrase }
}

extension [SealIdentity] {
  /// Derives and caches the keys that opening a file needs.
  ///
  /// Without a readable file, it derives none.
  package func deriveKeys(
    openingFileAt path: String, policy: SealPolicy = SealPolicy()
  ) throws(SealError) {
    guard contains(where: \.isPassphrase), let header = header(at: path, policy) else { return }
    do throws(SealError) {
      _ = try header.unlock(self, policy: policy)
    } catch {
      // Other errors are dropped here, since opening the file throws them again.
      if error.code == .insufficientMemory { throw error }
    }
  }

  /// True when opening the file needs no further derivation.
  package func hasKeys(
    openingFileAt path: String, policy: SealPolicy = SealPolicy()
  ) throws(SealError) -> Bool {
    var attempts = filter(\.isPassphrase)
    guard !attempts.isEmpty, let header = header(at: path, policy),
      (try? header.addUnnormalizedTexts(to: &attempts, policy: policy)) != nil
    else { return true }
    // The other keys are tried first, and need no derivation.
    let others = filter { !$0.isPassphrase }
    if !others.isEmpty, (try? header.unlock(others, policy: policy)) != nil { return true }
    for case .passphrase(let passphrase) in attempts {
      guard let opens = try passphrase.opens(header) else { return false }
      if opens { return true }
    }
    return true
  }

  private func header(at path: String, _ policy: SealPolicy) -> SealedHeader? {
    try? SealedSource(path: path).header(policy: policy)
  }
}

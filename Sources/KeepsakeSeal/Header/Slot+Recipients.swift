/// What is random in one slot.
///
/// Only tests pass values of their own, to pin the bytes of the worked example in Spec/seal.md.
struct SlotRandomness {
  var nonce: [UInt8]
  /// The salt of a passphrase slot or the ephemeral secret of an X25519 slot.
  var seed: SecretBytes?

  static func fresh(for recipient: SealRecipient) throws(SealError) -> SlotRandomness {
    try SlotRandomness(
      nonce: try RandomBytes.make(count: XChaCha20Poly1305.nonceLength), freshFor: recipient)
  }

  /// Takes a nonce that was just drawn, and draws what else the recipient's slot needs.
  init(nonce: [UInt8], freshFor recipient: SealRecipient) throws(SealError) {
    let seedLength: Int? =
      switch recipient {
      case .key: nil
      case .passphrase: Argon2id.saltLength
      case .x25519: X25519.keyLength
      }
    self.nonce = nonce
    if let seedLength { seed = try SecretBytes.random(count: seedLength) }
  }

  init(nonce: [UInt8], seed: SecretBytes? = nil) {
    self.nonce = nonce
    self.seed = seed
  }
}

extension Slot {
  /// Wraps `dataKey` for a recipient (Spec/seal.md, sections 4.1 to 4.3).
  ///
  /// Only the slot of a passphrase has a mark.
  init(
    wrapping dataKey: SecretBytes, for recipient: SealRecipient, fileID: [UInt8],
    randomness: SlotRandomness, mark: PassphraseMark = .none
  ) throws(SealError) {
    let prefix: [UInt8]
    let key: SecretBytes
    switch (recipient, randomness.seed) {
    case (.key(let raw), _):
      prefix = Slot.prefix(type: .rawKey)
      key = raw.secret
    case (.passphrase(let passphrase, let cost), let seed?):
      let salt = seed.publicBytes(0..<Argon2id.saltLength)
      prefix = Slot.prefix(
        type: .passphrase, mark: mark,
        cost: cost, salt: salt)
      key = try passphrase.key(salt: salt, cost: cost)
    case (.x25519(let recipient), let seed?):
      let share = try X25519.publicKey(of: seed)
      guard let shared = try X25519.sharedSecret(seed, with: recipient.publicKey) else {
        throw SealError(.invalidRecipient)
      }
      prefix = Slot.prefix(
        type: .x25519, hint: try Slot.hint(recipient, dataKey: dataKey, fileID: fileID), salt: share
      )
      key = try Slot.keyEncryptionKey(shared, share, recipient, fileID)
    case (_, nil):
      throw SealError(.cryptographyUnavailable)
    }
    try self.init(
      wrapping: dataKey, under: key, prefix: prefix, fileID: fileID, nonce: randomness.nonce)
  }

  /// The key-encryption key that an identity gives for this slot; nil when it is for another type.
  func keyEncryptionKey(
    of identity: SealIdentity, fileID: [UInt8]
  ) throws(SealError) -> SecretBytes? {
    guard isKnown, identity.slotType == type else { return nil }
    switch identity {
    case .key(let key): return key.secret
    case .passphrase(let passphrase): return try keyEncryptionKey(of: passphrase)
    case .x25519(let identity):
      guard let shared = try X25519.sharedSecret(identity.secret, with: salt) else { return nil }
      return try Slot.keyEncryptionKey(shared, salt, identity.recipient, fileID)
    }
  }

  /// Whether the slot bears a recipient's mark, told by somebody who has the data key.
  ///
  /// The commitment of a raw key or a passphrase nobody makes who does not know it. The hint of an X25519
  /// recipient says nothing against somebody else who has the data key.
  ///
  /// A passphrase that was typed can have another form than the one that it gets a slot for: it counts as well, where
  /// `triesTextsAsGiven` says that the cost allows that.
  func isFor(
    _ recipient: SealRecipient, dataKey: SecretBytes, fileID: [UInt8],
    triesTextsAsGiven: Bool = false
  ) throws(SealError) -> Bool {
    guard isKnown, recipient.slotType == type else { return false }
    switch recipient {
    case .key(let key): return try matches(key.secret, fileID: fileID)
    case .passphrase(let passphrase, _):
      if try matches(try keyEncryptionKey(of: passphrase), fileID: fileID) { return true }
      guard triesTextsAsGiven, let asGiven = passphrase.asGiven else { return false }
      return try matches(try keyEncryptionKey(of: asGiven), fileID: fileID)
    case .x25519(let recipient):
      let hint = try Slot.hint(recipient, dataKey: dataKey, fileID: fileID)
      return ConstantTime.areEqual(hint, self.hint)
    }
  }

  /// A slot for the same recipient, of which nothing is anybody else's; a passphrase keeps its salt and cost.
  func renewed(
    for recipient: SealRecipient, dataKey: SecretBytes, fileID: [UInt8]
  ) throws(SealError) -> Slot {
    guard case .passphrase(let passphrase, _) = recipient else {
      return try Slot(
        wrapping: dataKey, for: recipient, fileID: fileID, randomness: .fresh(for: recipient))
    }
    return try Slot(
      wrapping: dataKey, under: keyEncryptionKey(of: passphrase), prefix: prefix, fileID: fileID,
      nonce: RandomBytes.make(count: XChaCha20Poly1305.nonceLength))
  }

  private func keyEncryptionKey(
    of passphrase: SealPassphrase
  ) throws(SealError) -> SecretBytes {
    try passphrase.key(salt: Array(salt[..<Argon2id.saltLength]), cost: passphraseCost)
  }

  /// Section 4.3: both public keys and the file are bound in.
  private static func keyEncryptionKey(
    _ shared: SecretBytes, _ share: [UInt8], _ recipient: X25519Recipient, _ fileID: [UInt8]
  ) throws(SealError) -> SecretBytes {
    try Blake2b.derive(
      KeyLabel.x25519, (share + recipient.publicKey + fileID)[...], key: shared)
  }

  /// Section 4.3: only who has the data key can tell whose slot it is.
  private static func hint(
    _ recipient: X25519Recipient, dataKey: SecretBytes, fileID: [UInt8]
  ) throws(SealError) -> [UInt8] {
    let hint = try Blake2b.hash(
      KeyLabel.recipientHint, (fileID + recipient.publicKey)[...], key: dataKey)
    return Array(hint[..<SealFormat.slotHintLength])
  }

  private static func prefix(
    type: SealSlotType, mark: PassphraseMark = .none, cost: PassphraseCost? = nil,
    hint: [UInt8]? = nil,
    salt: [UInt8] = []
  ) -> [UInt8] {
    var prefix = [UInt8](repeating: 0, count: SealFormat.slotPrefixLength)
    prefix[0] = type.rawValue
    prefix[2] = mark.rawValue
    if let cost {
      var numbers: [UInt8] = []
      numbers.appendLittleEndian(UInt32(clamping: cost.passes))
      numbers.appendLittleEndian(UInt32(clamping: cost.memoryByteCount >> 10))
      prefix.replaceSubrange(4..<12, with: numbers)
    }
    if let hint { prefix.replaceSubrange(16..<24, with: hint) }
    if !salt.isEmpty { prefix.replaceSubrange(24..<24 + salt.count, with: salt) }
    return prefix
  }
}

/// What a writer keeps to when it chooses slots (Spec/seal.md, section 4).
enum SlotRules {
  /// Checks the number of recipients, that none is given twice, and what stands beside a passphrase.
  static func check(
    _ recipients: [SealRecipient], allowsMixedPassphrase: Bool
  ) throws(SealError) {
    try check(recipients.map(\.slotType), allowsMixedPassphrase: allowsMixedPassphrase)
    for (index, recipient) in recipients.enumerated() {
      guard !recipients[..<index].contains(where: { $0.isSame(as: recipient) }) else {
        throw SealError(.invalidKeys, detail: "one key is given twice")
      }
    }
  }

  /// Checks the types of all slots that a file is to have.
  static func check(_ types: [SealSlotType], allowsMixedPassphrase: Bool) throws(SealError) {
    guard !types.isEmpty, types.count <= SealFormat.maximumSlotCount else {
      throw SealError(.invalidKeys, detail: "\(types.count) keys")
    }
    let passphraseCount = types.count { $0 == .passphrase }
    guard passphraseCount <= SealFormat.maximumPassphraseSlotCount else {
      throw SealError(.invalidKeys, detail: "\(passphraseCount) passphrases, at most 4")
    }
    // Who opens a file by a passphrase alone may take it for written by who knows the passphrase.
    guard passphraseCount == 0 || types.count == 1 || allowsMixedPassphrase else {
      throw SealError(
        .invalidKeys, detail: "a passphrase beside other keys needs allowsMixedPassphrase")
    }
  }
}

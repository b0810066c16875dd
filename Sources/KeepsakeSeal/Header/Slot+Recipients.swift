/// The random values of one slot.
///
/// Only tests pass their own values, to reproduce the worked example in Spec/seal.md.
struct SlotRandomness {
  var nonce: [UInt8]
  /// The salt of a passphrase slot or the ephemeral secret of an X25519 slot.
  var seed: SecretBytes?

  static func fresh(for recipient: SealRecipient) throws(SealError) -> SlotRandomness {
    try SlotRandomness(
      nonce: try RandomBytes.make(count: XChaCha20Poly1305.nonceLength), freshFor: recipient)
  }

  /// Takes a nonce that was just drawn, and draws the other random values of the recipient's slot.
  init(nonce: [UInt8], freshFor recipient: SealRecipient) throws(SealError) {
    let seedLength: Int? =
      switch recipient {
      case .key: nil
      case .passphrase: Argon2id.saltLength
      case .x25519: X25519.keyLength
      }
    self.nonce = nonce
    // Section 4.2: a passphrase whose keys are kept has the salt of the file that is replaced.
    if case .passphrase(let passphrase, let cost) = recipient,
      let salt = passphrase.derivedKeys?.salt(cost: cost)
    {
      seed = try SecretBytes(copying: salt.span)
    } else if let seedLength {
      seed = try SecretBytes.random(count: seedLength)
    }
  }

  init(nonce: [UInt8], seed: SecretBytes? = nil) {
    self.nonce = nonce
    self.seed = seed
  }
}

extension Slot {
  /// Wraps `dataKey` for a recipient (Spec/seal.md, sections 4.1 to 4.3).
  ///
  /// Only passphrase slots use `mark`.
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

  /// The key-encryption key of an identity for this slot; nil when the slot has another type.
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

  /// Whether the slot has a recipient's mark, as far as a holder of the data key can tell.
  ///
  /// Only a party that knows a raw key or passphrase can make its commitment. Any holder of the data key can
  /// make the hint of an X25519 recipient.
  ///
  /// A passphrase may have been typed in another form than the one that its slot was made with. When
  /// `triesUnnormalizedTexts` is set, because the cost allows it, that form is tried too.
  func isFor(
    _ recipient: SealRecipient, dataKey: SecretBytes, fileID: [UInt8],
    triesUnnormalizedTexts: Bool = false
  ) throws(SealError) -> Bool {
    guard isKnown, recipient.slotType == type else { return false }
    switch recipient {
    case .key(let key): return try matches(key.secret, fileID: fileID)
    case .passphrase(let passphrase, _):
      if try matches(try keyEncryptionKey(of: passphrase), fileID: fileID) { return true }
      guard triesUnnormalizedTexts, let unnormalized = passphrase.unnormalized else { return false }
      return try matches(try keyEncryptionKey(of: unnormalized), fileID: fileID)
    case .x25519(let recipient):
      let hint = try Slot.hint(recipient, dataKey: dataKey, fileID: fileID)
      return ConstantTime.areEqual(hint, self.hint)
    }
  }

  /// A new slot for the same recipient, free of values that another party may have planted; a passphrase
  /// keeps its salt and cost.
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

  /// Section 4.3: the key depends on both public keys and the file id.
  private static func keyEncryptionKey(
    _ shared: SecretBytes, _ share: [UInt8], _ recipient: X25519Recipient, _ fileID: [UInt8]
  ) throws(SealError) -> SecretBytes {
    try Blake2b.derive(
      KeyLabel.x25519, (share + recipient.publicKey + fileID)[...], key: shared)
  }

  /// Section 4.3: only a holder of the data key can tell the recipient of the slot.
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

/// The rules for a writer's choice of slots (Spec/seal.md, section 4).
enum SlotRules {
  /// Checks the number of recipients, that each is given once, and that a passphrase is alone unless allowed.
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

  /// Checks the types of all slots of a new file.
  static func check(_ types: [SealSlotType], allowsMixedPassphrase: Bool) throws(SealError) {
    guard !types.isEmpty, types.count <= SealFormat.maximumSlotCount else {
      throw SealError(.invalidKeys, detail: "\(types.count) keys")
    }
    let passphraseCount = types.count { $0 == .passphrase }
    guard passphraseCount <= SealFormat.maximumPassphraseSlotCount else {
      throw SealError(.invalidKeys, detail: "\(passphraseCount) passphrases, at most 4")
    }
    // A reader that opens a file with a passphrase alone may take its writer for a person who knows the
    // passphrase.
    guard passphraseCount == 0 || types.count == 1 || allowsMixedPassphrase else {
      throw SealError(
        .invalidKeys, detail: "a passphrase beside other keys needs allowsMixedPassphrase")
    }
  }
}

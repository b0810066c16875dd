import Testing

@testable import KeepsakeSeal

/// Computes the values of Spec/seal.md, section 10, again.
@Suite struct `The worked slots of the specification` {
  private let example: SpecExample

  init() throws { example = try SpecExample() }

  private func slot(
    for recipient: SealRecipient, seed: String, mark: Slot.PassphraseMark = .none
  ) throws -> Slot {
    try Slot(
      wrapping: example.secret("data key"), for: recipient, fileID: example.value("file id"),
      randomness: SlotRandomness(
        nonce: example.value("slot nonce"), seed: example.secret(seed)), mark: mark)
  }

  @Test func `The passphrase slot of the specification is written byte for byte, and opens`() throws
  {
    let secret = try passphrase("correct horse battery staple")
    let slot = try slot(for: .passphrase(secret, cost: .constrained), seed: "salt")
    #expect(slot.bytes == example.bytes("passphrase-slot"))
    #expect(slot.bytes.count == SealFormat.slotLength)
    try check(slot, .passphrase(secret), key: "passphrase KEK")
  }

  @Test func `The sole passphrase slot is written byte for byte, and opens`() throws {
    let secret = try passphrase("correct horse battery staple")
    let slot = try slot(
      for: .passphrase(secret, cost: .constrained), seed: "salt", mark: .sole)
    #expect(slot.bytes == example.bytes("sole-slot"))
    #expect(slot.isSole)
    try check(slot, .passphrase(secret), key: "passphrase KEK")
  }

  @Test func `The slot of the passphrase key file is written byte for byte, and opens`() throws {
    let secret = try passphrase("correct horse battery staple")
    let key = try example.secret("raw key")
    let slot = try Slot(
      wrapping: key, for: .passphrase(secret, cost: .constrained), fileID: example.value("file id"),
      randomness: SlotRandomness(
        nonce: example.value("slot nonce"), seed: example.secret("salt")), mark: .keyFile)
    let file = example.bytes("passphrase-keyfile")
    #expect(Array(file[40..<232]) == slot.bytes)
    let decoded = try PassphraseKeyFile.decode(file, secret, SealPolicy())
    #expect(decoded.isEqual(to: SealKey(secret: key)))
  }

  @Test func `The combined key is that of the specification`() throws {
    let first = SealKey(secret: try example.secret("raw key"))
    let second = SealKey(secret: try example.secret("data key"))
    let expected = SealKey(secret: try example.secret("combined key"))
    #expect(try first.combined(with: second).isEqual(to: expected))
    #expect(try !second.combined(with: first).isEqual(to: expected))
  }

  @Test func `The X25519 slot is written byte for byte, and opens`() throws {
    let identity = try X25519Identity(secret: try example.secret("identity"))
    #expect(try identity.recipient.publicKey == example.value("recipient"))
    let slot = try slot(for: .x25519(identity.recipient), seed: "ephemeral secret")
    #expect(slot.bytes == example.bytes("x25519-slot"))
    #expect(try slot.salt == example.value("share"))
    try check(slot, .x25519(identity), key: "X25519 KEK")
  }

  private func check(_ slot: Slot, _ identity: SealIdentity, key name: String) throws {
    let fileID = try example.value("file id")
    let parsed = try Slot(parsing: slot.bytes)
    let key = try #require(try parsed.keyEncryptionKey(of: identity, fileID: fileID))
    #expect(key.isEqual(to: try example.secret(name)))
    #expect(try parsed.matches(key, fileID: fileID))
    guard case .dataKey(let dataKey) = try parsed.unwrap(with: key, fileID: fileID) else {
      Issue.record("the slot does not unwrap")
      return
    }
    #expect(dataKey.isEqual(to: try example.secret("data key")))
  }

  @Test func `The text forms are those of the specification`() throws {
    let texts = example.lines("texts").map(String.init)
    try #require(texts.count == 2)
    let identity = try X25519Identity(secret: try example.secret("identity"))
    #expect(identity.recipient.description == texts[0])
    #expect(try X25519Recipient(texts[0]) == identity.recipient)
    let text = try identity.withText { text in text.indices.map { text[$0] } }
    #expect(String(decoding: text, as: UTF8.self) == texts[1])
  }
}

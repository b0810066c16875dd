import Testing

@testable import KeepsakeSeal

@Suite struct `The slots of a journal` {
  private let key: SealKey
  private let identity: X25519Identity
  private let randomness: SegmentRandomness
  private let id = pattern(32)
  /// A slot for the key, and one for the identity.
  private let bytes: [UInt8]

  init() throws {
    key = try .generate()
    identity = try .generate()
    let recipients: [SealRecipient] = [.key(key), .x25519(identity.recipient)]
    randomness = try SegmentRandomness(freshFor: recipients)
    bytes = try randomness.slots(for: recipients, boundTo: id)
  }

  private func open(
    _ bytes: [UInt8], _ identities: [SealIdentity], boundTo id: [UInt8]? = nil
  ) -> SealError.Code? {
    code {
      // The slots are a part of a header.
      let header = [9, 9, 9] + bytes
      let found = try SlotTable(parsing: header[3...])
        .dataKey(with: identities, boundTo: id ?? self.id)
      #expect(found.isEqual(to: randomness.dataKey))
    }
  }

  @Test func `Each recipient finds the data key, and no other key or segment does`() throws {
    #expect(bytes.count == 2 * SlotTable.slotLength)
    let others: [SealIdentity] = [.key(try .generate()), .x25519(try .generate())]
    for identity in [SealIdentity.key(key), .x25519(identity)] {
      #expect(open(bytes, [identity]) == nil)
      #expect(open(bytes, others + [identity]) == nil)
      #expect(open(bytes, [identity], boundTo: pattern(32, seed: 2)) == .noMatchingKey)
    }
    #expect(open(bytes, others) == .noMatchingKey)
    #expect(open(bytes, []) == .noMatchingKey)
  }

  @Test func `A slot whose wrapped key was changed is damaged, unless another slot opens`() {
    for (slot, identity) in [(0, SealIdentity.key(key)), (1, .x25519(identity))] {
      var damaged = bytes
      damaged[slot * SlotTable.slotLength + 150] ^= 1
      #expect(open(damaged, [identity]) == .damagedHeader)
      #expect(open(damaged, [.key(key), .x25519(self.identity)]) == nil)
    }
  }

  @Test func `A slot of type 0, or with bytes in its unused part, is malformed`() {
    for offset in [191, 192 + 191, 5, 192 + 5] {
      var malformed = bytes
      malformed[offset] = 1
      #expect(open(malformed, [.key(key)]) == .malformedHeader, "\(offset)")
    }
    for offset in [0, 192] {
      var malformed = bytes
      malformed[offset] = 0
      #expect(open(malformed, [.key(key)]) == .malformedHeader, "\(offset)")
    }
  }

  @Test func `A journal has no passphrases`() throws {
    let secret = SealRecipient.passphrase(try SealPassphrase("p"), cost: .cheap)
    let slot = try SegmentRandomness(freshFor: [secret]).slots(for: [secret], boundTo: id)
    #expect(open(slot, []) == .malformedHeader)
    #expect(open(bytes + slot, [.key(key)]) == .malformedHeader)
    for recipients in [[secret], [.key(key), secret], [], [.key(key), .key(key)]] {
      #expect(code { try SlotTable.check(recipients) } == .invalidKeys)
    }
    #expect(code { try SlotTable.check([.key(key), .x25519(identity.recipient)]) } == nil)
  }
}

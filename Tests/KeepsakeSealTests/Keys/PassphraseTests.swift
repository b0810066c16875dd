import Testing

@testable import KeepsakeSeal

@Suite struct `Passphrases` {
  @Test(arguments: [PassphraseCost.cheap, .constrained])
  func `Only the passphrase that a file was sealed for opens it`(cost: PassphraseCost) throws {
    let bytes = try SealedFile.seal(
      pattern(9000).span, for: [.passphrase(passphrase("open sesame"), cost: cost)])
    let opened = try SealedFile.open(bytes: bytes, with: [.passphrase(passphrase("open sesame"))])
    #expect(try opened.read() == pattern(9000))
    #expect(opened.openedBy == .passphrase)
    #expect(opened.summary.slotTypes == [.passphrase])
    for wrong in ["open sesam", "open sesame ", "Open sesame"] {
      let failure = error {
        try SealedFile.open(bytes: bytes, with: [.passphrase(passphrase(wrong))])
      }
      #expect(failure == SealError(.noMatchingKey))
    }
  }

  @Test func `The default cost is 3 passes over 256 MiB, and is stored in the file`() throws {
    let bytes = try SealedFile.seal([1].span, for: [.passphrase(passphrase("p"))])
    let slot = try Slot(parsing: Array(bytes[128..<320]))
    #expect(slot.passphraseCost == .standard)
    #expect(PassphraseCost.standard == PassphraseCost(passes: 3, memoryByteCount: 256 << 20))
    #expect(PassphraseCost.constrained == PassphraseCost(passes: 3, memoryByteCount: 64 << 20))
  }

  @Test func `A passphrase has 1 to 4096 bytes`() throws {
    #expect(code { try passphrase("") } == .invalidPassphrase)
    #expect(code { try passphrase(String(repeating: "p", count: 4097)) } == .invalidPassphrase)
    let longest = String(repeating: "p", count: 4096)
    let bytes = try SealedFile.seal([1].span, for: [.passphrase(passphrase(longest), cost: .cheap)])
    #expect(
      try SealedFile.open(bytes: bytes, with: [.passphrase(passphrase(longest))]).read() == [1])
  }

  @Test func `Two slots of one passphrase have different salts and keys`() throws {
    let recipients = [SealRecipient.passphrase(try passphrase("p"), cost: .cheap)]
    let slots = try (0..<2).map { _ in
      try Slot(parsing: Array(SealedFile.seal([1].span, for: recipients)[128..<320]))
    }
    #expect(slots[0].salt != slots[1].salt)
    #expect(slots[0].commitment != slots[1].commitment)
  }

  // Holds [S-104].
  @Test func `A passphrase beside other keys needs an option`() throws {
    let secret = SealRecipient.passphrase(try passphrase("p"), cost: .cheap)
    let other = SealRecipient.passphrase(try passphrase("q"), cost: .cheap)
    let key = try SealKey.generate()
    for recipients in [[secret, .key(key)], [secret, other]] {
      #expect(code { try SealedFile.seal([1].span, for: recipients) } == .invalidKeys)
      let bytes = try SealedFile.seal(
        [1].span, for: recipients, options: SealOptions(allowsMixedPassphrase: true))
      #expect(
        try SealedFile.open(bytes: bytes, with: [.passphrase(passphrase("p"))]).read() == [1])
    }
  }

  // Holds [S-102].
  @Test func `A second slot for the same passphrase is refused, even at another cost`() throws {
    let recipients: [SealRecipient] = [
      .passphrase(try passphrase("p"), cost: .cheap), .passphrase(try passphrase("p")),
    ]
    let options = SealOptions(allowsMixedPassphrase: true)
    #expect(
      code { try SealedFile.seal([1].span, for: recipients, options: options) } == .invalidKeys)
  }

  @Test func `A file has at most four passphrases`() throws {
    let options = SealOptions(allowsMixedPassphrase: true)
    let recipients = try (0..<5).map {
      SealRecipient.passphrase(try passphrase("p\($0)"), cost: .cheap)
    }
    #expect(
      code { try SealedFile.seal([1].span, for: recipients, options: options) } == .invalidKeys)
    let four = Array(recipients.dropLast())
    let bytes = try SealedFile.seal([1].span, for: four, options: options)
    #expect(
      try SealedFile.open(bytes: bytes, with: [.passphrase(passphrase("p3"))]).openedBySlot == 3)

    let five = try SealPlan(
      recipients: recipients, options: options,
      randomness: SealRandomness.fresh(for: recipients)
    ).sealed([1].span)
    let failure = error { try SealedFile.open(bytes: five, with: [.passphrase(passphrase("p0"))]) }
    #expect(failure == SealError(.malformedHeader, detail: "more than 4 passphrase slots"))
  }

  @Test func `A raw key is tried before a passphrase`() throws {
    let key = try SealKey.generate()
    let bytes = try SealedFile.seal(
      [1].span, for: [.passphrase(passphrase("p"), cost: .cheap), .key(key)],
      options: SealOptions(allowsMixedPassphrase: true))
    // This policy allows no passphrase to be tried.
    let policy = SealPolicy(maximumPassphraseWork: 0)
    let opened = try SealedFile.open(
      bytes: bytes, with: [.passphrase(passphrase("p")), .key(key)], policy: policy)
    #expect(opened.openedBySlot == 1)
    #expect(opened.openedBy == .rawKey)
  }
}

import Testing

@testable import KeepsakeSeal

/// What somebody can forge who has, or once had, a key of a file; see SECURITY.md.
@Suite struct `Whoever has or had a key` {
  private let owner: SealKey
  private let intruder: SealKey

  init() throws {
    owner = try .generate()
    intruder = try .generate()
  }

  private func file(_ generation: UInt64, for keys: [SealKey]) throws -> [UInt8] {
    try SealedFile.seal(
      pattern(9_000).span, keys: keys,
      options: SealOptions(chunkSize: .kibibytes4, generation: generation))
  }

  /// What a key of the file gives, to keep for ever.
  private func stolen(_ bytes: [UInt8], with identity: SealIdentity) throws -> UnlockedHeader {
    try UnlockedHeader(
      SealedSource(bytes: bytes).header(policy: .default), identities: [identity], context: [],
      policy: .default)
  }

  /// A file of other content and generation under an old data key, in old slots.
  private func forged(
    from stolen: UnlockedHeader, slots: [Slot], generation: UInt64
  ) throws -> [UInt8] {
    let plan = try SealPlan(
      recipients: [], options: SealOptions(chunkSize: .kibibytes4, generation: generation),
      randomness: SealRandomness(
        dataKey: stolen.dataKey, fileID: stolen.fileID, slots: [], metadataNonce: pattern(24)),
      foreignSlots: slots)
    return try plan.sealed(pattern(50, seed: 666).span)
  }

  @Test func `A raw-key holder makes no file that seems to be the passphrase owner's`() throws {
    let bytes = try SealedFile.seal(
      [1].span, for: [.key(intruder), .passphrase(passphrase("p"), cost: .cheap)],
      options: SealOptions(allowsMixedPassphrase: true))
    let stolen = try stolen(bytes, with: .key(intruder))
    let forgery = try forged(from: stolen, slots: [stolen.header.slots[1]], generation: 0)
    let opened = try OpenedSealedFile(bytes: forgery, with: [.passphrase(passphrase("p"))])
    #expect(opened.summary.slotTypes == [.passphrase])
    #expect(!opened.isPassphraseOnly)
    // Nor does the bit help that tells such a file, or a slot beside one that has it.
    let slot = stolen.header.slots[1].bytes
    let marked = try Slot(parsing: Array(slot[..<2]) + [1] + slot[3...])
    let other = try forged(from: stolen, slots: [marked], generation: 0)
    #expect(
      code { try OpenedSealedFile(bytes: other, with: [.passphrase(passphrase("p"))]) }
        == .noMatchingKey)
  }

  @Test func `Nobody gets a slot beside that of a file for a passphrase alone`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      let secret = SealRecipient.passphrase(try passphrase("p"), cost: .cheap)
      try SealedFile.seal([1].span, to: path, for: [secret])
      func rewrap(_ change: SealSlotChange) throws {
        try SealedFile.rewrap(
          path, with: [.passphrase(passphrase("p"))], changes: [change],
          allowsMixedPassphrase: true)
      }
      func open(_ text: String) throws -> OpenedSealedFile {
        try SealedFile.open(path, with: [.passphrase(passphrase(text))])
      }
      #expect(try open("p").isPassphraseOnly)
      let before = try contents(of: path)
      let other = SealRecipient.passphrase(try passphrase("q"), cost: .cheap)
      for change: SealSlotChange in [
        .add(.key(intruder)), .add(other), .replace(.slot(0), with: .key(intruder)),
      ] {
        let failure = error { try rewrap(change) }
        #expect(failure?.code == .invalidKeys && failure?.slotIndex == 0)
      }
      #expect(try contents(of: path) == before)
      // Another passphrase in its place is as sole as the first one.
      try rewrap(.replace(.recipient(secret), with: other))
      #expect(try open("q").isPassphraseOnly)

      // Who can open the file beside it would make such a header, if readers took it.
      let stolen = try stolen(before, with: .passphrase(passphrase("p")))
      let second = try Slot(
        wrapping: stolen.dataKey, for: .key(intruder), fileID: stolen.fileID,
        randomness: .fresh(for: .key(intruder)))
      let forgery = try forged(
        from: stolen, slots: [stolen.header.slots[0], second], generation: 0)
      #expect(
        error { try OpenedSealedFile(bytes: forgery, keys: [intruder]) }
          == SealError(.malformedHeader, detail: "a sole passphrase slot beside another slot"))
    }
  }

  @Test func `A passphrase that is left alone, or takes another key's place, is not sole`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      let secret = SealRecipient.passphrase(try passphrase("p"), cost: .cheap)
      let options = SealOptions(allowsMixedPassphrase: true)
      try SealedFile.seal([1].span, to: path, for: [.key(intruder), secret], options: options)
      try SealedFile.rewrap(path, with: [.key(intruder)], changes: [.remove(.slot(0))])
      #expect(
        try !SealedFile.open(path, with: [.passphrase(passphrase("p"))]).isPassphraseOnly)
      try SealedFile.seal([1].span, to: path, for: [.key(intruder)])
      try SealedFile.rewrap(
        path, with: [.key(intruder)], changes: [.replace(.slot(0), with: secret)])
      #expect(
        try !SealedFile.open(path, with: [.passphrase(passphrase("p"))]).isPassphraseOnly)
      // Sealed again it is.
      try SealedFile.reseal(path, with: [.passphrase(passphrase("p"))], for: [secret])
      #expect(try SealedFile.open(path, with: [.passphrase(passphrase("p"))]).isPassphraseOnly)
    }
  }

  @Test func `A small file takes no gibibyte before anything of it is known to be genuine`() throws
  {
    let sealed = try SealedFile.seal([1].span, for: [.passphrase(passphrase("p"), cost: .cheap)])
    let bytes = try Sample.Forgery(bytes: sealed).changing(slot: 0, 8, to: 1 << 20)
    let failure = error { try OpenedSealedFile(bytes: bytes, with: [.passphrase(passphrase("p"))]) }
    #expect(failure?.code == .limitExceeded)
    #expect(failure?.description.contains("maximumPassphraseMemory") == true)
  }
}

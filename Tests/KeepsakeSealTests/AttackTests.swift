import TestSupport
import Testing

@testable import KeepsakeSeal

/// The forgeries that are open to a person who has, or once had, a key of a file; see SECURITY.md.
@Suite struct `Present and former holders of a key` {
  private let owner: SealKey
  private let intruder: SealKey

  init() throws {
    owner = try .generate()
    intruder = try .generate()
  }

  private func file(
    _ generation: UInt64, for keys: [SealKey], signedBy signingKey: SealSigningKey? = nil
  ) throws -> [UInt8] {
    try SealedFile.seal(
      pattern(9_000).span, for: keys.map { .key($0) },
      options: SealOptions(
        chunkSize: .kibibytes4, generation: generation, signingKey: signingKey))
  }

  /// The header that a holder of a key can unlock once, and store for ever.
  private func stolen(_ bytes: [UInt8], with identity: SealIdentity) throws -> UnlockedHeader {
    try UnlockedHeader(
      SealedSource(bytes: bytes).header(policy: SealPolicy()), identities: [identity], context: [],
      policy: SealPolicy())
  }

  /// A file of other content and generation under an old data key, in old slots.
  private func forged(
    from stolen: UnlockedHeader, slots: [Slot], generation: UInt64,
    signedBy signingKey: SealSigningKey? = nil
  ) throws -> [UInt8] {
    let plan = try SealPlan(
      recipients: [],
      options: SealOptions(
        chunkSize: .kibibytes4, generation: generation, signingKey: signingKey),
      randomness: SealRandomness(
        dataKey: stolen.dataKey, fileID: stolen.fileID, slots: [], metadataNonce: pattern(24),
        signatureNonce: pattern(24)),
      foreignSlots: slots)
    return try plan.sealed(pattern(50, seed: 666).span)
  }

  @Test func `A former recipient cannot forge a later generation if a signature is required`()
    throws
  {
    let signingKey = try SealSigningKey.generate()
    let policy = SealPolicy(signature: .trusted([signingKey.signer]))
    let first = try file(1, for: [owner, intruder], signedBy: signingKey)
    let stolen = try stolen(first, with: .key(intruder))
    // The file is sealed again without the intruder, who has kept the data key.
    let second = try file(2, for: [owner], signedBy: signingKey)
    let pin = try SealedFile.open(bytes: second, with: [.key(owner)], policy: policy).pin
    let slots = [stolen.header.slots[0]]
    let forgery = try forged(from: stolen, slots: slots, generation: 1_000)
    let own = try forged(
      from: stolen, slots: slots, generation: 1_000, signedBy: .generate())
    // Here the forgery ends with the block that the signer made for the first file.
    let moved = Array(own.dropLast(168)) + first.suffix(168)
    for expectation in [SealExpectation.atLeast(generation: 2), .notBefore(pin)] {
      func open(_ bytes: [UInt8], _ policy: SealPolicy) throws -> SealedFile {
        try SealedFile.open(
          bytes: bytes, with: [.key(owner)], expecting: expectation, policy: policy)
      }
      #expect(code { try open(forgery, policy) } == .signatureAbsent)
      #expect(code { try open(own, policy) } == .untrustedSigner)
      #expect(code { try open(moved, policy) } == .invalidSignature)
      #expect(try open(second, policy).freshnessHoldsAgainstKeyHolders)
      // A reader that requires no signature learns that the forgery's freshness proves nothing.
      #expect(try open(forgery, SealPolicy()).freshness == .notOlder)
      #expect(try !open(forgery, SealPolicy()).freshnessHoldsAgainstKeyHolders)
      #expect(
        try !open(own, SealPolicy(signature: .anySigner)).freshnessHoldsAgainstKeyHolders)
    }
  }

  @Test func `A co-recipient cannot change a chunk of a pinned file`() throws {
    for signingKey in [nil, try SealSigningKey.generate()] {
      let bytes = try file(1, for: [owner, intruder], signedBy: signingKey)
      let opened = try SealedFile.open(bytes: bytes, with: [.key(owner)])
      #expect(opened.pin.contentDigest == nil)
      let pin = try opened.contentPin()
      let stolen = try stolen(bytes, with: .key(intruder))
      let chunks = try SealedPayload(
        layout: ChunkLayout(
          headerLength: stolen.header.bytes.count, chunkSize: 4_096, payloadLength: 9_000,
          plaintextLength: 9_000),
        payloadKey: stolen.schedule.payloadKey()
      ).seal(
        pattern(9_000, seed: 666).span, after: stolen.header.bytes, threads: 1, progress: .none)
      let forgery = chunks + bytes[chunks.count...]
      func open(_ bytes: [UInt8], _ expectation: SealExpectation) throws -> SealedFile {
        try SealedFile.open(bytes: bytes, with: [.key(owner)], expecting: expectation)
      }
      // The pin of the header alone accepts the forgery, since its header is the same.
      let same = try open(forgery, .exactly(opened.pin))
      #expect(same.freshness == .sameHeader && !same.freshnessHoldsAgainstKeyHolders)
      #expect(try same.read() == pattern(9_000, seed: 666))
      for expectation in [SealExpectation.exactly(pin), .notBefore(pin)] {
        let honest = try open(bytes, expectation)
        #expect(honest.freshness == .exact && honest.freshnessHoldsAgainstKeyHolders)
        #expect(honest.pin == pin)
        #expect(try honest.read() == pattern(9_000))
        // The digests of a signed file are genuine, so there the chunks are found damaged.
        let failure = error { try open(forgery, expectation).read() }
        #expect(failure?.code == (signingKey == nil ? .staleFile : .damagedChunk))
      }
    }
  }

  @Test func `A raw-key holder cannot forge a file that seems to be the passphrase owner's`() throws
  {
    let bytes = try SealedFile.seal(
      [1].span, for: [.key(intruder), .passphrase(passphrase("p"), cost: .cheap)],
      options: SealOptions(allowsMixedPassphrase: true))
    let stolen = try stolen(bytes, with: .key(intruder))
    let forgery = try forged(from: stolen, slots: [stolen.header.slots[1]], generation: 0)
    let opened = try SealedFile.open(bytes: forgery, with: [.passphrase(passphrase("p"))])
    #expect(opened.summary.slotTypes == [.passphrase])
    #expect(!opened.isPassphraseOnly)
    // Setting the bit that marks a sole slot does not help either.
    let slot = stolen.header.slots[1].bytes
    let marked = try Slot(parsing: Array(slot[..<2]) + [1] + slot[3...])
    let other = try forged(from: stolen, slots: [marked], generation: 0)
    #expect(
      code { try SealedFile.open(bytes: other, with: [.passphrase(passphrase("p"))]) }
        == .noMatchingKey)
  }

  // Holds [S-103].
  @Test func `A file that is sealed for one passphrase alone gets no second slot`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      let secret = SealRecipient.passphrase(try passphrase("p"), cost: .cheap)
      try SealedFile.seal([1].span, to: path, for: [secret])
      func rewrap(adding newcomer: SealRecipient, removing: [SealSlotSelection] = []) throws {
        try SealedFile.rewrap(
          path, with: [.passphrase(passphrase("p"))], adding: [newcomer], removing: removing,
          allowsMixedPassphrase: true)
      }
      func open(_ text: String) throws -> SealedFile {
        try SealedFile.open(path, with: [.passphrase(passphrase(text))])
      }
      #expect(try open("p").isPassphraseOnly)
      let before = try contents(of: path)
      let other = SealRecipient.passphrase(try passphrase("q"), cost: .cheap)
      for (newcomer, removing): (SealRecipient, [SealSlotSelection]) in [
        (.key(intruder), []), (other, []), (.key(intruder), [.slot(0)]),
      ] {
        let failure = error { try rewrap(adding: newcomer, removing: removing) }
        #expect(failure?.code == .invalidKeys && failure?.slotIndex == 0)
      }
      #expect(try contents(of: path) == before)
      // The passphrase may be replaced by another one, which is then the sole passphrase.
      try rewrap(adding: other, removing: [.recipient(secret)])
      #expect(try open("q").isPassphraseOnly)

      // An attacker could make a header with a slot beside the sole one, if readers accepted it.
      let stolen = try stolen(before, with: .passphrase(passphrase("p")))
      let second = try Slot(
        wrapping: stolen.dataKey, for: .key(intruder), fileID: stolen.fileID,
        randomness: .fresh(for: .key(intruder)))
      let forgery = try forged(
        from: stolen, slots: [stolen.header.slots[0], second], generation: 0)
      #expect(
        error { try SealedFile.open(bytes: forgery, with: [.key(intruder)]) }
          == SealError(.malformedHeader, detail: "a sole passphrase slot beside another slot"))
    }
  }

  @Test func `A passphrase that remains as the last key, or replaces one, is not sole`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      let secret = SealRecipient.passphrase(try passphrase("p"), cost: .cheap)
      let options = SealOptions(allowsMixedPassphrase: true)
      try SealedFile.seal([1].span, to: path, for: [.key(intruder), secret], options: options)
      try SealedFile.rewrap(
        path, with: [.key(intruder)], removing: [.slot(0)], keeping: [.slot(1)])
      #expect(
        try !SealedFile.open(path, with: [.passphrase(passphrase("p"))]).isPassphraseOnly)
      try SealedFile.seal([1].span, to: path, for: [.key(intruder)])
      try SealedFile.rewrap(
        path, with: [.key(intruder)], adding: [secret], removing: [.slot(0)])
      #expect(
        try !SealedFile.open(path, with: [.passphrase(passphrase("p"))]).isPassphraseOnly)
      // After sealing again, it is sole.
      try SealedFile.reseal(path, with: [.passphrase(passphrase("p"))], for: [secret])
      #expect(try SealedFile.open(path, with: [.passphrase(passphrase("p"))]).isPassphraseOnly)
    }
  }

  @Test func `A slot that a co-recipient has planted is kept only on request, and reported`() throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      let bytes = try file(1, for: [owner, intruder])
      let stolen = try stolen(bytes, with: .key(intruder))
      let second = try SealKey.generate()
      let planted = try Slot(
        wrapping: stolen.dataKey, for: .key(second), fileID: stolen.fileID,
        randomness: .fresh(for: .key(second)))
      let header = try stolen.header.replacingSlots(
        stolen.header.slots + [planted], mac: stolen.schedule.headerMAC(of:))
      try write(header.bytes + bytes[stolen.header.bytes.count...], to: path)
      func rewrap(keepsUnnamedSlots: Bool = false) throws -> SealRewrapReport {
        try SealedFile.rewrap(
          path, with: [.key(owner)], removing: [.recipient(.key(intruder))],
          keepsUnnamedSlots: keepsUnnamedSlots)
      }
      let before = try contents(of: path)
      #expect(
        error { try rewrap() }
          == SealError(
            .missingRecipient, path: path, slotIndex: 2, detail: "slot 2, raw key"))
      #expect(try contents(of: path) == before)
      // The report names the planted slot.
      let report = try rewrap(keepsUnnamedSlots: true)
      #expect(report.keptSlots == [0, 2] && report.unnamedSlots == [2])
    }
  }

  @Test(arguments: [false, true])
  func `A slot with a copied hint is not kept as a slot of the recipient of that hint`(
    isInPlace: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      let (named, own) = (try X25519Identity.generate(), try X25519Identity.generate())
      let bytes = try SealedFile.seal(
        [1].span, for: [.key(owner), .x25519(named.recipient), .key(intruder)])
      let stolen = try stolen(bytes, with: .key(intruder))
      var slots = stolen.header.slots
      let planted = try Slot(
        withHintOf: slots[1], for: own, dataKey: stolen.dataKey, fileID: stolen.fileID)
      if isInPlace { slots[1] = planted } else { slots.append(planted) }
      let header = try stolen.header.replacingSlots(slots, mac: stolen.schedule.headerMAC(of:))
      try write(header.bytes + bytes[stolen.header.bytes.count...], to: path)
      #expect(try SealedFile.open(path, with: [.x25519(own)]).read() == [1])
      let report = try SealedFile.rewrap(
        path, with: [.key(owner)], removing: [.recipient(.key(intruder))],
        keeping: [.recipient(.x25519(named.recipient))])
      #expect(report.summary.slotTypes == [.rawKey, .x25519])
      #expect(report.plantedSlots == (isInPlace ? [] : [3]))
      #expect(try SealedFile.open(path, with: [.x25519(named)]).read() == [1])
      #expect(code { try SealedFile.open(path, with: [.x25519(own)]) } == .noMatchingKey)
    }
  }

  @Test
  func `The slot that opened a file stays its opener's, even if its hint is a copy of another one`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      let (named, opener) = (try X25519Identity.generate(), try X25519Identity.generate())
      let bytes = try SealedFile.seal(
        [1].span, for: [.x25519(named.recipient), .x25519(opener.recipient), .key(intruder)])
      let stolen = try stolen(bytes, with: .key(intruder))
      var slots = stolen.header.slots
      slots[1] = try Slot(
        withHintOf: slots[0], for: opener, dataKey: stolen.dataKey, fileID: stolen.fileID)
      let header = try stolen.header.replacingSlots(slots, mac: stolen.schedule.headerMAC(of:))
      try write(header.bytes + bytes[stolen.header.bytes.count...], to: path)
      let report = try SealedFile.rewrap(
        path, with: [.x25519(opener)], removing: [.recipient(.key(intruder))],
        keeping: [.recipient(.x25519(named.recipient)), .recipient(.x25519(opener.recipient))])
      #expect(report.keptSlots == [0, 1] && report.unnamedSlots + report.plantedSlots == [])
      // Both slots were written anew.
      let after = try contents(of: path)
      #expect(after[128..<320] != header.bytes[128..<320])
      #expect(after[320..<512] != header.bytes[320..<512])
      #expect(try SealedFile.open(path, with: [.x25519(named)]).openedBySlot == 0)
      #expect(try SealedFile.open(path, with: [.x25519(opener)]).openedBySlot == 1)
      try SealedFile.rewrap(
        path, with: [.x25519(opener)], removing: [.recipient(.x25519(named.recipient))])
      #expect(try SealedFile.inspect(path).slotTypes == [.x25519])
    }
  }

  @Test func `The passphrase slots of sealed files and of key files cannot be exchanged`()
    throws
  {
    let secret = try passphrase("p")
    let bytes = try SealedFile.seal(
      [1].span, for: [.key(intruder), .passphrase(secret, cost: .cheap)],
      options: SealOptions(allowsMixedPassphrase: true))
    let stolen = try stolen(bytes, with: .key(intruder))
    // The intruder, who knows the data key, hands it to the passphrase's owner as the owner's key.
    let keyFile = try PassphraseKeyFile.encode(.generate(), secret, .cheap)
    var forgery = Array(keyFile[..<8]) + stolen.fileID + stolen.header.slots[1].bytes
    forgery += try Blake2b.hash(forgery)[..<16]
    #expect(code { try PassphraseKeyFile.decode(forgery, secret, SealPolicy()) } == .keyFileDamaged)
    // An attacker with the key of a key file puts its slot into a file of their own.
    let key = try PassphraseKeyFile.decode(keyFile, secret, SealPolicy())
    let plan = try SealPlan(
      recipients: [], options: SealOptions(),
      randomness: SealRandomness(
        dataKey: key.secret, fileID: Array(keyFile[8..<40]), slots: [], metadataNonce: pattern(24)),
      foreignSlots: [try Slot(parsing: Array(keyFile[40..<232]), isInKeyFile: true)])
    let file = try plan.sealed([1].span)
    #expect(
      code { try SealedFile.open(bytes: file, with: [.passphrase(secret)]) } == .malformedHeader)
  }

  @Test func `A small file whose passphrase costs a gibibyte of memory is refused`() throws {
    let sealed = try SealedFile.seal([1].span, for: [.passphrase(passphrase("p"), cost: .cheap)])
    let bytes = try Sample.Forgery(bytes: sealed).changing(slot: 0, 8, to: 1 << 20)
    let failure = error { try SealedFile.open(bytes: bytes, with: [.passphrase(passphrase("p"))]) }
    #expect(failure?.code == .limitExceeded)
    #expect(failure?.description.contains("maximumPassphraseMemory") == true)
  }
}

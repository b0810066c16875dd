import TestSupport
import Testing

@testable import KeepsakeSeal

@Suite struct `Rewrapping` {
  /// A file for a raw key, an X25519 recipient and a passphrase.
  private struct Shared {
    let key: SealKey
    let identity: X25519Identity
    let path: String
    let bytes: [UInt8]
    let plaintext: [UInt8]

    var header: Int { get throws { try SealedFile.inspect(bytes: bytes).headerLength } }
    var recipients: [SealRecipient] {
      get throws {
        [.key(key), .x25519(identity.recipient), .passphrase(try passphrase("p"), cost: .cheap)]
      }
    }

    init(in directory: String) throws {
      let (key, identity) = (try SealKey.generate(), try X25519Identity.generate())
      let path = directory + "/shared"
      let plaintext = pattern(2 * 4096 + 77)
      try SealedFile.seal(
        plaintext.span, to: path,
        for: [.key(key), .x25519(identity.recipient), .passphrase(passphrase("p"), cost: .cheap)],
        options: SealOptions(
          chunkSize: .kibibytes4, context: [1], publicMetadata: [2, 3], generation: 5,
          creator: "tests", allowsMixedPassphrase: true))
      (self.key, self.identity, self.path, self.plaintext) = (key, identity, path, plaintext)
      bytes = try contents(of: path)
    }

    @discardableResult
    func rewrap(
      adding newcomers: [SealRecipient] = [], removing: [SealSlotSelection] = [],
      with identity: SealIdentity? = nil, mixed: Bool = true
    ) throws -> SealedFileSummary {
      try SealedFile.rewrap(
        path, with: [identity ?? .key(key)], adding: newcomers, removing: removing,
        keepsUnnamedSlots: true, context: [1], allowsMixedPassphrase: mixed
      ).summary
    }

    func open(_ identity: SealIdentity) throws -> SealedFile {
      try SealedFile.open(path, with: [identity], context: [1])
    }
  }

  private func withShared(_ body: (Shared) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      try body(try Shared(in: directory))
      #expect(try names(in: directory) == ["shared"])
    }
  }

  // Holds [S-115].
  @Test func `An added recipient can open the file, and the payload bytes are the same`() throws {
    try withShared { file in
      let newcomer = try X25519Identity.generate()
      let summary = try file.rewrap(adding: [.x25519(newcomer.recipient)])
      let opened = try file.open(.x25519(newcomer))
      #expect(opened.openedBySlot == 3)
      #expect(try opened.read() == file.plaintext)
      #expect(opened.summary == summary)
      #expect(summary.slotTypes == [.rawKey, .x25519, .passphrase, .x25519])
      for identity: SealIdentity in [
        .key(file.key), .x25519(file.identity), .passphrase(try passphrase("p")),
      ] {
        #expect(try file.open(identity).read() == file.plaintext)
      }
      let after = try contents(of: file.path)
      #expect(try after[summary.headerLength...] == file.bytes[file.header...])
      #expect(summary.fileID == Array(file.bytes[64..<96]))
      #expect(opened.generation == 5 && opened.creator == "tests")
      #expect(summary.publicMetadata == [2, 3])
    }
  }

  @Test func `A recipient that is removed by key or by index cannot open the file`() throws {
    for index in 0..<3 {
      for byIndex in [false, true] {
        try withShared { file in
          let identities: [SealIdentity] = [
            .key(file.key), .x25519(file.identity), .passphrase(try passphrase("p")),
          ]
          let selection: SealSlotSelection =
            byIndex ? .slot(index) : .recipient(try file.recipients[index])
          try file.rewrap(removing: [selection])
          for (other, identity) in identities.enumerated() {
            if other == index {
              #expect(code { try file.open(identity) } == .noMatchingKey)
            } else {
              #expect(try file.open(identity).read() == file.plaintext)
            }
          }
        }
      }
    }
  }

  @Test func `A passphrase can be replaced by another one`() throws {
    try withShared { file in
      let old = SealRecipient.passphrase(try passphrase("p"))
      let new = SealRecipient.passphrase(try passphrase("new"), cost: .cheap)
      let summary = try file.rewrap(
        adding: [new], removing: [.recipient(old)], with: .passphrase(passphrase("p")))
      #expect(code { try file.open(.passphrase(passphrase("p"))) } == .noMatchingKey)
      #expect(try file.open(.passphrase(passphrase("new"))).openedBySlot == 2)
      #expect(summary.slotTypes == [.rawKey, .x25519, .passphrase])
      // The header keeps its length, and so does the file.
      #expect(try contents(of: file.path).count == file.bytes.count)
    }
  }

  @Test func `An impossible change is refused, and the file is unchanged`() throws {
    try withShared { file in
      let stranger = SealRecipient.key(try .generate())
      let known = try file.recipients
      for (removing, expected): ([SealSlotSelection], SealError.Code) in [
        ([.recipient(stranger)], .noSuchSlot), ([.slot(3)], .noSuchSlot),
        ([.slot(-1)], .noSuchSlot), ((0..<3).map { .slot($0) }, .invalidKeys),
        ([.slot(1), .recipient(known[1])], .invalidKeys),
      ] {
        #expect(code { try file.rewrap(removing: removing) } == expected)
      }
      for newcomers in [[known[0]], [known[1]], [known[2]], [stranger, stranger]] {
        #expect(code { try file.rewrap(adding: newcomers) } == .invalidKeys)
      }
      #expect(code { try file.rewrap(adding: [stranger], mixed: false) } == .invalidKeys)
      let wrong = SealIdentity.key(try .generate())
      #expect(code { try file.rewrap(adding: [stranger], with: wrong) } == .noMatchingKey)
      #expect(
        code { try SealedFile.rewrap(file.path, with: [.key(file.key)]) } == .contextMismatch)
      #expect(try contents(of: file.path) == file.bytes)
    }
  }

  @Test func `A recipient can be removed and added at once, with new random values`()
    throws
  {
    try withShared { file in
      let recipient = try file.recipients[0]
      let slot = Array(file.bytes[128..<320])
      try file.rewrap(adding: [recipient], removing: [.recipient(recipient)])
      #expect(try file.open(.key(file.key)).read() == file.plaintext)
      let opened = try file.open(.key(file.key))
      #expect(opened.summary.slotTypes == [.x25519, .passphrase, .rawKey])
      #expect(try contents(of: file.path)[512..<704] != slot[...])
    }
  }

  // Holds [S-115].
  @Test func `A slot is kept only if it is named, or if unnamed slots are kept`() throws {
    try withShared { file in
      let known = try file.recipients
      func rewrap(
        removing: [SealSlotSelection] = [], keeping: [SealSlotSelection]
      ) throws -> SealRewrapReport {
        try SealedFile.rewrap(
          file.path, with: [.key(file.key)], removing: removing, keeping: keeping, context: [1],
          allowsMixedPassphrase: true)
      }
      let first = error { try rewrap(keeping: []) }
      #expect(
        first
          == SealError(.missingRecipient, path: file.path, slotIndex: 1, detail: "slot 1, X25519"))
      #expect(error { try rewrap(keeping: [.slot(1)]) }?.slotIndex == 2)
      #expect(code { try rewrap(keeping: [.slot(3)]) } == .noSuchSlot)
      let both = error {
        try rewrap(removing: [.slot(1)], keeping: [.recipient(known[1]), .slot(2)])
      }
      #expect(both?.code == .invalidKeys && both?.slotIndex == 1)
      #expect(try contents(of: file.path) == file.bytes)
      let report = try rewrap(removing: [.slot(1)], keeping: [.recipient(known[2])])
      #expect(report.keptSlots == [0, 2] && report.unnamedSlots == [])
      #expect(report.summary.slotTypes == [.rawKey, .passphrase])
    }
  }

  @Test func `A file has at most 32 slots`() throws {
    try withShared { file in
      let more = try (0..<30).map { _ in SealRecipient.key(try .generate()) }
      #expect(code { try file.rewrap(adding: more) } == .invalidKeys)
      #expect(try file.rewrap(adding: Array(more.dropLast())).slotTypes.count == 32)
    }
  }

  @Test func `A slot of an unknown type stays, and can be removed by its index`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      let key = try SealKey.generate()
      let unknown = try Slot(parsing: [200] + pattern(191))
      let plan = try SealPlan(
        recipients: [.key(key)], options: SealOptions(),
        randomness: .fresh(for: [.key(key)]), foreignSlots: [unknown])
      try write(plan.sealed([9].span), to: path)
      let other = try SealKey.generate()
      #expect(
        error { try SealedFile.rewrap(path, with: [.key(key)], adding: [.key(other)]) }
          == SealError(
            .missingRecipient, path: path, slotIndex: 0, detail: "slot 0, type 200"))
      let report = try SealedFile.rewrap(
        path, with: [.key(key)], adding: [.key(other)], keeping: [.slot(0)])
      #expect(report.keptSlots == [0, 1] && report.unnamedSlots == [])
      #expect(try contents(of: path)[128..<320] == unknown.bytes[...])
      let summary = try SealedFile.rewrap(
        path, with: [.key(other)], removing: [.slot(0)], keeping: [.recipient(.key(key))]
      ).summary
      #expect(summary.slotTypes == [.rawKey, .rawKey])
      #expect(try SealedFile.open(path, with: [.key(key)]).read() == [9])
    }
  }

  @Test func `Rewrapping copies a damaged chunk without opening it`()
    throws
  {
    try withShared { file in
      var bytes = file.bytes
      bytes[try file.header + 4096 + 16 + 5] ^= 1
      try write(bytes, to: file.path)
      try file.rewrap(removing: [.slot(1)])
      let opened = try file.open(.key(file.key))
      #expect(error { try opened.read() }?.chunkIndex == 1)
      #expect(try opened.read(0..<4096) == Array(file.plaintext[..<4096]))
    }
  }

  // Holds [S-120].
  @Test func `A file that another writer replaced meanwhile is left unchanged`() throws {
    try withShared { (file) throws in
      let newer = pattern(50, seed: 9)
      let failure = error {
        try SealedFile.rewrap(
          file.path, with: [.key(file.key)], removing: [.slot(1)], keepsUnnamedSlots: true,
          context: [1]
        ) { progress in
          let sealed = try? SealedFile.seal(newer.span, to: file.path, for: [.key(file.key)])
          return sealed != nil
        }
      }
      #expect(failure == SealError(.changedMeanwhile, path: file.path))
      #expect(try SealedFile.open(file.path, with: [.key(file.key)]).read() == newer)
    }
  }

  @Test func `The cost of finding passphrases is limited`() throws {
    try withShared { file in
      let policy = SealPolicy(maximumPassphraseWork: 8 << 10)
      let newcomer = SealRecipient.passphrase(try passphrase("q"), cost: .cheap)
      func rewrap(removing: [SealSlotSelection] = []) throws {
        try SealedFile.rewrap(
          file.path, with: [.key(file.key)], adding: [newcomer], removing: removing,
          keepsUnnamedSlots: true, context: [1], allowsMixedPassphrase: true, policy: policy)
      }
      #expect(code { try rewrap(removing: [.recipient(newcomer)]) } == .limitExceeded)
      try rewrap()
      #expect(try file.open(.passphrase(passphrase("q"))).openedBySlot == 3)
    }
  }
}

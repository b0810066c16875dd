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
      _ changes: [SealSlotChange], with identity: SealIdentity? = nil, mixed: Bool = true
    ) throws -> SealedFileSummary {
      try SealedFile.rewrap(
        path, with: [identity ?? .key(key)], changes: changes, keepsUnnamedSlots: true,
        context: [1], allowsMixedPassphrase: mixed
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

  @Test func `An added recipient can open the file, and the payload bytes are the same`() throws {
    try withShared { file in
      let newcomer = try X25519Identity.generate()
      let summary = try file.rewrap([.add(.x25519(newcomer.recipient))])
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

  @Test func `A removed recipient cannot open the file, whichever way it was named`() throws {
    for index in 0..<3 {
      for byIndex in [false, true] {
        try withShared { file in
          let identities: [SealIdentity] = [
            .key(file.key), .x25519(file.identity), .passphrase(try passphrase("p")),
          ]
          let selection: SealSlotSelection =
            byIndex ? .slot(index) : .recipient(try file.recipients[index])
          try file.rewrap([.remove(selection)])
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

  @Test func `A passphrase is replaced in its place`() throws {
    try withShared { file in
      let old = SealRecipient.passphrase(try passphrase("p"))
      let new = SealRecipient.passphrase(try passphrase("new"), cost: .cheap)
      let summary = try file.rewrap(
        [.replace(.recipient(old), with: new)], with: .passphrase(passphrase("p")))
      #expect(code { try file.open(.passphrase(passphrase("p"))) } == .noMatchingKey)
      #expect(try file.open(.passphrase(passphrase("new"))).openedBySlot == 2)
      #expect(summary.slotTypes == [.rawKey, .x25519, .passphrase])
      // The header keeps its length, and so does the file.
      #expect(try contents(of: file.path).count == file.bytes.count)
    }
  }

  @Test func `What cannot be is refused, and leaves the file as it was`() throws {
    try withShared { file in
      let stranger = SealRecipient.key(try .generate())
      let known = try file.recipients
      let all = (0..<3).map { SealSlotChange.remove(.slot($0)) }
      for (changes, expected): ([SealSlotChange], SealError.Code) in [
        ([.remove(.recipient(stranger))], .noSuchSlot), ([.remove(.slot(3))], .noSuchSlot),
        ([.remove(.slot(-1))], .noSuchSlot), (all, .invalidKeys),
        ([.remove(.slot(1)), .remove(.recipient(known[1]))], .invalidKeys),
        ([.add(known[0])], .invalidKeys), ([.add(known[1])], .invalidKeys),
        ([.add(known[2])], .invalidKeys), ([.add(stranger), .add(stranger)], .invalidKeys),
      ] {
        #expect(code { try file.rewrap(changes) } == expected)
      }
      #expect(code { try file.rewrap([.add(stranger)], mixed: false) } == .invalidKeys)
      let wrong = SealIdentity.key(try .generate())
      #expect(code { try file.rewrap([.add(stranger)], with: wrong) } == .noMatchingKey)
      #expect(
        code { try SealedFile.rewrap(file.path, with: [.key(file.key)], changes: []) }
          == .contextMismatch)
      #expect(try contents(of: file.path) == file.bytes)
    }
  }

  @Test func `A recipient can be taken out and put in again, with a slot of new random values`()
    throws
  {
    try withShared { file in
      let recipient = try file.recipients[0]
      try file.rewrap([.replace(.recipient(recipient), with: recipient)])
      #expect(try file.open(.key(file.key)).read() == file.plaintext)
      #expect(try contents(of: file.path)[128..<320] != file.bytes[128..<320])
    }
  }

  @Test func `Each slot that is kept is named, or is told to be kept unnamed`() throws {
    try withShared { file in
      let known = try file.recipients
      func rewrap(
        _ changes: [SealSlotChange], keeping: [SealSlotSelection]
      ) throws -> SealRewrapReport {
        try SealedFile.rewrap(
          file.path, with: [.key(file.key)], changes: changes, keeping: keeping, context: [1],
          allowsMixedPassphrase: true)
      }
      let first = error { try rewrap([], keeping: []) }
      #expect(
        first
          == SealError(.missingRecipient, path: file.path, slotIndex: 1, detail: "slot 1, X25519"))
      #expect(error { try rewrap([], keeping: [.slot(1)]) }?.slotIndex == 2)
      #expect(code { try rewrap([], keeping: [.slot(3)]) } == .noSuchSlot)
      let both = error {
        try rewrap([.remove(.slot(1))], keeping: [.recipient(known[1]), .slot(2)])
      }
      #expect(both?.code == .invalidKeys && both?.slotIndex == 1)
      #expect(try contents(of: file.path) == file.bytes)
      let report = try rewrap(
        [.remove(.slot(1))], keeping: [.recipient(known[2])])
      #expect(
        report.keptSlots == [
          .init(index: 0, type: .rawKey, isNamed: true),
          .init(index: 2, type: .passphrase, isNamed: true, isRenewed: true),
        ])
      #expect(report.summary.slotTypes == [.rawKey, .passphrase])
    }
  }

  @Test func `32 slots are the most`() throws {
    try withShared { file in
      let more = try (0..<30).map { _ in SealSlotChange.add(.key(try .generate())) }
      #expect(code { try file.rewrap(more) } == .invalidKeys)
      #expect(try file.rewrap(Array(more.dropLast())).slotTypes.count == 32)
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
        error { try SealedFile.rewrap(path, with: [.key(key)], changes: [.add(.key(other))]) }
          == SealError(
            .missingRecipient, path: path, slotIndex: 0, detail: "slot 0, type 200"))
      let report = try SealedFile.rewrap(
        path, with: [.key(key)], changes: [.add(.key(other))], keeping: [.slot(0)])
      #expect(report.keptSlots.map(\.isNamed) == [true, true])
      #expect(try contents(of: path)[128..<320] == unknown.bytes[...])
      let summary = try SealedFile.rewrap(
        path, with: [.key(other)], changes: [.remove(.slot(0))], keeping: [.recipient(.key(key))]
      ).summary
      #expect(summary.slotTypes == [.rawKey, .rawKey])
      #expect(try SealedFile.open(path, with: [.key(key)]).read() == [9])
    }
  }

  @Test func `The payload is not opened: a damaged chunk stays damaged, and the others whole`()
    throws
  {
    try withShared { file in
      var bytes = file.bytes
      bytes[try file.header + 4096 + 16 + 5] ^= 1
      try write(bytes, to: file.path)
      try file.rewrap([.remove(.slot(1))])
      let opened = try file.open(.key(file.key))
      #expect(error { try opened.read() }?.chunkIndex == 1)
      #expect(try opened.read(0..<4096) == Array(file.plaintext[..<4096]))
    }
  }

  @Test func `A file that somebody else replaced meanwhile is left alone`() throws {
    try withShared { (file) throws in
      let newer = pattern(50, seed: 9)
      let failure = error {
        try SealedFile.rewrap(
          file.path, with: [.key(file.key)], changes: [.remove(.slot(1))],
          keepsUnnamedSlots: true, context: [1]
        ) { progress in
          let sealed = try? SealedFile.seal(newer.span, to: file.path, for: [.key(file.key)])
          return sealed == nil ? .cancel : .proceed
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
      func rewrap(_ changes: [SealSlotChange]) throws {
        try SealedFile.rewrap(
          file.path, with: [.key(file.key)], changes: changes, keepsUnnamedSlots: true,
          context: [1], allowsMixedPassphrase: true, policy: policy)
      }
      #expect(
        code { try rewrap([.add(newcomer), .remove(.recipient(newcomer))]) } == .limitExceeded)
      try rewrap([.add(newcomer)])
      #expect(try file.open(.passphrase(passphrase("q"))).openedBySlot == 3)
    }
  }
}

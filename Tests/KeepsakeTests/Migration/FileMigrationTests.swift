@testable import Keepsake
import TestSupport
import Testing

@Suite struct `Migrating a sealed file` {
  private let key: SealKey
  private let other: SealKey

  init() throws {
    key = try SealKey.generate()
    other = try SealKey.generate()
  }

  @Test func `A migrated file has a new data key and the next generation`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/state.keepsake"
      let options = SealOptions(
        chunkSize: .kibibytes4, context: [1, 2], publicMetadata: [3], generation: 41,
        creator: "tests")
      try SealedArchive().seal(to: path, keys: [key], options: options)
      let before = try SealedFile.inspect(path)
      let report = try SealedArchive.plan().migrateFile(
        at: path, keys: [key, other], options: .init(context: [1, 2]))
      #expect(report.isRewritten && report.steps[0].changedCount == 2)
      for key in [key, other] {
        let file = try SealedFile.open(path, with: [.key(key)], context: [1, 2])
        #expect(file.generation == 42 && file.creator == "tests")
        #expect(file.summary.chunkSize == 4096 && file.summary.publicMetadata == [3])
        #expect(file.summary.fileID != before.fileID)
        let archive = try Archive(file.read())
        try archive.requireCanonical()
        #expect(try archive.object(.init(1)).decode(String.self, forKey: "name") == "Ada")
        #expect(archive.reserved.bundleVersion == "11")
      }
    }
  }

  @Test
  func `A migration signs a signed file again, and checks the signer and the generation`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      let (signingKey, stranger) = (try SealSigningKey.generate(), try SealSigningKey.generate())
      try SealedArchive().seal(
        to: path, keys: [key], options: SealOptions(generation: 5, signingKey: signingKey))
      let before = try DurableFile.read(at: path, upTo: 1 << 20)
      let signed = FileMigrationOptions(signingKey: signingKey)
      func migrate(_ options: FileMigrationOptions) throws {
        try SealedArchive.plan().migrateFile(at: path, keys: [key], options: options)
      }
      var stale = signed
      stale.expectation = .atLeast(generation: 6)
      for (options, expected) in [
        (FileMigrationOptions(), SealError.Code.signingKeyAbsent), (stale, .staleFile),
        (FileMigrationOptions(signingKey: stranger), .untrustedSigner),
      ] {
        let error = keepsakeError { try migrate(options) }
        #expect((error?.underlyingError as? SealError)?.code == expected)
        #expect(try DurableFile.read(at: path, upTo: 1 << 20) == before)
      }
      #expect(keepsakeError { try migrate(stale) }?.code == .staleState)
      try migrate(signed)
      let policy = SealPolicy(signature: .trusted([signingKey.signer]))
      #expect(try SealedFile.open(path, with: [.key(key)], policy: policy).generation == 6)
      // A new signature may replace a trusted one, and an option drops a signature.
      try SealedArchive().seal(to: path, keys: [key], options: .init(signingKey: signingKey))
      try migrate(FileMigrationOptions(signingKey: stranger, policy: policy))
      #expect(try SealedFile.inspect(path).isSigned)
      try SealedArchive().seal(to: path, keys: [key], options: .init(signingKey: signingKey))
      try migrate(FileMigrationOptions(dropsSignature: true))
      #expect(try !SealedFile.inspect(path).isSigned)
    }
  }

  @Test
  func `A file is not written when nothing is migrated, on a dry run or on a refusal`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/state.keepsake"
      let versions: [(String, KeepsakeError.Code?)] = [
        ("11.0", nil), ("12", .migrationRefused), ("9", .migrationRefused),
        ("x", .migrationRefused),
      ]
      for (version, code) in versions {
        try SealedArchive(version: version).seal(to: path, keys: [key])
        let bytes = try DurableFile.read(at: path, upTo: 1 << 20)
        let error = keepsakeError {
          try SealedArchive.plan().migrateFile(at: path, keys: [key])
        }
        #expect(error?.code == code)
        #expect(try DurableFile.read(at: path, upTo: 1 << 20) == bytes)
      }
      try SealedArchive().seal(to: path, keys: [key])
      let bytes = try DurableFile.read(at: path, upTo: 1 << 20)
      let report = try SealedArchive.plan().migrateFile(
        at: path, keys: [key], isDryRun: true)
      #expect(report.steps[0].objects.count == 2)
      let failing = try SealedArchive.plan(
        .editObjects("fail") { _ in
          throw ArchiveError(.invalidValue, "it does not fit")
        })
      let error = keepsakeError { try failing.migrateFile(at: path, keys: [key]) }
      #expect((error?.underlyingError as? MigrationError)?.code == .stepFailed)
      #expect(
        error?.message
          == "\(path) was not migrated and is unchanged. The migration step 10 -> 11 (fail) failed at "
          + "object #1: it does not fit. The saved state is unchanged; mend the step, or start fresh."
      )
      #expect(try DurableFile.read(at: path, upTo: 1 << 20) == bytes)
      #expect(try directoryNames(directory) == ["lock", "state.keepsake"])
    }
  }

  @Test func `A migration that would lose a slot is refused, unless it is told to drop the slot`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/state.keepsake"
      try SealedArchive().seal(to: path, keys: [key, other])
      let error = keepsakeError { try SealedArchive.plan().migrateFile(at: path, keys: [key]) }
      #expect(error?.code == .slotWouldBeLost)
      #expect(
        error?.message
          == "A slot of the file at \"\(path)\" is for a recipient who was not named (slot 1, "
          + "raw key). Name its recipient, or say that the slot may stay or is to be dropped.")
      #expect(try SealedFile.open(path, with: [.key(other)]).generation == 0)
      try SealedArchive.plan().migrateFile(
        at: path, keys: [key], options: .init(dropsOtherSlots: true))
      let dropped = #expect(throws: SealError.self) {
        try SealedFile.open(path, with: [.key(other)])
      }
      #expect(dropped?.code == .noMatchingKey)
      let wrong = keepsakeError { try SealedArchive.plan().migrateFile(at: path, keys: [other]) }
      #expect(wrong?.code == .keyWrong)
      #expect(
        wrong?.message
          == "Cannot open the file at \"\(path)\" because none of the given keys fits it. Use the "
          + "key or the passphrase that it was sealed with; the file itself is left alone. To start over without it, "
          + "reset the state: it is then set aside, not deleted.")
      let absent = keepsakeError {
        try SealedArchive.plan().migrateFile(at: directory + "/absent", keys: [key])
      }
      #expect(absent?.code == .storeUnavailable)
      #expect(
        absent?.message == "There is no file at \"\(directory)/absent\". Check the path.")
    }
  }

  @Test func `A migration opens by one identity and seals for other recipients`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/state.keepsake"
      let identity = try X25519Identity.generate()
      let recipient = SealRecipient.x25519(identity.recipient)
      try SealedArchive().seal(to: path, keys: [key])
      try SealedArchive.plan().migrateFile(
        at: path, with: [.key(key)], for: [.key(key), recipient])
      let file = try SealedFile.open(path, with: [.x25519(identity)])
      #expect(file.generation == 1)
      #expect(try Archive(file.read()).reserved.bundleVersion == "11")
    }
  }

  @Test func `A migration does not replace a file that has changed meanwhile`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/state.keepsake"
      try SealedArchive().seal(to: path, keys: [key])
      let key = key
      let plan = try SealedArchive.plan(
        .editDocument("save another state") { _ in
          try SealedArchive(version: "10.9").seal(to: path, keys: [key])
        })
      let error = keepsakeError { try plan.migrateFile(at: path, keys: [key]) }
      #expect((error?.underlyingError as? SealError)?.code == .changedMeanwhile)
      #expect(
        error?.message
          == "Another writer has changed \"\(path)\" in the meantime. Look at the new file, and "
          + "start again.")
      let file = try SealedFile.open(path, with: [.key(key)])
      #expect(try Archive(file.read()).reserved.bundleVersion == "10.9")
      #expect(try directoryNames(directory) == ["lock", "state.keepsake"])
    }
  }

  @Test func `A migration keeps refused files under different names if it is told to`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/state.keepsake"
      let options = FileMigrationOptions(keepsRefusedFiles: true)
      for version in ["12", "13"] {
        try SealedArchive(version: version).seal(to: path, keys: [key])
        let error = keepsakeError {
          try SealedArchive.plan().migrateFile(at: path, keys: [key], options: options)
        }
        #expect((error?.underlyingError as? MigrationError)?.code == .fromTheFuture)
      }
      try SealedArchive().seal(to: path, keys: [key])
      #expect(
        try directoryNames(directory) == [
          "lock", "state.keepsake", "state.keepsake.refused-1", "state.keepsake.refused-2",
        ])
      let kept = try SealedFile.open(path + ".refused-1", with: [.key(key)])
      #expect(try Archive(kept.read()).reserved.bundleVersion == "12")
    }
  }

  // Spec/state.md, section 1, rule 1.
  @Test func `A state is not migrated while it is in use`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/state.keepsake"
      try SealedArchive().seal(to: path, keys: [key])
      let before = try DurableFile.read(at: path, upTo: 1 << 20)
      let plan = try SealedArchive.plan()
      func requireRefusal(_ user: String) throws {
        for isDryRun in [false, true] {
          let error = keepsakeError {
            try plan.migrateFile(at: path, keys: [key], isDryRun: isDryRun)
          }
          #expect(
            error?.code == .stateInUse && error?.message.contains(directory) == true, "\(user)")
          let outcomes = try plan.migrateFiles(inDirectory: directory, isDryRun: isDryRun) { _ in
            [key]
          }
          guard case .failed(let failure)? = outcomes.first?.outcome else {
            Issue.record("\(user): \(outcomes)")
            return
          }
          #expect(failure.code == .stateInUse && outcomes.count == 1, "\(user)")
        }
        #expect(try DurableFile.read(at: path, upTo: 1 << 20) == before, "\(user)")
      }
      let other = try OtherProcess(locking: directory + "/lock")
      try requireRefusal("another process")
      other.kill()
      do {
        let store = SealedStateStore(directory: StateDirectory(path: directory))
        try store.lock()
        try requireRefusal("this process")
        withExtendedLifetime(store) {}
      }
      #expect(try plan.migrateFile(at: path, keys: [key]).isRewritten)
    }
  }

  @Test func `A damaged file is left as it was`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/state.keepsake"
      try SealedFile.seal([1, 2, 3].span, to: path, for: [.key(key)])
      let noArchive = keepsakeError { try SealedArchive.plan().migrateFile(at: path, keys: [key]) }
      #expect(noArchive?.code == .damaged)
      #expect(
        noArchive?.message
          == "\(path) was not migrated and is unchanged, because it holds no valid archive: The archive "
          + "has 3 bytes, fewer than any archive (byte 0). Use another copy of the archive; this one is not as it was "
          + "written.")
      try SealedArchive().seal(to: path, keys: [key])
      var bytes = try DurableFile.read(at: path, upTo: 1 << 20)
      bytes[bytes.count - 1] ^= 1
      try DurableFile.replace(at: path, with: bytes.span)
      let damaged = keepsakeError { try SealedArchive.plan().migrateFile(at: path, keys: [key]) }
      #expect(damaged?.code == .damaged)
      #expect(
        damaged?.message
          == "Cannot read the file at \"\(path)\" because its chunk 0 is damaged. Keep the file for "
          + "inspection, and use a backup copy or start fresh.")
      #expect(try DurableFile.read(at: path, upTo: 1 << 20) == bytes)
    }
  }
}

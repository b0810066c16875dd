import Foundation
import Keepsake
import Testing

private func passphrase(_ text: String) throws -> SealPassphrase {
  try SealPassphrase(copying: Array(text.utf8).span)
}

@MainActor
@Suite struct `Key stores` {
  private func store(_ directory: TemporaryDirectory) -> PassphraseKeyStore {
    PassphraseKeyStore(path: directory.state.keyPath, cost: .constrained)
  }

  /// Runs a test in a directory with a state, whose key is under the passphrase "right".
  private func withState(
    _ body: @MainActor (TemporaryDirectory) async throws -> Void
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let keyStore = store(directory)
      #expect(try await !keyStore.unlock(with: try passphrase("right")))
      try await SealedStateStore(directory: directory.state, keyStore: keyStore)
        .save([1], previous: .replace)
      try await body(directory)
    }
  }

  @Test
  func `A passphrase key store opens a state in any number of loads and saves`() async throws {
    try await withState { directory in
      let keyStore = store(directory)
      #expect(try await keyStore.unlock(with: try passphrase("right")))
      let state = SealedStateStore(directory: directory.state, keyStore: keyStore)
      for number in UInt8(1)...3 {
        #expect(try await state.load() == .archive([number], failedLaunchCount: 0))
        try await state.save([number + 1], previous: .replace)
      }
      let sealed = try SealedFile.inspect(directory.state.archivePath)
      #expect(sealed.slotTypes == [.rawKey])
    }
  }

  @Test
  func `A passphrase key store has a message for an absent, a locked, a wrong and a damaged key`()
    async throws
  {
    try await withState { directory in
      let path = directory.state.keyPath
      let bytes = try directory.contents(path)
      let keyStore = store(directory)
      let locked = await thrownError { _ = try keyStore.existingKey() }
      let wrong = await thrownError { try await keyStore.unlock(with: try passphrase("wrong")) }
      let still = await thrownError { _ = try keyStore.existingKey() }
      #expect(still == locked)
      try directory.write(bytes.dropLast() + [bytes[247] ^ 1], to: path)
      let damaged = await thrownError { try await keyStore.unlock(with: try passphrase("right")) }
      try FileManager.default.removeItem(atPath: path)
      let absent = await thrownError { _ = try keyStore.existingKey() }
      let errors = [absent, locked, wrong, damaged]
      #expect(errors.map { $0?.code } == [.keyAbsent, .keyLocked, .keyWrong, .keyDamaged])
      #expect(Set(errors.map { $0?.message }).count == 4)
      for error in errors {
        let message = try #require(error?.message)
        #expect(message.contains(path) && message.hasSuffix("."), "\(message)")
      }
    }
  }

  @Test func `A key file store tells an absent, a wrong and a damaged key apart`() async throws {
    try await TemporaryDirectory.with { directory in
      let state = SealedStateStore(directory: directory.state)
      try await state.save([1], previous: .replace)
      let path = directory.state.keyPath
      let keyStore = KeyFileStore(path: path)
      let bytes = try directory.contents(path)
      try directory.write(Data(count: 48), to: path)
      let failure1 = await thrownError { _ = try keyStore.existingKey() }
      #expect(failure1?.code == .keyDamaged)
      try directory.write(bytes.dropLast() + [bytes[47] ^ 1], to: path)
      let failure2 = await thrownError { _ = try keyStore.existingKey() }
      #expect(failure2?.code == .keyDamaged)
      try FileManager.default.removeItem(atPath: path)
      let failure3 = await thrownError { _ = try keyStore.existingKey() }
      #expect(failure3?.code == .keyAbsent)
      _ = try SealKey.create(at: path)
      let other = SealedStateStore(directory: directory.state)
      let wrong = await #expect(throws: RestorationError.self) { _ = try await other.load() }
      #expect(wrong?.code == .keyUnavailable)
      #expect(wrong?.message.contains("none of the given keys fits it") == true)
    }
  }

  @Test
  func `A locked key store restores and overwrites nothing until it is unlocked`() async throws {
    try await TemporaryDirectory.with { directory in
      let version = try BundleVersion("1.0")
      let first = store(directory)
      try await first.unlock(with: try passphrase("right"))
      let writer = RestorationCoordinator(
        directory: directory.state, keyStore: first,
        configuration: RestorationConfiguration(bundleVersion: version))
      let app = NotesApp()
      await writer.launch(app)
      (app.window.rootController as? NoteController)?.draft = "secret"
      try await writer.save(app)
      let before = try directory.contents(directory.state.archivePath)

      let keyStore = store(directory)
      let coordinator = RestorationCoordinator(
        directory: directory.state, keyStore: keyStore,
        configuration: RestorationConfiguration(bundleVersion: version))
      guard case .keyUnavailable(let message)? = await coordinator.prepare() else {
        Issue.record("nothing was refused")
        return
      }
      #expect(message.contains("unlock it with its passphrase"))
      #expect(await restorationCode { try await coordinator.save(app) } == .saveRefused)
      #expect(try directory.contents(directory.state.archivePath) == before)

      try await keyStore.unlock(with: try passphrase("right"))
      let restored = NotesApp()
      await coordinator.launch(restored)
      #expect((restored.window.rootController as? NoteController)?.draft == "secret")
    }
  }

  @Test
  func `A passphrase key store makes no new key for a state whose key is lost`() async throws {
    try await withState { directory in
      try FileManager.default.removeItem(atPath: directory.state.keyPath)
      let keyStore = store(directory)
      try await keyStore.unlock(with: try passphrase("new"))
      let state = SealedStateStore(directory: directory.state, keyStore: keyStore)
      #expect(await restorationCode { try await state.load() } == .keyUnavailable)
      #expect(
        await restorationCode { try await state.save([2], previous: .replace) } == .keyUnavailable)
      #expect(try directory.names() == ["state.keepsake"])
      try await state.reset()
      #expect(
        await restorationCode { try await state.save([2], previous: .replace) } == .keyUnavailable)
      try await keyStore.unlock(with: try passphrase("new"))
      try await state.save([2], previous: .replace)
      #expect(try await state.load() == .archive([2], failedLaunchCount: 0))
    }
  }

  @Test func `A passphrase is changed without touching the state`() async throws {
    try await withState { directory in
      let before = try directory.contents(directory.state.archivePath)
      let keyStore = store(directory)
      let (right, new) = (try passphrase("right"), try passphrase("new"))
      let refused = await thrownError {
        try await keyStore.changePassphrase(from: new, to: right)
      }
      #expect(refused?.code == .keyWrong)
      try await keyStore.changePassphrase(from: right, to: new)
      let former = await thrownError { try await keyStore.unlock(with: right) }
      #expect(former?.code == .keyWrong)
      try await keyStore.unlock(with: new)
      let state = SealedStateStore(directory: directory.state, keyStore: keyStore)
      #expect(try await state.load() == .archive([1], failedLaunchCount: 0))
      #expect(try directory.contents(directory.state.archivePath) == before)
      keyStore.lock()
      let failure5 = await thrownError { _ = try keyStore.existingKey() }
      #expect(failure5?.code == .keyLocked)
    }
  }

  @Test func `A passphrase key store protects sessions, too`() async throws {
    try await TemporaryDirectory.with { directory in
      let path = directory.url.appendingPathComponent("key").path
      let keyStore = PassphraseKeyStore(path: path, cost: .constrained)
      try await keyStore.unlock(with: try passphrase("right"))
      let sessions = StateSessions(in: directory.state, keyStore: keyStore)
      let name = try SessionIdentifier("main")
      let session = try await sessions.open(name)
      try await session.save([1], previous: .replace)
      keyStore.lock()
      let failure6 = await thrownError { _ = try await sessions.archive(of: name) }
      #expect(failure6?.code == .keyLocked)
    }
  }
}

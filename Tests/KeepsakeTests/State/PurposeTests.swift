import Foundation
import Testing

@testable import Keepsake

@MainActor
@Suite struct `The purpose of a state` {
  /// Two directories whose states have one key; only the application or the session differs.
  private func stores(
    _ directory: TemporaryDirectory, _ first: StatePurpose, _ second: StatePurpose
  ) -> (SealedStateStore, SealedStateStore) {
    let path = directory.url.path
    let keyStore = KeyFileStore(path: path + "/key")
    let stores = [("one", first), ("two", second)].map { name, purpose in
      SealedStateStore(
        directory: StateDirectory(path: "\(path)/\(name)", purpose: purpose), keyStore: keyStore)
    }
    return (stores[0], stores[1])
  }

  private static let contacts = StatePurpose(application: "com.example.contacts")

  @Test(
    arguments: [
      StatePurpose(application: "com.example.notes"),
      StatePurpose(application: ""),
      StatePurpose(application: "com.example.contacts\n"),
      StatePurpose(application: "com.example.contacts", session: try? SessionIdentifier("main")),
      StatePurpose(application: "", session: try? SessionIdentifier("main")),
    ])
  func `A state is sealed with its purpose, and one of another purpose is refused`(
    other: StatePurpose
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let (mine, theirs) = stores(directory, Self.contacts, other)
      try await mine.save([1], previous: .replace)
      try await theirs.save([2], previous: .replace)
      let foreign = try directory.contents(theirs.directory.archivePath)
      try directory.write(foreign, to: mine.directory.archivePath)
      let path = mine.directory.archivePath
      let error = await #expect(throws: RestorationError.self) { _ = try await mine.load() }
      #expect(error?.code == .wrongPurpose)
      #expect(
        error?.message.hasPrefix(
          "The state at \(path) was saved for \(other) and not for \(Self.contacts), so it was "
            + "neither opened nor changed.") == true, "\(error?.message ?? "")")
      // It is not overwritten either, by this launch or by one that saves at once.
      let next = SealedStateStore(directory: mine.directory, keyStore: mine.keyStore)
      let coordinator = RestorationCoordinator(
        store: mine,
        configuration: RestorationConfiguration(bundleVersion: try BundleVersion("1")))
      guard case .storeUnavailable? = await coordinator.prepare() else {
        Issue.record("The state was not refused.")
        return
      }
      mine.unlock()
      let refused = await #expect(throws: RestorationError.self) {
        try await next.save([3], previous: .replace)
      }
      #expect(refused?.code == .wrongPurpose)
      #expect(try directory.contents(path) == foreign)
      // A reset helps, and keeps the file.
      try await next.reset()
      try await next.save([3], previous: .replace)
      #expect(try await next.load() == .archive([3], failedLaunchCount: 0))
      #expect(try directory.contents(path + ".set-aside-1") == foreign)
    }
  }

  @Test func `A state that was sealed without a purpose is refused`() async throws {
    try await TemporaryDirectory.with { directory in
      let (mine, _) = stores(directory, Self.contacts, Self.contacts)
      try await mine.save([1], previous: .replace)
      let key = try mine.keyStore.existingKey()
      try SealedFile.seal([2].span, to: mine.directory.archivePath, for: [.key(key)])
      let error = await #expect(throws: RestorationError.self) { _ = try await mine.load() }
      #expect(error?.code == .wrongPurpose && error?.message.contains("another purpose") == true)
      // The public metadata of the file is not trusted: the seal decides.
      try SealedFile.seal(
        [2].span, to: mine.directory.archivePath, for: [.key(key)],
        options: SealOptions(publicMetadata: Self.contacts.context))
      let lied = await #expect(throws: RestorationError.self) { _ = try await mine.load() }
      #expect(lied?.code == .wrongPurpose && lied?.message.contains("another purpose") == true)
    }
  }

  @Test func `The purpose is stored in the file, so that the key alone opens it`() async throws {
    try await TemporaryDirectory.with { directory in
      let state = StateDirectory(path: directory.state.path, application: "com.example.contacts")
      try await SealedStateStore(directory: state).save([1], previous: .replace)
      let summary = try SealedFile.inspect(state.archivePath)
      #expect(summary.statePurpose == Self.contacts && summary.statePurpose == state.purpose)
      let key = try SealKey.read(at: state.keyPath)
      let context = try #require(summary.statePurpose?.context)
      #expect(
        try SealedFile.open(state.archivePath, with: [.key(key)], context: context).read() == [1])
      let error = #expect(throws: SealError.self) {
        try SealedFile.open(state.archivePath, with: [.key(key)])
      }
      #expect(error?.code == .contextMismatch)
    }
  }

  @Test func `The purpose names the application, and that of a session also names the session`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      #expect(try StateDirectory.user("com.example.contacts").purpose == Self.contacts)
      let state = StateDirectory(path: directory.state.path, application: "com.example.contacts")
      let sessions = StateSessions(in: state)
      let name = try SessionIdentifier("main")
      let session = try await sessions.open(name)
      try await session.save([1], previous: .replace)
      let path = state.sessionsPath + "/main.session/state.keepsake"
      #expect(
        try SealedFile.inspect(path).statePurpose
          == StatePurpose(application: "com.example.contacts", session: name))
      #expect(try await session.load() == .archive([1], failedLaunchCount: 0))
      // Another app uses the same directory.
      let other = StateSessions(in: StateDirectory(path: state.path, application: "notes"))
      let error = await #expect(throws: KeepsakeError.self) {
        _ = try await other.archive(of: name)
      }
      #expect(error?.code == .wrongPurpose)
    }
  }

  @Test(
    arguments: [
      "", "keepsake state 0", "keepsake state 0\n", "keepsake state 1\n\napp",
      "keepsake state 0\n-bad\napp", "keepsake state 0\nMAIN\napp", "Keepsake state 0\n\napp",
    ])
  func `A text in another form is not read as a purpose`(text: String) {
    #expect(StatePurpose(Array(text.utf8)) == nil)
  }

  @Test func `A purpose is read as it was written, and never from malformed UTF-8`() throws {
    let main = try SessionIdentifier("main")
    for application in ["", "a", "a\nb", "\u{1B}[2J", "ä😀"] {
      for session in [nil, main] {
        let purpose = StatePurpose(application: application, session: session)
        #expect(StatePurpose(purpose.context) == purpose)
        #expect(!purpose.description.contains("\u{1B}"))
      }
    }
    #expect(StatePurpose(Array("keepsake state 0\n\n".utf8) + [0xFF]) == nil)
  }
}

@MainActor
@Suite struct `The reset of one directory` {
  @Test func `A reset keeps a key that others need, and continues to use it`() async throws {
    try await TemporaryDirectory.with { directory in
      let path = directory.url.path
      let keyStore = KeyFileStore(path: path + "/key")
      let (one, two) = (
        StateDirectory(path: path + "/one", application: "one"),
        StateDirectory(path: path + "/two", application: "two")
      )
      let store = SealedStateStore(directory: one, keyStore: keyStore)
      try await store.save([1], previous: .replace)
      try await SealedStateStore(directory: two, keyStore: keyStore).save([2], previous: .replace)
      let sessions = StateSessions(in: two, keyStore: keyStore)
      let name = try SessionIdentifier("main")
      var session: StateSession? = try await sessions.open(name)
      try await session?.save([3], previous: .replace)
      let key = try directory.contents(keyStore.path)
      session = nil
      try await store.reset()
      try await sessions.reset()
      #expect(try directory.contents(keyStore.path) == key)
      let other = SealedStateStore(directory: two, keyStore: keyStore)
      #expect(try await other.load() == .archive([2], failedLaunchCount: 0))
      try await store.save([4], previous: .replace)
      #expect(try await store.load() == .archive([4], failedLaunchCount: 0))
    }
  }

  @Test func `A reset sets a damaged key aside, wherever it is`() async throws {
    try await TemporaryDirectory.with { directory in
      let keyStore = KeyFileStore(path: directory.url.path + "/key")
      let store = SealedStateStore(directory: directory.state, keyStore: keyStore)
      try await store.save([1], previous: .replace)
      try directory.write(Data(count: 48), to: keyStore.path)
      try await store.reset()
      #expect(try directory.contents(keyStore.path + ".set-aside-1") == Data(count: 48))
      try await store.save([2], previous: .replace)
      #expect(try await store.load() == .archive([2], failedLaunchCount: 0))
    }
  }
}

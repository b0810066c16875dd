import Foundation
import Testing

@testable import Keepsake

@MainActor
@Suite struct `The sessions of an app` {
  @Test func `The first session is new, and is listed with later ones`() async throws {
    try await TemporaryDirectory.with { directory in
      let first = try await directory.sessions.resume()
      #expect(first.reason == nil)
      try await first.save(Array("draft".utf8), previous: .replace)
      let second = try await directory.save("older", age: 60)
      let listed = try await directory.sessions.list()
      #expect(listed.map(\.identifier) == [first.identifier, second])
      #expect(listed.map(\.isInUse) == [true, false])
      #expect(listed.map(\.reason) == [nil, .crash])
      #expect(listed.allSatisfy { $0.byteCount > 48 })
    }
  }

  @Test func `Sessions are resumed most recent first, and each once`() async throws {
    try await TemporaryDirectory.with { directory in
      // The ages are far apart, because each counts from the save of its session, and a save may take seconds on a
      // busy machine.
      for (text, age) in [("b", 20_000.0), ("a", 10_000), ("c", 30_000)] {
        try await directory.save(text, age: age)
      }
      let sessions = directory.sessions
      var open: [StateSession] = []
      for text in ["a", "b", "c", nil] {
        let session = try await sessions.resume()
        #expect(try await directory.text(in: session) == text)
        #expect(session.reason == (text == nil ? nil : .crash))
        open.append(session)
      }
      #expect(Set(open.map(\.identifier)).count == 4)
    }
  }

  @Test
  func `A session is opened by name, and a second call returns the same object`() async throws {
    try await TemporaryDirectory.with { directory in
      let sessions = directory.sessions
      let name = try SessionIdentifier("main")
      let session = try await sessions.open(name)
      #expect(try await sessions.open(name) === session)
      #expect(try directory.sessionNames() == ["main"])
      #expect(try directory.permissions(directory.path("", of: name)) == 0o700)
    }
  }

  @Test(arguments: [
    "", "-a", "A", "a/b", "..", "a.session", "a b", "é", String(repeating: "a", count: 65),
  ])
  func `A name that is empty, too long or has other characters is refused`(text: String) {
    let error = #expect(throws: KeepsakeError.self) { try SessionIdentifier(text) }
    #expect(error?.code == .invalidIdentifier && error?.message.contains("\"\(text)\"") == true)
  }

  @Test func `Names of sessions are ordered by their text`() throws {
    let names = try ["main", "a-2", "window", "a-1"].map { text in try SessionIdentifier(text) }
    #expect(names.sorted().map { "\($0)" } == ["a-1", "a-2", "main", "window"])
  }

  @Test func `Entries whose names are not those of sessions are left alone`() async throws {
    try await TemporaryDirectory.with { directory in
      try await directory.save("state")
      for name in ["UPPER.session", "notes.txt", "x.session.bak"] {
        try directory.write(Data(), to: directory.state.sessionsPath + "/" + name)
      }
      #expect(try await directory.sessions.list().count == 1)
      #expect(try await directory.sessions.prune() == [])
      #expect(directory.exists(directory.state.sessionsPath + "/UPPER.session"))
    }
  }

  @Test func `Each session has its own key`() async throws {
    try await TemporaryDirectory.with { directory in
      let (one, other) = (try await directory.save("one"), try await directory.save("other"))
      for (session, text) in [(one, "one"), (other, "other")] {
        let opened = try await directory.sessions.open(session)
        #expect(try await directory.text(in: opened) == text)
      }
      let key = directory.path("key", of: one)
      try FileManager.default.removeItem(atPath: key)
      try FileManager.default.copyItem(atPath: directory.path("key", of: other), toPath: key)
      #expect(await code { try await directory.sessions.archive(of: one) } == .keyWrong)
      // Neither the app's key alone nor the session's key alone opens the archive.
      let archive = directory.path("state.keepsake", of: other)
      for path in [key, directory.state.sessionsPath + "/key"] {
        let key = try SealKey.read(at: path)
        let context = try #require(try SealedFile.inspect(archive).statePurpose?.context)
        let error = #expect(throws: SealError.self) {
          try SealedFile.open(archive, with: [.key(key)], context: context)
        }
        #expect(error?.code == .noMatchingKey)
      }
    }
  }

  @Test func `Sessions are shown and removed by name`() async throws {
    try await TemporaryDirectory.with { directory in
      let sessions = directory.sessions
      let coordinator = RestorationCoordinator(
        session: try await sessions.open(try SessionIdentifier("main")),
        configuration: RestorationConfiguration(bundleVersion: try BundleVersion("1.0")))
      let app = NotesApp()
      await coordinator.launch(app)
      (app.window.rootController as? NoteController)?.draft = "unsent"
      try await coordinator.save(app)
      let archive = try await sessions.archive(of: try SessionIdentifier("main"))
      #expect(archive.reserved.bundleVersion == "1.0" && archive.objectCount == 3)

      let other = try await directory.save("no archive")
      #expect(await code { try await sessions.archive(of: other) } == .damaged)
      try await sessions.remove(other)
      #expect(try directory.sessionNames() == ["main"])
      #expect(await code { try await sessions.remove(other) } == .stateAbsent)
      #expect(await code { try await sessions.archive(of: other) } == .stateAbsent)
      let inUse = try SessionIdentifier("main")
      #expect(await code { try await sessions.remove(inUse) } == .stateInUse)
    }
  }

  @Test func `A session restores a window's state like any store`() async throws {
    try await TemporaryDirectory.with { directory in
      for count in 0..<3 {
        let session = try await directory.sessions.resume()
        let coordinator = RestorationCoordinator(
          session: session,
          configuration: RestorationConfiguration(bundleVersion: try BundleVersion("1.0")))
        let app = NotesApp()
        await coordinator.launch(app)
        let note = try #require(app.window.rootController as? NoteController)
        #expect(note.draft == String(repeating: "x", count: count))
        note.draft += "x"
        try await coordinator.save(app)
        try await session.end(.userQuit)
      }
      #expect(try directory.sessionNames().count == 1)
    }
  }
}

import Foundation
import Testing

@testable import Keepsake

@MainActor
@Suite struct `Discarding a session` {
  /// A second name of a file, by which a test reads the bytes after the file was removed.
  private func witness(
    _ name: String, of session: SessionIdentifier, _ directory: TemporaryDirectory
  ) throws -> String {
    let path = directory.url.appendingPathComponent("witness-\(name)").path
    try FileManager.default.linkItem(atPath: directory.path(name, of: session), toPath: path)
    return path
  }

  @Test
  func `A discard erases the key, so that no copy of the state can be read again`() async throws {
    try await TemporaryDirectory.with { directory in
      let name = try await directory.save("secret")
      let session = try await directory.sessions.open(name)
      let (key, archive) = (
        try witness("key", of: name, directory), try witness("state.keepsake", of: name, directory)
      )
      // The archive's other name is not counted: it is no secret, and keeps its content.
      #expect(try await session.discard() == 1)
      #expect(try directory.sessionNames() == [])
      #expect(try directory.contents(key) == Data(count: 48))

      // A copy of the archive cannot be opened with the app's key, not even in a session of the same name.
      let again = try await directory.sessions.open(name)
      #expect(again.reason == nil)
      try await again.save([1], previous: .replace)
      try FileManager.default.removeItem(atPath: directory.path("state.keepsake", of: name))
      try FileManager.default.moveItem(
        atPath: archive, toPath: directory.path("state.keepsake", of: name))
      #expect(await code { try await directory.sessions.archive(of: name) } == .keyWrong)
    }
  }

  @Test func `A discarded session is closed, and nothing is saved in it again`() async throws {
    try await TemporaryDirectory.with { directory in
      let sessions = directory.sessions
      let session = try await sessions.open(try SessionIdentifier("main"))
      try await session.save([1], previous: .replace)
      for _ in 0..<2 { try await session.discard() }
      #expect(
        await restorationCode { try await session.save([2], previous: .replace) }
          == .storeUnavailable)
      // The call makes no folder, because a session of the same name may be there.
      let error = await #expect(throws: RestorationError.self) { try await session.load() }
      #expect(error?.code == .storeUnavailable && error?.message.contains("discarded") == true)
      #expect(await code { try await session.enterBackground() } == .sessionDiscarded)
      #expect(try directory.sessionNames() == [])
      #expect(try await sessions.open(try SessionIdentifier("main")) !== session)
    }
  }

  // In the other order, a failure in between would leave the key of a state that has copies.
  @Test func `A discard erases the key before it removes the archive`() async throws {
    try await TemporaryDirectory.with { directory in
      let name = try await directory.save("secret")
      let session = try await directory.sessions.open(name)
      let key = try witness("key", of: name, directory)
      let archive = directory.path("state.keepsake", of: name)
      try FileManager.default.removeItem(atPath: archive)
      try FileManager.default.createDirectory(
        atPath: archive + "/something in it", withIntermediateDirectories: true)
      let error = await thrownError { try await session.discard() }
      #expect(error?.code == .storeUnavailable && error?.message.contains(archive) == true)
      #expect(try directory.contents(key) == Data(count: 48))
      #expect(!directory.exists(directory.path("key", of: name)))
      #expect(SessionRecord(at: directory.path("session", of: name))?.use == .discarded)
      try FileManager.default.removeItem(atPath: archive)
      try await session.discard()
      #expect(try directory.sessionNames() == [])
    }
  }

  @Test func `A discard that a crash interrupted is completed by the next launch`() async throws {
    try await TemporaryDirectory.with { directory in
      let (pruned, opened) = (try await directory.save("a"), try await directory.save("b"))
      for name in [pruned, opened] {
        try SessionRecord(.discarded).write(to: directory.path("session", of: name))
        try FileManager.default.removeItem(atPath: directory.path("key", of: name))
      }
      let session = try await directory.sessions.open(opened)
      #expect(
        session.reason == nil && !directory.exists(directory.path("state.keepsake", of: opened)))
      try await session.save([1], previous: .replace)
      #expect(try await directory.sessions.prune().map(\.cause) == [.discarded])
      #expect(try directory.sessionNames() == [opened.text])
    }
  }

  @Test
  func `A discard by the coordinator erases the key and keeps the session open`() async throws {
    try await TemporaryDirectory.with { directory in
      let name = try await directory.save("secret")
      let key = try witness("key", of: name, directory)
      let session = try await directory.sessions.open(name)
      try await session.remove()
      #expect(try directory.contents(key) == Data(count: 48))
      #expect(try await session.load() == .absent)
      try await session.save([2], previous: .replace)
      #expect(try await session.load() == .archive([2], failedLaunchCount: 0))
    }
  }

  @Test
  func `A discard does not replace a lost key, and only a reset makes a new one`() async throws {
    try await TemporaryDirectory.with { directory in
      let name = try await directory.save("state")
      let appKey = directory.state.sessionsPath + "/key"
      try FileManager.default.removeItem(atPath: appKey)
      let other = try await directory.sessions.open()
      let error = await #expect(throws: RestorationError.self) {
        try await other.save([1], previous: .replace)
      }
      #expect(error?.code == .keyUnavailable && error?.message.contains(appKey) == true)
      #expect(await code { try await directory.sessions.archive(of: name) } == .keyAbsent)
      try await other.discard()
      #expect(!directory.exists(appKey))

      let held = try await directory.sessions.open(name)
      #expect(await code { try await directory.sessions.reset() } == .stateInUse)
      withExtendedLifetime(held) {}
    }
    try await TemporaryDirectory.with { directory in
      let name = try await directory.save("state")
      let appKey = directory.state.sessionsPath + "/key"
      let key = try directory.contents(appKey)
      try await directory.sessions.reset()
      try await directory.sessions.prune()
      #expect(try directory.contents(appKey + ".set-aside-1") == key)
      for file in ["key.set-aside-1", "state.keepsake.set-aside-1"] {
        #expect(directory.exists(directory.path(file, of: name)), "\(file)")
      }
      try await directory.save("new")
      #expect(try directory.contents(appKey) != key)
    }
  }
}

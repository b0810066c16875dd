import Foundation
import Synchronization
import Testing

@testable import Keepsake

@MainActor
@Suite struct `A session that has expired` {
  private nonisolated static let day: Double = 24 * 60 * 60
  /// A whole second, since the names of folders contain whole seconds.
  private let base = Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded(.down))

  /// The sessions of a launch whose clock is `days` ahead of the present.
  private func launch(
    _ directory: TemporaryDirectory, days: Double = 0, _ policy: SessionPolicy = SessionPolicy()
  ) -> StateSessions {
    let time = base.addingTimeInterval(days * Self.day)
    return StateSessions(in: directory.state, policy: policy) { time }
  }

  private func save(
    _ text: String, _ directory: TemporaryDirectory, daysAgo: Double
  ) async throws -> SessionIdentifier {
    let name = try await directory.save(text)
    try FileManager.default.setAttributes(
      [.modificationDate: base.addingTimeInterval(-daysAgo * Self.day)],
      ofItemAtPath: directory.path("state.keepsake", of: name))
    return name
  }

  @Test func `An expired session is set aside with its key, and no longer resumed`() async throws {
    try await TemporaryDirectory.with { directory in
      let old = try await save("old", directory, daysAgo: 31)
      let young = try await save("young", directory, daysAgo: 29)
      let key = try directory.contents(directory.path("key", of: old))
      let sessions = launch(directory)
      #expect(try await sessions.prune() == [SessionRemoval(identifier: old, cause: .setAside)])
      #expect(try directory.sessionNames() == [young.text])
      let folder = try #require(try directory.expiredFolders().first)
      #expect(folder.hasSuffix("/\(old).expired-\(Int(base.timeIntervalSince1970))"))
      #expect(try directory.contents(folder + "/key") == key)
      let listed = try await sessions.list()
      #expect(listed.map(\.identifier) == [young, old])
      #expect(listed.map(\.expired) == [nil, base] && listed[1].description.contains("set aside"))
      let first = try await sessions.resume()
      let second = try await sessions.resume()
      #expect(first.identifier == young && second.reason == nil)
    }
  }

  @Test func `An expired session is not resumed where it cannot be set aside`() async throws {
    try await TemporaryDirectory.with { directory in
      let old = try await save("old", directory, daysAgo: 31)
      // A file has the name that its folder would get.
      let seconds = Int(base.timeIntervalSince1970)
      let taken = directory.state.sessionsPath + "/\(old).expired-\(seconds)"
      #expect(FileManager.default.createFile(atPath: taken, contents: nil))
      let session = try await launch(directory).resume()
      #expect(session.identifier != old && session.reason == nil)
      #expect(try directory.sessionNames().contains(old.text))
    }
  }

  @Test func `An expired session is erased by a later launch, seven days after it was set aside`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let old = try await save("old", directory, daysAgo: 31)
      let witness = directory.url.appendingPathComponent("witness").path
      try FileManager.default.linkItem(
        atPath: directory.path("key", of: old), toPath: witness)
      try await launch(directory).prune()
      let second = 1 / Self.day
      #expect(try await launch(directory, days: 7 - second).prune() == [])
      #expect(try directory.contents(witness) != Data(count: 48))
      #expect(
        try await launch(directory, days: 7).prune()
          == [SessionRemoval(identifier: old, cause: .expired, otherKeyNames: 1)])
      #expect(try directory.expiredFolders() == [] && directory.sessionNames() == [])
      #expect(try directory.contents(witness) == Data(count: 48))
    }
  }

  @Test func `An expired session is not erased by the launch that set it aside`() async throws {
    try await TemporaryDirectory.with { directory in
      _ = try await save("old", directory, daysAgo: 31)
      let days = Mutex(0.0)
      let base = base
      let sessions = StateSessions(in: directory.state) {
        base.addingTimeInterval(days.withLock { $0 } * Self.day)
      }
      #expect(try await sessions.prune().map(\.cause) == [.setAside])
      days.withLock { $0 = 400 }
      #expect(try await sessions.prune() == [])
      #expect(try await launch(directory, days: 400).prune().map(\.cause) == [.expired])
    }
  }

  @Test
  func `A session that a wrong clock set aside is not erased, and is restored by the right clock`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let old = try await save("old", directory, daysAgo: 1)
      #expect(try await launch(directory, days: 4_000).prune().map(\.cause) == [.setAside])
      let folders = try directory.expiredFolders()
      for days in [0.0, -1, -4_000] {
        #expect(try await launch(directory, days: days).prune() == [])
        #expect(try directory.expiredFolders() == folders)
      }
      let session = try await launch(directory).resume()
      #expect(session.identifier == old && session.reason == .crash)
      #expect(try await directory.text(in: session) == "old")
      #expect(try directory.expiredFolders() == [] && directory.sessionNames() == [old.text])
    }
  }

  @Test func `A session expires one second after the time that the policy allows`() async throws {
    try await TemporaryDirectory.with { directory in
      _ = try await save("state", directory, daysAgo: 0)
      let policy = SessionPolicy(expiry: .seconds(60))
      let minute = 60 / Self.day
      #expect(try await launch(directory, days: minute, policy).prune() == [])
      #expect(try await launch(directory, days: 1e6, SessionPolicy(expiry: nil)).prune() == [])
      #expect(
        try await launch(directory, days: 61 / Self.day, policy).prune().map(\.cause)
          == [.setAside])
    }
  }

  @Test func `An expired session is restored, read and removed by its name`() async throws {
    try await TemporaryDirectory.with { directory in
      let (opened, removed) = (
        try await save("opened", directory, daysAgo: 90),
        try await save("removed", directory, daysAgo: 90)
      )
      let sessions = launch(directory)
      #expect(try await sessions.prune().count == 2)
      #expect(
        await code { try await sessions.archive(of: opened) } == .damaged,
        "the session contains no archive")
      let session = try await sessions.open(opened)
      #expect(try await directory.text(in: session) == "opened")
      try await sessions.remove(removed)
      #expect(try directory.expiredFolders() == [] && directory.sessionNames() == [opened.text])
      #expect(await code { try await sessions.remove(removed) } == .stateAbsent)
    }
  }

  @Test func `An expired session does not count towards the number and the size of the others`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let young = try await save("young", directory, daysAgo: 1)
      for _ in 0..<2 { _ = try await save("old", directory, daysAgo: 90) }
      let policy = SessionPolicy(maximumCount: 1, maximumByteCount: 10_000)
      #expect(try await launch(directory, policy).prune().map(\.cause) == [.setAside, .setAside])
      #expect(try await launch(directory, policy).prune() == [])
      #expect(try directory.sessionNames() == [young.text])
    }
  }
}

extension `A session that has expired` {
  private func launch(_ directory: TemporaryDirectory, _ policy: SessionPolicy) -> StateSessions {
    launch(directory, days: 0, policy)
  }
}

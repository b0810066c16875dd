import Foundation
import Testing

@testable import Keepsake

@MainActor
@Suite struct `Pruning sessions` {
  private func prune(
    _ directory: TemporaryDirectory, _ policy: SessionPolicy, later: Double = 0
  ) async throws -> [SessionRemoval] {
    let sessions = StateSessions(in: directory.state, policy: policy) {
      Date.now.addingTimeInterval(later)
    }
    return try await sessions.prune()
  }

  @Test func `Pruning removes the longest unused sessions while they are too many or too large`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      var names: [SessionIdentifier] = []
      for age in 0..<4 {
        names.append(try await directory.save("state", age: 10_000 * Double(age)))
      }
      let byCount = try await prune(directory, SessionPolicy(maximumCount: 3))
      #expect(byCount.map(\.identifier) == [names[3]] && byCount.map(\.cause) == [.overBudget])
      let size = try await directory.sessions.list().map(\.byteCount).reduce(0, +)
      #expect(try await prune(directory, SessionPolicy(maximumByteCount: size)) == [])
      let bySize = try await prune(directory, SessionPolicy(maximumByteCount: size - 1))
      #expect(bySize.map(\.identifier) == [names[2]])
      #expect(Set(try directory.sessionNames()) == [names[0].text, names[1].text])
    }
  }

  @Test func `Pruning never removes a session that is in use`() async throws {
    try await TemporaryDirectory.with { directory in
      let name = try await directory.save("state", age: 1e6)
      let session = try await directory.sessions.open(name)
      let strictest = SessionPolicy(expiry: .zero, maximumCount: 0, maximumByteCount: 0)
      #expect(try await prune(directory, strictest) == [])
      #expect(try await directory.text(in: session) == "state")
    }
  }

  @Test func `Pruning removes sessions without a state, and keeps a state that lost its key`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let empty = try await directory.sessions.open().identifier
      let locked = try await directory.save("state")
      try FileManager.default.removeItem(atPath: directory.path("key", of: locked))
      let removals = try await directory.sessions.prune()
      #expect(removals == [SessionRemoval(identifier: empty, cause: .orphaned)])
      #expect(try directory.sessionNames() == [locked.text])
      #expect(await code { try await directory.sessions.archive(of: locked) } == .keyAbsent)
    }
  }

  @Test func `Pruning reports a session that could not be removed, and continues`() async throws {
    try await TemporaryDirectory.with { directory in
      let (stuck, free) = (
        try await directory.save("state", age: 9_000),
        try await directory.save("state", age: 99_000)
      )
      let mark = directory.path("restoring/something in it", of: stuck)
      try FileManager.default.createDirectory(
        atPath: mark, withIntermediateDirectories: true)
      let removals = try await prune(directory, SessionPolicy(maximumCount: 0))
      #expect(removals.map(\.identifier) == [free, stuck])
      #expect(removals.map { $0.failure == nil } == [true, false])
      #expect(removals[1].description.contains("restoring"))
    }
  }
}

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

  @Test func `removes what has expired, and keeps the rest`() async throws {
    try await TemporaryDirectory.with { directory in
      let old = try await directory.save("old", age: 100)
      let young = try await directory.save("young", age: 10)
      let policy = SessionPolicy(expiry: .seconds(60))
      let removals = try await prune(directory, policy)
      #expect(
        removals == [SessionRemoval(identifier: old, cause: .expired, failure: nil)])
      #expect(try directory.sessionNames() == [young.text])
      #expect(try await prune(directory, SessionPolicy(expiry: nil), later: 1e9) == [])
      #expect(try await prune(directory, policy, later: 60).map(\.cause) == [.expired])
      #expect(try directory.sessionNames() == [])
    }
  }

  @Test func `removes the longest unused while there are too many, or too large ones`() async throws
  {
    try await TemporaryDirectory.with { directory in
      var names: [SessionIdentifier] = []
      for age in 0..<4 { names.append(try await directory.save("state", age: 100 * Double(age))) }
      let byCount = try await prune(directory, SessionPolicy(maximumCount: 3))
      #expect(byCount.map(\.identifier) == [names[3]] && byCount.map(\.cause) == [.overBudget])
      let size = try await directory.sessions.list().map(\.byteCount).reduce(0, +)
      #expect(try await prune(directory, SessionPolicy(maximumByteCount: size)) == [])
      let bySize = try await prune(directory, SessionPolicy(maximumByteCount: size - 1))
      #expect(bySize.map(\.identifier) == [names[2]])
      #expect(Set(try directory.sessionNames()) == [names[0].text, names[1].text])
    }
  }

  @Test func `never removes what is in use`() async throws {
    try await TemporaryDirectory.with { directory in
      let name = try await directory.save("state", age: 1e6)
      let session = try await directory.sessions.open(name)
      let strictest = SessionPolicy(expiry: .zero, maximumCount: 0, maximumByteCount: 0)
      #expect(try await prune(directory, strictest) == [])
      #expect(try await directory.text(in: session) == "state")
    }
  }

  @Test func `removes sessions that never held anything, and no state that lost its key`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let empty = try await directory.sessions.open().identifier
      let locked = try await directory.save("state")
      try FileManager.default.removeItem(atPath: directory.path("key", of: locked))
      let removals = try await directory.sessions.prune()
      #expect(removals == [SessionRemoval(identifier: empty, cause: .orphaned, failure: nil)])
      #expect(try directory.sessionNames() == [locked.text])
      #expect(await code { try await directory.sessions.archive(of: locked) } == .keyAbsent)
    }
  }

  @Test func `says what could not be removed, and goes on`() async throws {
    try await TemporaryDirectory.with { directory in
      let (stuck, free) = (
        try await directory.save("state", age: 9), try await directory.save("state", age: 99)
      )
      try FileManager.default.createDirectory(
        atPath: directory.path("keepers", of: stuck), withIntermediateDirectories: false)
      let removals = try await prune(directory, SessionPolicy(expiry: .seconds(1)))
      #expect(removals.map(\.identifier) == [stuck, free])
      #expect(removals.map { $0.failure == nil } == [false, true])
      #expect(removals[0].description.contains("keepers"))
    }
  }
}

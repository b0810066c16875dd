import Foundation
import Testing

@testable import Keepsake

// The other process is real, and takes the locks that an app would take.
@MainActor
@Suite struct `Two processes on one directory` {
  @Test func `Two processes do not open each other's sessions, and skip them`() async throws {
    try await TemporaryDirectory.with { directory in
      let (older, newer) = (
        try await directory.save("older", age: 60), try await directory.save("newer")
      )
      let other = try OtherProcess(locking: directory.path("lock", of: newer))
      let sessions = StateSessions(
        in: directory.state, policy: SessionPolicy(expiry: .zero, maximumCount: 0))
      #expect(await code { try await sessions.open(newer) } == .stateInUse)
      #expect(await code { try await sessions.remove(newer) } == .stateInUse)
      #expect(await code { try await sessions.reset() } == .stateInUse)
      #expect(try await directory.sessions.resume().identifier == older)
      #expect(try await sessions.prune().map(\.identifier) == [older])
      #expect(try directory.sessionNames() == [newer.text])
      #expect(await code { try await sessions.archive(of: newer) } == .stateInUse)
      #expect(try await sessions.list().map(\.isInUse) == [true, false])
      other.kill()
      #expect(try await sessions.list().map(\.reason) == [.crash, .crash])
      let session = try await sessions.open(newer)
      #expect(try await directory.text(in: session) == "newer")
    }
  }

  @Test func `A process waits for another's short work, and reports longer work`() async throws {
    try await TemporaryDirectory.with { directory in
      try await directory.save("state")
      let path = directory.state.sessionsPath
      let other = try OtherProcess(locking: path + "/lock")
      let error = #expect(throws: KeepsakeError.self) {
        try StateSessions.lock(StateDirectory(path: path), patience: .milliseconds(20))
      }
      #expect(error?.code == .stateInUse && error?.message.contains(path) == true)
      other.kill()
      #expect(try await directory.sessions.list().count == 1)
    }
  }

  @Test
  func `A process neither reads nor changes a single state that another one has`() async throws {
    try await TemporaryDirectory.with { directory in
      try await SealedStateStore(directory: directory.state).save([1], previous: .replace)
      let before = try directory.contents(directory.state.archivePath)
      try SealedStateStore(directory: directory.state).beginRestoration(attempt: 1)
      let other = try OtherProcess(locking: directory.state.lockPath)
      let coordinator = RestorationCoordinator(
        directory: directory.state,
        configuration: RestorationConfiguration(bundleVersion: try BundleVersion("1.0")))
      let report = await coordinator.launch(NotesApp())
      guard case .refused(.storeUnavailable(let message)) = report.outcome else {
        Issue.record("\(report)")
        return
      }
      #expect(message.contains("another process") && message.contains(directory.state.path))
      #expect(
        await restorationCode { try await coordinator.save(NotesApp()) } == .saveRefused)
      let store = SealedStateStore(directory: directory.state)
      #expect(await restorationCode { try await store.remove() } == .storeUnavailable)
      #expect(await restorationCode { try await store.reset() } == .storeUnavailable)
      #expect(await restorationCode { try await store.setAside() } == .storeUnavailable)
      #expect(try directory.contents(directory.state.archivePath) == before)
      #expect(try directory.names() == ["key", "restoring", "state.keepsake"])
      other.kill()
      #expect(try await store.load() == .archive([1], failedLaunchCount: 1))
    }
  }

  @Test
  func `Two processes that launched without a state do not overwrite each other`() async throws {
    try await TemporaryDirectory.with { directory in
      let late = SealedStateStore(directory: directory.state)
      #expect(try await late.load() == .absent)
      try await SealedStateStore(directory: directory.state).save([1], previous: .replace)
      #expect(
        await restorationCode { try await late.save([2], previous: .replace) }
          == .storeUnavailable)
      let store = SealedStateStore(directory: directory.state)
      #expect(try await store.load() == .archive([1], failedLaunchCount: 0))
    }
  }
}

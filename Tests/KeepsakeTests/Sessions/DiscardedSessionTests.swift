import Foundation
import Testing

@testable import Keepsake

@MainActor
@Suite struct `A session that was discarded` {
  @Test
  func `A discarded session refuses every call, and does not change a new session of its name`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let sessions = directory.sessions
      let name = try SessionIdentifier("main")
      let session = try await sessions.open(name)
      try await session.save([1], previous: .replace)
      try await session.discard()
      let again = try await sessions.open(name)
      try await again.save([2], previous: .replace)
      try again.beginRestoration(attempt: 1)
      let calls: [@MainActor () async throws -> Void] = [
        { _ = try await session.load() },
        { try await session.save([3], previous: .replace) },
        { try await session.remove() },
        { _ = try await session.setAside() },
        { try await session.reset() },
        { try session.beginRestoration(attempt: 2) },
        { try session.endRestoration() },
      ]
      for (index, call) in calls.enumerated() {
        let error = await #expect(throws: RestorationError.self, "call \(index)") {
          try await call()
        }
        #expect(error?.code == .storeUnavailable)
        #expect(error?.message.contains("\(name) was discarded") == true, "call \(index)")
      }
      #expect(try await again.load() == .archive([2], failedLaunchCount: 1))
    }
  }
}

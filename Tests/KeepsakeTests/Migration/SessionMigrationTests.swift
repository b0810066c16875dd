import Foundation
import Testing

@testable import Keepsake

@MainActor
@Suite struct `Migrating the sessions of an app` {
  private func save(
    _ version: String?, as name: String, in directory: TemporaryDirectory
  ) async throws {
    let session = try await directory.sessions.open(SessionIdentifier(name))
    let bytes = try version.map { try SealedArchive(version: $0).bytes() } ?? [1, 2, 3]
    try await session.save(bytes, previous: .replace)
  }

  @Test func `Each session is migrated with its own key, even after another one has failed`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      for (name, version) in [("a", "10"), ("b", "12"), ("d", nil), ("e", "11")] {
        try await save(version, as: name, in: directory)
      }
      let sessions = directory.sessions
      let used = try await sessions.open(SessionIdentifier("c"))
      try await used.save(try SealedArchive().bytes(), previous: .replace)
      _ = try await sessions.open(SessionIdentifier("nothing-saved"))
      let plan = try SealedArchive.plan()
      let rehearsal = try await sessions.migrate(with: plan, isDryRun: true)
      let outcomes = try await sessions.migrate(with: plan)
      #expect(rehearsal.map(\.description) == outcomes.map(\.description))
      let errors = outcomes.map { outcome -> KeepsakeError.Code? in
        if case .failed(let error) = outcome.outcome { error.code } else { nil }
      }
      #expect(errors == [nil, .migrationRefused, .stateInUse, .damaged, nil])
      let migrated = try await sessions.archive(of: SessionIdentifier("a"))
      #expect(migrated.reserved.bundleVersion == "11")
      for (name, version) in [("b", "12"), ("c", "10"), ("e", "11")] {
        let archive = try await sessions.archive(of: SessionIdentifier(name))
        #expect(archive.reserved.bundleVersion == version)
      }
      guard case .unchanged = outcomes[4].outcome else {
        Issue.record("\(outcomes[4])")
        return
      }
      withExtendedLifetime(used) {}
    }
  }
}

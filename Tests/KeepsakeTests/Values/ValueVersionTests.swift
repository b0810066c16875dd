import Foundation
import Keepsake
import TestSupport
import Testing

@MainActor
@Suite struct `The versions of a value` {
  private struct Settings: Codable, Equatable {
    var steps: [String] = []
  }

  /// Leaves on record that it was made.
  private static func migration(_ name: String) -> ValueMigration {
    ValueMigration { record in
      record.convertValue(forKey: "steps") { old in
        guard case .array(let steps) = old else { return old }
        return .array(steps + [.string(name)])
      }
    }
  }

  @Test func `are migrated from the one that was saved, and not from an earlier one`() throws {
    try withTemporaryDirectory { directory in
      let key = SealedValueKey.key(try SealKey.generate())
      let migrations = ["to 2", "to 3", "to 4"].map(Self.migration)
      for version in 1...4 {
        let path = directory + "/\(version)"
        func store(_ migrations: [ValueMigration]) -> SealedValueStore<Settings> {
          SealedValueStore(path: path, key: key, default: Settings(), migrations: migrations)
        }
        try store(Array(migrations.prefix(version - 1))).save(Settings(steps: ["saved"]))
        let expected = ["saved"] + ["to 2", "to 3", "to 4"].dropFirst(version - 1)
        #expect(try store(migrations).load().steps == expected)
      }
    }
  }
}

import Foundation
import TestSupport
import Testing

@testable import Keepsake

@MainActor
@Suite struct `The versions of a value` {
  private struct Settings: Codable, Equatable {
    var steps: [String] = []
  }

  /// Adds its name to the steps of the value.
  private static func migration(_ name: String) -> ValueMigration {
    ValueMigration { record in
      record.convertValue(forKey: "steps") { old in
        guard case .array(let steps) = old else { return old }
        return .array(steps + [.string(name)])
      }
    }
  }

  @Test
  func `A value is migrated from the version that was saved, and not from an earlier one`() throws {
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

  // Spec/state.md, section 6: a number in decimal digits has one text.
  @Test(arguments: ["1", "2", "01", "+1", "+2", "0", "-1", "1.0", " 1", "one"])
  func `A version is a number as this program writes it, and other text is refused`(text: String)
    throws
  {
    try withTemporaryDirectory { directory in
      let (path, key) = (directory + "/value", SealedValueKey.key(try SealKey.generate()))
      var encoder = ArchiveEncoder()
      encoder.reserved.bundleVersion = text
      let archive = Array(try encoder.encode(Settings(steps: ["saved"])))
      try SealedValue.write(archive, to: path, for: key)
      let store = SealedValueStore(
        path: path, key: key, default: Settings(), migrations: [Self.migration("to 2")])
      let refusal = code { _ = try store.load() }
      #expect(refusal == (["1", "2"].contains(text) ? nil : .migrationRefused))
    }
  }

  /// Decodes one key after the other.
  private struct Growing: Codable {
    static let count = 1_003

    private struct Key: CodingKey {
      let intValue: Int? = nil
      let stringValue: String
      init?(intValue: Int) { nil }
      init(stringValue: String) { self.stringValue = stringValue }
    }

    init() {}

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      for number in 0..<Self.count {
        try container.encode(number, forKey: Key(stringValue: "key\(number)"))
      }
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      for number in 0..<Self.count {
        _ = try container.decode(Int.self, forKey: Key(stringValue: "key\(number)"))
      }
    }
  }

  private struct Start: Codable {
    var key0 = 0
  }

  @Test func `A store takes a thousand missing keys from a default, and no more`() throws {
    try withTemporaryDirectory { directory in
      let (path, key) = (directory + "/value", SealedValueKey.key(try SealKey.generate()))
      try SealedValueStore(path: path, key: key, default: Start()).save(Start())
      let error = #expect(throws: KeepsakeError.self) {
        try SealedValueStore(path: path, key: key, default: Growing()).load()
      }
      #expect(error?.code == .valueUnreadable)
      guard case DecodingError.keyNotFound(let missing, _)? = error?.underlyingError else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(missing.stringValue == "key1001")
    }
  }
}

import Foundation
import Keepsake
import Testing

@Suite struct `Migrating a Codable value` {
  private struct Old: Codable {
    var colour = "red"
    var size = 3
  }

  private struct Renamed: Codable, Equatable {
    var color: String
    var size: Int
  }

  private struct New: Codable, Equatable {
    var color: String
    var size: Double
  }

  private func archive(_ value: some Encodable) throws -> Archive {
    var encoder = ArchiveEncoder()
    encoder.reserved.bundleVersion = "10"
    return try Archive(encoder.encode(value))
  }

  private func migrate<Value: Decodable>(
    _ value: some Encodable, to type: Value.Type, _ edits: MigrationEdit...
  ) throws -> Value {
    let plan = try MigrationPlan(
      programVersion: try BundleVersion("11"),
      steps: [.init(from: try BundleVersion("10"), to: try BundleVersion("11"), edits: edits)])
    let migrated = try plan.migrate(archive(value))
    #expect(migrated.report.steps[0].unmatchedEdits.isEmpty)
    #expect(migrated.report.steps[0].changedCount == 1)
    return try ArchiveDecoder().decode(type, from: #require(migrated.bytes))
  }

  @Test func `A step renames a key of a Codable value`() throws {
    let new = try migrate(
      Old(), to: Renamed.self,
      .editCodable("colour is color") { try $0.renameKey("colour", to: "color") })
    #expect(new == Renamed(color: "red", size: 3))
  }

  @Test func `A value is migrated from a former type to the current one`() throws {
    let new = try migrate(
      Old(), to: New.self,
      .convertCodable(from: Old.self) { New(color: $0.colour, size: Double($0.size) / 2) })
    #expect(new == New(color: "red", size: 1.5))
    let number = try migrate(7, to: String.self, .convertCodable(from: Int.self) { "\($0)" })
    #expect(number == "7")
  }

  @Test
  func `Migrating a value without keys, or of another type, throws an error that says so`() throws {
    let keyless = #expect(throws: MigrationError.self) {
      try migrate(7, to: Int.self, .editCodable("rename") { try $0.renameKey("a", to: "b") })
    }
    #expect(keyless?.code == .stepFailed && keyless?.edit == "rename")
    #expect(keyless?.description.contains("has no keys of its own") == true, "\(keyless)")
    let other = #expect(throws: MigrationError.self) {
      try migrate(Old(), to: Int.self, .convertCodable(from: New.self) { $0 })
    }
    #expect(other?.code == .stepFailed && other?.edit == "make a New of the New")
  }
}

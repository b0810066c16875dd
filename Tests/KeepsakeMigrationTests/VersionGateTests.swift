import KeepsakeArchive
import KeepsakeMigration
import Testing

@Suite struct `The version gate` {
  enum Expectation { case passes, refuses(MigrationError.Code) }

  private static func policy(_ name: String) throws -> VersionPolicy {
    switch name {
    case "exactly": .exactly
    case "at least 10": .atLeast(try BundleVersion("10"))
    default: .within(try BundleVersion("10")...BundleVersion("10.5"))
    }
  }

  @Test(
    arguments: [
      ("exactly", "11.0", .passes), ("exactly", "11", .passes),
      ("exactly", "10.9", .refuses(.stale)), ("exactly", "11.0.1", .refuses(.fromTheFuture)),
      ("exactly", "", .refuses(.malformedVersion)), ("exactly", nil, .refuses(.missingVersion)),
      ("exactly", "latest", .refuses(.malformedVersion)),
      ("at least 10", "10", .passes), ("at least 10", "11.0", .passes),
      ("at least 10", "9.99", .refuses(.stale)), ("at least 10", "12", .refuses(.fromTheFuture)),
      ("at least 10", nil, .refuses(.missingVersion)),
      ("within 10 to 10.5", "10.5.0", .passes), ("within 10 to 10.5", "9", .refuses(.stale)),
      ("within 10 to 10.5", "10.6", .refuses(.laterThanAllowed)),
      ("within 10 to 10.5", "12", .refuses(.fromTheFuture)),
      ("within 10 to 10.5", nil, .refuses(.missingVersion)),
    ] as [(String, String?, Expectation)])
  func `decides by policy and version`(
    policy: String, version: String?, expectation: Expectation
  ) throws {
    let gate = VersionGate(
      programVersion: try BundleVersion("11.0"), policy: try Self.policy(policy))
    let reserved = ReservedValues(bundleVersion: version)
    switch expectation {
    case .passes:
      #expect(try gate.check(reserved).text == version)
    case .refuses(let code):
      let error = #expect(throws: MigrationError.self) { try gate.check(reserved) }
      #expect(error?.code == code)
      #expect(error?.archiveVersion == version)
      #expect(error?.programVersion == "11.0")
    }
  }

  @Test func `names both versions in its refusal`() throws {
    let gate = VersionGate(programVersion: try BundleVersion("12.0"), policy: .exactly)
    let error = #expect(throws: MigrationError.self) {
      try gate.check(ReservedValues(bundleVersion: "11.0"))
    }
    #expect(
      error?.description
        == "The saved state is stale: version 11.0 wrote it, and this program, version 12.0, opens "
        + "only version 12.0; start fresh, the next save replaces it.")
  }
}

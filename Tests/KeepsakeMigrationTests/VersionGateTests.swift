import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeMigration
import TestSupport
import Testing

@Suite struct `The version gate` {
  enum Expectation { case passes, refuses(MigrationError.Code) }

  /// The decision of each policy of version 11.0 on the state of each version; nil is an absent version.
  private static let matrix: [(policy: String, decisions: [(String?, Expectation)])] = [
    (
      "exactly",
      [
        ("9", .refuses(.stale)), ("10", .refuses(.stale)), ("10.9.9", .refuses(.stale)),
        ("11", .passes), ("11.0", .passes), ("11.0.0", .passes),
        ("11.0.1", .refuses(.fromTheFuture)), ("12", .refuses(.fromTheFuture)),
      ]
    ),
    (
      "at least 10",
      [
        ("9", .refuses(.stale)), ("9.99", .refuses(.stale)), ("10", .passes), ("10.0.1", .passes),
        ("11.0", .passes), ("11.0.1", .refuses(.fromTheFuture)), ("12", .refuses(.fromTheFuture)),
      ]
    ),
    (
      "within 10 to 10.5",
      [
        ("9.99", .refuses(.stale)), ("10", .passes), ("10.2", .passes), ("10.5.0", .passes),
        ("10.5.1", .refuses(.laterThanAllowed)), ("11.0", .refuses(.laterThanAllowed)),
        ("11.0.1", .refuses(.fromTheFuture)), ("12", .refuses(.fromTheFuture)),
      ]
    ),
    (
      "a rule for 10.2 and later",
      [
        ("9", .refuses(.stale)), ("10", .refuses(.refusedByPolicy)), ("10.2", .passes),
        ("11.0", .passes), ("12", .refuses(.fromTheFuture)),
      ]
    ),
    (
      "the idiom 1",
      [
        ("9", .refuses(.stale)), ("10", .refuses(.idiomMismatch)),
        ("11.0", .refuses(.idiomMismatch)), ("12", .refuses(.fromTheFuture)),
      ]
    ),
    (
      "at most a day old",
      [
        ("9", .refuses(.stale)), ("10", .refuses(.expired)), ("11.0", .refuses(.expired)),
        ("12", .refuses(.fromTheFuture)),
      ]
    ),
  ]

  private static func policy(_ name: String) throws -> VersionPolicy {
    let ten = try BundleVersion("10")
    let tenTwo = try BundleVersion("10.2")
    return switch name {
    case "exactly": .exactly
    case "at least 10": .atLeast(ten)
    case "within 10 to 10.5": .within(ten...(try BundleVersion("10.5")))
    case "the idiom 1": .atLeast(ten).requiringIdiom(1)
    case "at most a day old":
      .atLeast(ten).expiring(afterSeconds: 86_400) { .init(secondsSinceReferenceDate: 0) }
    default:
      .atLeast(ten).deciding { facts in
        facts.archiveVersion < tenTwo ? .refuse("it is of the trial period") : .open
      }
    }
  }

  @Test(arguments: matrix.map(\.policy))
  func `The gate decides by policy and version`(name: String) throws {
    let gate = VersionGate(programVersion: try BundleVersion("11.0"), policy: try Self.policy(name))
    let unnamed: [(String?, Expectation)] =
      [(nil, .refuses(.missingVersion))]
      + ["", "latest", "11.", "11.x", "-11", "11 "].map { ($0, .refuses(.malformedVersion)) }
    let row = try #require(Self.matrix.first { $0.policy == name })
    for (version, expectation) in row.decisions + unnamed {
      let reserved = ReservedValues(bundleVersion: version)
      switch expectation {
      case .passes:
        #expect(try gate.check(reserved).text == version)
      case .refuses(let code):
        let error = migrationError { try gate.check(reserved) }
        #expect(error?.code == code, "\(version ?? "none")")
        #expect(error?.archiveVersion == version)
        #expect(error?.programVersion == "11.0")
        for named in [version, "11.0"].compactMap(\.self) {
          #expect(error?.description.contains(named) == true)
        }
      }
    }
  }

  @Test func `The gate decides before any object is read`() throws {
    var bytes = try Contacts().bytes()
    let archive = try Archive(bytes)
    // Damages a string in the record of the first contact.
    let name = Array("Person 0".utf8)
    let start = try #require(
      bytes.indices.first { bytes[$0...].starts(with: name) })
    for index in start..<start + name.count { bytes[index] = 0xFF }
    let damaged = try Archive(bytes)
    let damage = #expect(throws: ArchiveError.self) { try damaged.requireCanonical() }
    #expect(damage?.code == .invalidUTF8)
    let refused = migrationError {
      _ = try plan(.editObjects("look") { _ in Issue.record("an object was read") })
        .migrate(Archive(replacingVersion(of: archive, by: "12")))
    }
    #expect(refused?.code == .fromTheFuture)
    let stale = migrationError {
      _ = try MigrationPlan(programVersion: version("11"), steps: []).migrate(damaged)
    }
    #expect(stale?.code == .stale)
    let read = migrationError {
      _ = try plan(.renameKey("age", to: "years", ofType: "Contact")).migrate(damaged)
    }
    #expect(read?.code == .unusableArchive && read?.objectID == ArchiveObjectID(2))
  }

  private func replacingVersion(of archive: Archive, by text: String) throws -> [UInt8] {
    var document = try ArchiveDocument(archive)
    document.reserved.bundleVersion = text
    return try document.encoded(order: .stored)
  }

  @Test func `A refusal of the gate names both versions`() throws {
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

import Foundation
import KeepsakeArchive
import KeepsakeMigration
import Testing

/// The tables of Spec/Vectors/migration; another implementation computed their outcomes (Spec/migration.md, 1 to 4).
@Suite struct `The tables of the specification` {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Spec/Vectors/migration")

  /// The columns of each line.
  private func table(_ name: String) throws -> [[String]] {
    let text = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
    return text.split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// A text that is quoted as in JSON; nil for a dash.
  private func quoted(_ column: String) throws -> String? {
    if column == "-" { return nil }
    return try JSONDecoder().decode(String.self, from: Data(column.utf8))
  }

  private static let names: [MigrationError.Code: String] = [
    .malformedVersion: "malformed", .missingVersion: "missing", .stale: "stale",
    .laterThanAllowed: "later than allowed", .fromTheFuture: "from the future",
    .idiomMismatch: "idiom mismatch", .backwardsStep: "backwards", .cycle: "cycle",
    .duplicateStep: "duplicate", .gap: "gap", .overlap: "overlap",
    .stepBeyondProgram: "beyond the program",
  ]

  /// The result of `body`, or the name of its refusal.
  private func outcome(_ body: () throws -> String) rethrows -> String {
    do { return try body() } catch let error as MigrationError {
      return Self.names[error.code] ?? error.code.rawValue
    }
  }

  @Test func `Versions are read as the table says`() throws {
    let rows = try table("versions.tsv")
    #expect(rows.count >= 40)
    for row in rows {
      let text = try quoted(row[0]) ?? ""
      let found = try outcome {
        var numbers = try BundleVersion(text).numbers
        while numbers.last == 0 { numbers.removeLast() }
        return numbers.isEmpty ? "0" : numbers.map { String($0) }.joined(separator: ".")
      }
      #expect(found == row[1], "\(row)")
    }
  }

  @Test func `Versions are ordered as the table says`() throws {
    for row in try table("order.tsv") {
      let (one, other) = (try BundleVersion(row[0]), try BundleVersion(row[1]))
      let found = one == other ? "equal" : one < other ? "earlier" : "later"
      #expect(found == row[2], "\(row)")
    }
  }

  private func policy(_ text: String) throws -> VersionPolicy {
    let words = text.split(separator: " ").map(String.init)
    switch words[0] {
    case "at": return .atLeast(try BundleVersion(words[2]))
    case "within": return .within(try BundleVersion(words[1])...(try BundleVersion(words[3])))
    default: return .exactly
    }
  }

  @Test func `The gate decides as the table says`() throws {
    let rows = try table("gate.tsv")
    #expect(rows.count >= 250)
    for row in rows {
      var policy = try policy(row[1])
      if let idiom = Int(row[2]) { policy = policy.requiringIdiom(idiom) }
      let gate = VersionGate(programVersion: try BundleVersion(row[0]), policy: policy)
      let reserved = ReservedValues(
        bundleVersion: try quoted(row[3]), userInterfaceIdiom: Int(row[4]))
      let found = try outcome {
        _ = try gate.check(reserved)
        return "passed"
      }
      #expect(found == row[5], "\(row)")
    }
  }

  @Test func `Plans choose their steps as the table says`() throws {
    let rows = try table("plans.tsv")
    #expect(rows.count >= 150)
    for row in rows {
      let ends = row[1] == "-" ? [] : row[1].split(separator: " ").map { $0.split(separator: ">") }
      let found = try outcome {
        let plan = try MigrationPlan(
          programVersion: BundleVersion(row[0]), policy: .atLeast(BundleVersion("0")),
          steps: ends.map {
            MigrationStep(
              from: try BundleVersion(String($0[0])), to: try BundleVersion(String($0[1])),
              edits: [])
          })
        let steps = try plan.steps(for: ReservedValues(bundleVersion: row[2]))
        if steps.isEmpty { return "nothing" }
        return steps.map { "\($0.from)>\($0.to)" }.joined(separator: " ")
      }
      #expect(found == row[3], "\(row)")
    }
  }
}

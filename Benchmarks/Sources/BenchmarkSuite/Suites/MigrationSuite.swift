import BenchmarkHarness
import KeepsakeArchive
import KeepsakeMigration

/// Many small objects, carried forward by five steps.
///
/// Beside it, reading them as the program's own types and writing them again, which is what a program
/// without migration steps would have to do at least.
@MainActor
enum MigrationSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let sizes =
      switch extent {
      case .quick: [1000]
      case .standard: [1000, 10_000, 100_000]
      case .full: [1000, 10_000, 100_000, 1_000_000]
      }
    return sizes.flatMap { count in
      let both = [migrating(count), decodingAndEncoding(count)]
      return count >= 100_000 ? both : both.withoutMemory
    }
  }

  private static func identity(_ count: Int, variant: String? = nil) -> BenchmarkIdentity {
    BenchmarkIdentity(.migration, .log, .migrate, .keepsake, variant: variant, size: count)
  }

  private static func migrating(_ count: Int) -> Benchmark {
    Benchmark(identity(count), items: count, remark: "five steps, each changes every object") {
      let records = try LogSuite.contenders(count).value.value()
      let bytes = try records.archive(bundleVersion: "1")
      let plan = try MigrationPlan.log()
      let migrated = try plan.migrate(Archive(bytes))
      try check(
        migrated.report.steps.map(\.changedCount) == Array(repeating: count, count: 5),
        "a step of the migration did not change every object.")
      let result = try Archive(migrated.bytes ?? [])
      let last = try result.object(ArchiveObjectID(UInt32(count)))
      let size = try last.decode(UInt64.self, forKey: "byteCount")
      try check(
        last.typeName == "LogLine" && size == records.logs[count - 1].size
          && !last.contains("identity"),
        "the migration does not give what its steps say.")
      return PreparedBenchmark(bytesIn: bytes.count, bytesOut: migrated.bytes?.count) {
        iterations in
        for _ in 0..<iterations { consume(try plan.migrate(Archive(bytes)).bytes) }
      }
    }
  }

  private static func decodingAndEncoding(_ count: Int) -> Benchmark {
    Benchmark(
      identity(count, variant: "decode and encode"), items: count,
      remark: "as the program's own types"
    ) {
      let bytes = try LogSuite.contenders(count).value.value().archive(bundleVersion: "1")
      return PreparedBenchmark(bytesIn: bytes.count, bytesOut: bytes.count) { iterations in
        for _ in 0..<iterations {
          consume(try LogRecords(unarchiving: bytes).archive(bundleVersion: "1"))
        }
      }
    }
  }
}

extension MigrationPlan {
  /// Five steps, each of which changes every log record.
  fileprivate static func log() throws -> MigrationPlan {
    let edits: [MigrationEdit] = [
      .renameKey("userid", to: "user", ofType: "Log"),
      .convertKey("code", ofType: "Log") { value in
        guard case .unsigned(let code, _) = value else { return value }
        return .signed(Int64(code), bitWidth: 64)
      },
      .removeKey("identity", ofType: "Log"),
      .renameKey("size", to: "byteCount", ofType: "Log"),
      .renameType("Log", to: "LogLine"),
    ]
    return try MigrationPlan(
      programVersion: BundleVersion("6"),
      steps: try edits.enumerated().map { index, edit in
        MigrationStep(
          from: try BundleVersion("\(index + 1)"), to: try BundleVersion("\(index + 2)"),
          edits: [edit])
      })
  }
}

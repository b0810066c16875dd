import BenchmarkHarness
import KeepsakeArchive
import KeepsakeMigration

/// Many small objects, carried forward by five steps; beside it, reading them as the program's own
/// types and writing them again, which is what a program without migration steps would have to do
/// at least.
@MainActor
enum MigrationSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let counts =
      switch extent {
      case .quick: [1000]
      case .standard: [100_000]
      case .full: [100_000, 1_000_000]
      }
    return counts.flatMap { [migration(count: $0), decodeAndEncode(count: $0)] }
  }

  private static func identity(_ count: Int, variant: String? = nil) -> BenchmarkIdentity {
    BenchmarkIdentity(.migration, .log, .migrate, .keepsake, variant: variant, size: count)
  }

  private static func migration(count: Int) -> Benchmark {
    Benchmark(identity(count), items: count, remark: "five steps, each changes every object") {
      let records = LogRecords(repeating: try LogWorkload.make(), count: count)
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
          && !last.contains("identity"), "the migration does not give what its steps say.")
      return PreparedBenchmark(bytesIn: bytes.count) { iterations in
        for _ in 0..<iterations { consume(try plan.migrate(Archive(bytes)).bytes) }
      }
    }
  }

  private static func decodeAndEncode(count: Int) -> Benchmark {
    Benchmark(
      identity(count, variant: "decode and encode"), items: count,
      remark: "as the program's own types"
    ) {
      let bytes = try LogRecords(repeating: LogWorkload.make(), count: count)
        .archive(bundleVersion: "1")
      return PreparedBenchmark(bytesIn: bytes.count) { iterations in
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

extension LogRecords {
  /// The same records over and over.
  fileprivate init(repeating records: LogRecords, count: Int) {
    self.init(logs: (0..<count).map { records.logs[$0 % records.logs.count] })
  }
}

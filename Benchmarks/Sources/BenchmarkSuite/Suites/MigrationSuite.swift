import BenchmarkHarness
import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeMigration

/// Many small objects, migrated by five steps.
///
/// For comparison, a program without migration steps does the same by hand: it reads all objects as its own
/// types, changes them and writes them again. Both give the same bytes.
@MainActor
enum MigrationSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let sizes =
      switch extent {
      case .quick: [1000]
      case .standard: [1000, 10_000, 100_000]
      case .full, .scale: [1000, 10_000, 100_000, 1_000_000]
      }
    return sizes.flatMap { count in
      let all = [
        migrating(count, nil, remark: "five steps, each changes every object") { try .log() },
        migrating(count, "closures", remark: "the same, each step a closure over whole records") {
          try .logByClosures()
        },
        byHand(count), decodingAndEncoding(count),
      ]
      return count >= 100_000 ? all : all.withoutMemory
    }
  }

  private static func identity(_ count: Int, _ variant: String?) -> BenchmarkIdentity {
    BenchmarkIdentity(.migration, .log, .migrate, .keepsake, variant: variant, size: count)
  }

  private static func records(_ count: Int) throws -> LogRecords {
    try LogSuite.contenders(count).value.value()
  }

  private static func migrating(
    _ count: Int, _ variant: String?, remark: String, _ plan: @escaping () throws -> MigrationPlan
  ) -> Benchmark {
    Benchmark(identity(count, variant), items: count, remark: remark) {
      let bytes = try records(count).archive(bundleVersion: "1")
      let plan = try plan()
      let migrated = try plan.migrate(Archive(bytes))
      try check(
        migrated.report.steps.map(\.changedCount) == Array(repeating: count, count: 5),
        "a step of the migration did not change every object.")
      try check(
        migrated.bytes == (try changed(bytes)), "the migration does not give what its steps say.")
      return PreparedBenchmark(bytesIn: bytes.count, bytesOut: migrated.bytes?.count) {
        iterations in
        for _ in 0..<iterations { consume(try plan.migrate(Archive(bytes)).bytes) }
      }
    }
  }

  private static func byHand(_ count: Int) -> Benchmark {
    Benchmark(
      identity(count, "by hand"), items: count,
      remark: "decode as the program's own types, change, encode"
    ) {
      let bytes = try records(count).archive(bundleVersion: "1")
      return PreparedBenchmark(bytesIn: bytes.count, bytesOut: try changed(bytes).count) {
        iterations in
        for _ in 0..<iterations { consume(try changed(bytes)) }
      }
    }
  }

  private static func changed(_ bytes: [UInt8]) throws -> [UInt8] {
    let lines = try LogRecords(unarchiving: bytes).logs.map { LogLine($0) }
    return try Records.archive(lines, typeName: "LogLine", bundleVersion: "6")
  }

  private static func decodingAndEncoding(_ count: Int) -> Benchmark {
    Benchmark(
      identity(count, "decode and encode"), items: count,
      remark: "as the program's own types, unchanged"
    ) {
      let bytes = try records(count).archive(bundleVersion: "1")
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
    try MigrationPlan(
      steps: [
        .renameKey("userid", to: "user", ofType: "Log"),
        .convertKey("code", ofType: "Log", signed),
        .removeKey("identity", ofType: "Log"),
        .renameKey("size", to: "byteCount", ofType: "Log"),
        .renameType("Log", to: "LogLine"),
      ])
  }

  /// The same steps as closures, which get each record as a whole.
  fileprivate static func logByClosures() throws -> MigrationPlan {
    try MigrationPlan(
      steps: [
        .editRecords(ofType: "Log", "rename userid") { try $0.renameKey("userid", to: "user") },
        .editRecords(ofType: "Log", "convert code") { record in
          record.convertValue(forKey: "code") { signed($0) }
        },
        .editRecords(ofType: "Log", "remove identity") { $0.removeValue(forKey: "identity") },
        .editRecords(ofType: "Log", "rename size") { try $0.renameKey("size", to: "byteCount") },
        .editRecords(ofType: "Log", "rename type") { $0.typeName = "LogLine" },
      ])
  }

  @Sendable private static func signed(_ value: DynamicValue) -> DynamicValue {
    guard case .unsigned(let code, _) = value else { return value }
    return .signed(Int64(code), bitWidth: 64)
  }

  /// A step for each edit, from version 1 on.
  private init(steps edits: [MigrationEdit]) throws {
    self = try MigrationPlan(
      programVersion: BundleVersion("\(edits.count + 1)"),
      steps: edits.enumerated().map { index, edit in
        MigrationStep(
          from: try BundleVersion("\(index + 1)"), to: try BundleVersion("\(index + 2)"),
          edits: [edit])
      })
  }
}

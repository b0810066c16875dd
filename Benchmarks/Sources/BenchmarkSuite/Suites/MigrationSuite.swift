import KeepsakeArchive
import KeepsakeMigration

extension Suite {
  /// A million small objects, carried forward by five steps; beside it, reading them as the
  /// program's own types and writing them again, which is what a program without migration steps
  /// would have to do at least.
  static let migration = Suite(name: "migration") {
    let count = 1_000_000
    let records = LogRecords(repeating: try LogWorkload.make(), count: count)
    let bytes = try records.archive(bundleVersion: "1")
    let plan = try MigrationPlan.log()
    let migrated = try plan.migrate(Archive(bytes))
    try check(
      migrated.report.steps.map(\.changedCount) == Array(repeating: count, count: 5),
      "A step of the migration did not change every object.")
    let result = try Archive(migrated.bytes ?? [])
    let last = try result.object(ArchiveObjectID(UInt32(count)))
    let size = try last.decode(UInt64.self, forKey: "byteCount")
    try check(
      last.typeName == "LogLine" && size == records.logs[count - 1].size
        && !last.contains("identity"),
      "The migration does not give what its steps say.")
    return [
      Benchmark(name: "migration/1M objects, 5 steps/Keepsake", byteCount: bytes.count) {
        iterations in
        for _ in 0..<iterations { consume(try plan.migrate(Archive(bytes)).bytes) }
      },
      Benchmark(
        name: "migration/1M objects, 5 steps/decode and encode", byteCount: bytes.count
      ) { iterations in
        for _ in 0..<iterations {
          consume(try LogRecords(unarchiving: bytes).archive(bundleVersion: "1"))
        }
      },
    ]
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

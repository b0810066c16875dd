import BenchmarkHarness
import Foundation
import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeImport

/// A file of `NSKeyedArchiver` of small objects, imported without their classes.
///
/// For comparison, `NSKeyedUnarchiver` makes objects of the classes.
@MainActor
enum ImportSuite {
  /// Each log record has an object for its address: 10,000 objects, and one for all.
  private static let recordCount = 5000

  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    extent == .quick ? [] : [importing(written: false), importing(written: true), unarchiving()]
  }

  private static func records() throws -> LogRecords {
    try LogSuite.contenders(recordCount).value.value()
  }

  private static func identity(_ subject: Subject, _ variant: String) -> BenchmarkIdentity {
    BenchmarkIdentity(.archive, .log, .decode, subject, variant: variant, size: recordCount)
  }

  private static func importing(written: Bool) -> Benchmark {
    Benchmark(
      identity(.keepsake, written ? "import and write" : "import"), items: recordCount,
      remark: "the classes are not needed"
    ) {
      let file = Array(try KeyedArchiver.encode(CodedLogs(records())))
      let imported = try ImportedArchive(file)
      try check(
        imported.document.objectIDs.count == 2 * recordCount + 1, "the import lost objects.")
      return PreparedBenchmark(bytesIn: file.count) { iterations in
        for _ in 0..<iterations {
          let imported = try ImportedArchive(file)
          if written { consume(try imported.document.encoded()) } else { consume(imported) }
        }
      }
    }
  }

  private static func unarchiving() -> Benchmark {
    Benchmark(
      identity(.nsKeyedArchiver, "import"), items: recordCount, remark: "makes the objects"
    ) {
      let records = try records()
      let file = try KeyedArchiver.encode(CodedLogs(records))
      return PreparedBenchmark(bytesIn: file.count) { iterations in
        for _ in 0..<iterations {
          consume(try KeyedArchiver.decode(CodedLogs.self, of: CodedLogs.classes, from: file))
        }
      }
    }
  }
}

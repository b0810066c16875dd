import BenchmarkHarness
import Foundation
import KeepsakeArchive
import KeepsakeDocuments

/// Archives without their types: documents built and read through the dynamic view, and a walk over
/// every value of `log`.
@MainActor
enum DynamicSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let depth = extent == .quick ? 3 : 4
    return documents(depth: depth) + [walk(extent == .quick ? 1000 : LogWorkload.recordCount)]
  }

  private static func identity(
    _ operation: BenchmarkIdentity.Operation, _ subject: Subject, _ size: Int
  ) -> BenchmarkIdentity {
    BenchmarkIdentity(.archive, .tree, operation, subject, variant: "dynamic", size: size)
  }

  private static func documents(depth: Int) -> [Benchmark] {
    let count = TreeWorkload.count(depth: depth)
    let remark = "no types: the dynamic view"
    let peer = "no types: JSONSerialization"
    return [
      Benchmark(identity(.encode, .keepsake, count), items: count, remark: remark) {
        let document = DynamicDocument.value(TreeWorkload.make(depth: depth))
        let size = try DynamicDocument.archive(document).count
        return PreparedBenchmark(bytesOut: size) { iterations in
          for _ in 0..<iterations { consume(try DynamicDocument.archive(document)) }
        }
      },
      Benchmark(identity(.encode, .json, count), items: count, remark: peer) {
        let object = DynamicDocument.object(TreeWorkload.make(depth: depth))
        let size = try JSONSerialization.data(withJSONObject: object).count
        return PreparedBenchmark(bytesOut: size) { iterations in
          for _ in 0..<iterations {
            consume(try JSONSerialization.data(withJSONObject: object))
          }
        }
      },
      Benchmark(identity(.decode, .keepsake, count), items: count, remark: remark) {
        let document = DynamicDocument.value(TreeWorkload.make(depth: depth))
        let bytes = try DynamicDocument.archive(document)
        try check(
          try DynamicDocument.document(of: bytes) == document, "the document is another one.")
        return PreparedBenchmark(bytesIn: bytes.count) { iterations in
          for _ in 0..<iterations {
            consume(DynamicDocument.viewCount(try DynamicDocument.document(of: bytes)))
          }
        }
      },
      Benchmark(identity(.decode, .json, count), items: count, remark: peer) {
        let tree = TreeWorkload.make(depth: depth)
        let data = try JSONSerialization.data(withJSONObject: DynamicDocument.object(tree))
        let read = try JSONSerialization.jsonObject(with: data)
        let views = DynamicDocument.viewCount(read)
        try check(views == count, "the document has \(views) views.")
        try check(
          DynamicDocument.areSame(DynamicDocument.value(tree), read),
          "the archive's document holds other values.")
        return PreparedBenchmark(bytesIn: data.count) { iterations in
          for _ in 0..<iterations {
            consume(DynamicDocument.viewCount(try JSONSerialization.jsonObject(with: data)))
          }
        }
      },
    ]
  }

  /// Visits every value of every record.
  private static func walk(_ count: Int) -> Benchmark {
    let identity = BenchmarkIdentity(
      .archive, .log, .read, .keepsake, variant: "dynamic walk", size: count)
    return Benchmark(identity, items: count, remark: "all values, no types") {
      let bytes = try LogSuite.contenders(count).value.value().archive()
      return PreparedBenchmark(bytesIn: bytes.count) { iterations in
        for _ in 0..<iterations {
          var values = 0
          try Archive(bytes).forEachObject { values += try $0.dynamicRecord().fields.count }
          try check(values == 7 * count, "\(values) values were found.")
          consume(values)
        }
      }
    }
  }
}

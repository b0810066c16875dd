import BenchmarkHarness
import KeepsakeArchive

/// Single keys: looking them up in a scope of twelve, and records whose keys vary.
@MainActor
enum KeySuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    lookups() + conditionalKeys(count: extent == .quick ? 1000 : 10_000)
  }

  private static func lookups() -> [Benchmark] {
    let shuffled = TwelveKeys.shuffled(1200)
    let inOrder = (0..<100).flatMap { _ in TwelveKeys.names }
    return [
      lookup(variant: nil, remark: "literal keys in the order of writing", operations: 12) {
        try TwelveKeys.sumInOrder($0)
      },
      lookup(variant: "keys of a list", remark: "in the order of writing", operations: 1200) {
        try TwelveKeys.sum(of: inOrder, $0)
      },
      lookup(variant: "random", remark: "any order", operations: 1200) {
        try TwelveKeys.sum(of: shuffled, $0)
      },
      lookup(variant: "absent", remark: "a key that is not there", operations: 1) {
        $0.contains("nowhere") ? 1 : 0
      },
    ]
  }

  private static func lookup(
    variant: String?, remark: String, operations: Int,
    _ body: @escaping (borrowing ObjectDecoder) throws -> Int32
  ) -> Benchmark {
    let identity = BenchmarkIdentity(
      .archive, .state, .lookup, .keepsake, variant: variant, size: 12)
    return Benchmark(identity, remark: remark, measuresMemory: false) {
      let bytes = try TwelveKeys.archive()
      return PreparedBenchmark(operationsPerIteration: operations) { iterations in
        let archive = try Archive(bytes)
        let decoder = try archive.object(archive.rootID)
        for _ in 0..<iterations { consume(try body(decoder)) }
      }
    }
  }

  private static func conditionalKeys(count: Int) -> [Benchmark] {
    [(nil, false), ("changing keys", true)].flatMap { variant, isChanging in
      let records = ConditionalKeys(isChanging: isChanging, count: count)
      let remark = isChanging ? "other keys than the record before" : "the same keys each time"
      func identity(_ operation: BenchmarkIdentity.Operation) -> BenchmarkIdentity {
        BenchmarkIdentity(.archive, .state, operation, .keepsake, variant: variant, size: count)
      }
      return [
        Benchmark(identity(.encode), items: count, remark: remark) {
          PreparedBenchmark(bytesOut: try records.archive().count) { iterations in
            for _ in 0..<iterations { consume(try records.archive()) }
          }
        },
        Benchmark(identity(.decode), items: count, remark: remark) {
          let bytes = try records.archive()
          try check(
            try records.sum(bytes) == records.expectedSum, "the values are not the right ones.")
          return PreparedBenchmark(bytesIn: bytes.count) { iterations in
            for _ in 0..<iterations { consume(try records.sum(bytes)) }
          }
        },
      ]
    }
  }
}

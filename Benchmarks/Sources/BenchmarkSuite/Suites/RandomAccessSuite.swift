import BenchmarkHarness
import KeepsakeArchive

/// One key of one object anywhere in an archive, opening included.
@MainActor
enum RandomAccessSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let sizes = extent == .quick ? [1000] : [1000, 10_000, 100_000, 1_000_000]
    return sizes.flatMap { count in
      let remark = "opening included; the others have to decode all of it"
      let identity = BenchmarkIdentity(.archive, .log, .random, .keepsake, size: count)
      let own = Benchmark(identity, remark: remark, measuresMemory: count == 1_000_000) {
        let records = try LogSuite.contenders(count).value.value()
        let bytes = try records.archive()
        var random = PermutedCongruentialGenerator.published
        return PreparedBenchmark { iterations in
          for _ in 0..<iterations {
            let number = Int(random.next64(below: UInt64(count)))
            let archive = try Archive(bytes)
            let record = try archive.object(ArchiveObjectID(UInt32(number + 1)))
            let size = try record.decode(UInt64.self, forKey: "size")
            try check(size == records.logs[number].size, "object \(number) is another one.")
            consume(size)
          }
        }
      }
      return [own] + rivals(count)
    }
  }

  /// The rivals of `--peers all`.
  private static func rivals(_ count: Int) -> [Benchmark] {
    #if Peers
      // Filling a table of a million rows takes longer than measuring it.
      return count <= 100_000 ? [Database.randomAccess(count)] : []
    #else
      return []
    #endif
  }
}

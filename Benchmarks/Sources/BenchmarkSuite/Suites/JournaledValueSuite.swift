import BenchmarkHarness
import Foundation
import Keepsake

/// A value of 10 MB of which 100 bytes change: the change saved alone, and the whole value.
@MainActor
enum JournaledValueSuite {
  /// Texts that a change replaces one of.
  private struct Pages: Codable, Sendable {
    var texts: [String]
  }

  private struct Change: Codable, Sendable {
    var index: Int
    var text: String
  }

  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let size = extent == .quick ? 100_000 : 10_000_000
    return [changing(size), savingAll(size)]
  }

  private static func identity(_ size: Int, variant: String?) -> BenchmarkIdentity {
    BenchmarkIdentity(.journal, .state, .save, .keepsake, variant: variant, size: size)
  }

  private static func pages(_ size: Int) -> Pages {
    Pages(
      texts: (0..<size / 100).map { number in
        let digits = String(number)
        return digits + String(repeating: "x", count: 100 - digits.count)
      })
  }

  private static func changing(_ size: Int) -> Benchmark {
    Benchmark(identity(size, variant: "the change"), remark: "JournaledValue, 100 bytes") {
      let directory = try ScratchDirectory()
      let value = JournaledValue<Pages, Change>(
        path: directory.file("value"), key: .key(try SealKey.generate()), default: pages(size),
        compactionSize: nil
      ) { $0.texts[$1.index] = $1.text }
      try value.update(Change(index: 0, text: "first"))
      let text = String(repeating: "y", count: 100)
      return PreparedBenchmark(bytesIn: 100) { iterations in
        for number in 0..<iterations {
          try value.update(Change(index: number * 7_919 % (size / 100), text: text))
        }
        withExtendedLifetime(directory) {}
      }
    }
  }

  private static func savingAll(_ size: Int) -> Benchmark {
    Benchmark(identity(size, variant: "the whole value"), remark: "SealedValueStore") {
      let directory = try ScratchDirectory()
      let store = SealedValueStore<Pages>(
        path: directory.file("value"), key: .key(try SealKey.generate()), default: Pages(texts: []))
      let value = pages(size)
      return PreparedBenchmark(bytesIn: size) { iterations in
        for _ in 0..<iterations { try store.save(value) }
        withExtendedLifetime(directory) {}
      }
    }
  }
}

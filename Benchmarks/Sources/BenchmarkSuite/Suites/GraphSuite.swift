import BenchmarkHarness
import Foundation
import KeepsakeArchive

/// Objects that refer to each other: a grid full of cycles and shared objects, and a list as deep as it is
/// long.
@MainActor
enum GraphSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let sides = extent == .quick ? [10] : [10, 32, 100]
    let lengths = extent == .quick ? [1000] : [1000, 10_000, 100_000, 1_000_000]
    return sides.flatMap(grid) + lengths.flatMap(list)
  }

  private static func grid(side: Int) -> [Benchmark] {
    let items = side * side
    let keepsake = roundTrip(
      .graph, size: items, .keepsake, remark: "identity, cycles and sharing",
      make: { Grid(side: side) }, isWhole: { $0.isWhole(side: side) },
      encode: { try $0.archive() }, decode: { try Grid.unarchive($0) })
    let json = roundTrip(
      .graph, size: items, .json, remark: "references numbered by hand",
      make: { Grid(side: side) }, isWhole: { $0.isWhole(side: side) },
      encode: { Array(try JSONEncoder().encode(FlatGrid($0))) },
      decode: { try JSONDecoder().decode(FlatGrid.self, from: Data($0)).grid })
    return side == 100 ? keepsake + json : (keepsake + json).withoutMemory
  }

  private static func list(count: Int) -> [Benchmark] {
    let keepsake = roundTrip(
      .list, size: count, .keepsake, remark: "the others recurse and crash or refuse",
      make: { LinkedNode.list(count) }, isWhole: { $0.counts(to: count) },
      encode: { try $0.archive() }, decode: { try LinkedNode.unarchive($0) })
    return count == 1_000_000 ? keepsake : keepsake.withoutMemory
  }

  private static func roundTrip<Root: AnyObject>(
    _ workload: BenchmarkIdentity.Workload, size: Int, _ subject: Subject, remark: String,
    make: @escaping () -> Root, isWhole: @escaping (Root) -> Bool,
    encode: @escaping (Root) throws -> [UInt8], decode: @escaping ([UInt8]) throws -> Root
  ) -> [Benchmark] {
    let encoding = BenchmarkIdentity(.archive, workload, .encode, subject, size: size)
    let decoding = BenchmarkIdentity(.archive, workload, .decode, subject, size: size)
    return [
      Benchmark(encoding, items: size, remark: remark) {
        let root = make()
        return PreparedBenchmark(bytesOut: try encode(root).count) { iterations in
          for _ in 0..<iterations { consume(try encode(root)) }
        }
      },
      Benchmark(decoding, items: size, remark: remark + "; release included") {
        let bytes = try encode(make())
        try check(isWhole(try decode(bytes)), "the graph that was decoded is another one.")
        return PreparedBenchmark(bytesIn: bytes.count) { iterations in
          for _ in 0..<iterations { consume(try decode(bytes)) }
        }
      },
    ]
  }
}

import BenchmarkHarness
import Foundation

/// Long lists of floating-point numbers.
///
/// The text formats need a second for a million, so by default they get a tenth.
@MainActor
enum NumbersSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let sizes =
      switch extent {
      case .quick: [(10_000, true)]
      case .standard: [(1_000_000, false), (100_000, true)]
      case .full, .scale: [(1_000_000, true), (100_000, false), (10_000, false)]
      }
    return sizes.flatMap { count, withText in
      benchmarks(Numbers<Double>.self, .doubles, count, withText: withText)
        + benchmarks(Numbers<Float>.self, .floats, count, withText: withText)
    }
  }

  private static func benchmarks<Number: ListedNumber>(
    _ type: Numbers<Number>.Type, _ workload: BenchmarkIdentity.Workload, _ count: Int,
    withText: Bool
  ) -> [Benchmark] {
    let contenders = Contenders(
      workload, size: count, items: count, value: { type.init(count: count) },
      payloadBytes: \.byteCount)
    return contenders.keepsake(
      encode: { try $0.archive() }, decode: { try type.init(unarchiving: $0) })
      + contenders.copies(of: { try $0.archive() })
      + (withText ? contenders.codable() : [])
      + contenders.protobuf() + [
        contenders.lazyRead(
          .keepsake, variant: "borrowed", remark: "opening included, nothing copied",
          encode: { try $0.archive() },
          expected: { [$0.numbers.first, $0.numbers.last].compactMap(\.self) }
        ) { try type.ends(of: $0) }
      ]
  }
}

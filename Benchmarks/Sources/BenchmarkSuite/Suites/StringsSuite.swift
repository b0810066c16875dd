import BenchmarkHarness

/// Texts: what is left when numbers and framing are not in the way.
@MainActor
enum StringsSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let count = extent == .quick ? 200 : 2000
    let contenders = Contenders(
      .strings, size: count, items: count, value: { Articles.make(count) },
      payloadBytes: \.payloadSize)
    return contenders.keepsake(
      encode: { try $0.archive() }, decode: { try Articles(unarchiving: $0) })
      + contenders.copies(of: { try $0.archive() }) + contenders.codable() + contenders.protobuf()
  }
}

import BenchmarkHarness
import Foundation

/// One small message: what opening, tables and framing cost where there is little else.
@MainActor
enum MediaSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let timed = benchmarks(of: .standard)
    // The other value is brought back by every subject before the first is timed.
    let others = benchmarks(of: .other).filter { $0.identity.operation == .decode }
    return timed.map { benchmark in
      var checked = benchmark
      checked.prepare = {
        for other in others where other.identity == benchmark.identity {
          _ = try await other.prepare()
        }
        return try await benchmark.prepare()
      }
      return checked
    }
  }

  private static func benchmarks(of content: MediaContent) -> [Benchmark] {
    let contenders = Contenders(
      .media, items: 1, value: { content }, payloadBytes: \.payloadSize)
    return contenders.keepsake(
      encode: { try $0.archive() }, decode: { try MediaContent(unarchiving: $0) })
      + contenders.copies(of: { try $0.archive() }) + contenders.codable() + contenders.protobuf()
      + contenders.roundTrip(
        .nsKeyedArchiver, remark: "no lazy reading", model: { CodedMediaContent($0) },
        value: \.content, count: \.count, encode: { try KeyedArchiver.encode($0) },
        decode: {
          try KeyedArchiver.decode(
            CodedMediaContent.self, of: CodedMediaContent.classes, from: $0)
        })
  }
}

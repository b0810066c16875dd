import BenchmarkHarness
import Foundation

/// One small message, which shows the cost of opening, tables and framing.
@MainActor
enum MediaSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let timed = benchmarks(of: .standard)
    // Every subject must return the other value before the first is timed.
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
      + contenders.sealed(
        encode: { try $0.archive() }, decode: { try MediaContent(unarchiving: $0) })
      + contenders.roundTrip(
        .nsKeyedArchiver, remark: "no lazy reading", model: { CodedMediaContent($0) },
        value: \.content, count: \.count, encode: { try KeyedArchiver.encode($0) },
        decode: {
          try KeyedArchiver.decode(
            CodedMediaContent.self, of: CodedMediaContent.classes, from: $0)
        })
  }
}

/// Texts, which show the cost of strings without numbers and framing.
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
      + contenders.sealed(encode: { try $0.archive() }, decode: { try Articles(unarchiving: $0) })
  }
}

/// 64 MiB of plain bytes.
@MainActor
enum BlobSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let size = extent == .quick ? 1 << 20 : 64 << 20
    let contenders = Contenders(
      .blob, size: size, items: 1, value: { NamedBlob(byteCount: size) },
      payloadBytes: \.contents.count)
    return contenders.keepsake(
      encode: { try $0.archive() }, decode: { try NamedBlob(unarchiving: $0) })
      + contenders.copies(of: { try $0.archive() }) + contenders.codable() + contenders.protobuf()
  }
}

/// 500 players with nested values, options and lists.
@MainActor
enum MinecraftSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let count = extent == .quick ? 50 : MinecraftWorkload.playerCount
    let contenders = Contenders(
      .minecraft, size: count, items: count,
      value: { SavedPlayers(players: Array(try MinecraftWorkload.make().players.prefix(count))) },
      payloadBytes: \.fixedSize)
    return contenders.keepsake(
      encode: { try $0.archive() }, decode: { try SavedPlayers(unarchiving: $0) })
      + contenders.byHand(
        model: { $0 }, value: { $0 }, archive: { try $0.archive() },
        encode: { try HardPlayers.encode($0) }, decode: { try HardPlayers.decode($0) })
      + contenders.copies(of: { try $0.archive() }) + contenders.codable() + contenders.protobuf()
      + contenders.sealed(
        encode: { try $0.archive() }, decode: { try SavedPlayers(unarchiving: $0) })
      + [
        contenders.lazyRead(
          .keepsake, remark: "opening included", encode: { try $0.archive() },
          expected: \.gameTypeSum
        ) { try SavedPlayers.sumGameTypesLazily($0) },
        contenders.lazyRead(
          .json, remark: "has to decode all of it", encode: { try JSONEncoder().encode($0) },
          expected: \.gameTypeSum
        ) { try JSONDecoder().decode(SavedPlayers.self, from: $0).gameTypeSum },
      ] + contenders.verification(of: { try $0.archive() })
  }
}

import BenchmarkHarness
import Foundation

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
      + contenders.copies(of: { try $0.archive() }) + contenders.codable() + contenders.protobuf()
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

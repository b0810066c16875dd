import BenchmarkHarness
import Foundation
import KeepsakeCodable

/// Typical data of programs, for which nothing in Keepsake was tuned.
@MainActor
enum EverydaySuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    var all = rings(extent) + outlines(extent) + catalogue(extent) + feed(extent) + updates(extent)
    all += byCodableAlone(.orders, extent, Orders.make, payloadBytes: \.payloadSize)
    all += byCodableAlone(.timeline, extent, Timeline.make, payloadBytes: \.payloadSize)
    all += byCodableAlone(.venues, extent, Venues.make, payloadBytes: \.payloadSize)
    return all
  }

  private static func rings(_ extent: Options.Extent) -> [Benchmark] {
    let count = ringCount(extent)
    let contenders = Contenders(
      .rings, size: count, items: count,
      value: { Rings(rings: Array(try RingsWorkload.make().rings.prefix(count))) },
      payloadBytes: \.payloadSize)
    return subjects(
      contenders, encode: { try $0.archive() }, decode: { try Rings(unarchiving: $0) })
      + contenders.rivals() + contenders.formats()
  }

  private static func outlines(_ extent: Options.Extent) -> [Benchmark] {
    let count = ringCount(extent)
    let contenders = Contenders(
      .outlines, size: count, items: count,
      value: { Outlines(Rings(rings: Array(try RingsWorkload.make().rings.prefix(count)))) },
      payloadBytes: \.payloadSize)
    return subjects(
      contenders, encode: { try $0.archive() }, decode: { try Outlines(unarchiving: $0) })
      + contenders.rivals() + contenders.formats()
  }

  private static func ringCount(_ extent: Options.Extent) -> Int {
    extent == .quick ? 50 : RingsWorkload.ringCount
  }

  private static func catalogue(_ extent: Options.Extent) -> [Benchmark] {
    let count = extent == .quick ? 25 : CatalogueWorkload.eventCount
    let contenders = Contenders(
      .catalogue, size: count, items: count,
      value: {
        var catalogue = try CatalogueWorkload.make()
        catalogue.events = Array(catalogue.events.prefix(count))
        return catalogue
      },
      payloadBytes: \.payloadSize)
    return subjects(
      contenders, encode: { try $0.archive() }, decode: { try Catalogue(unarchiving: $0) })
      + contenders.rivals() + contenders.formats()
  }

  private static func feed(_ extent: Options.Extent) -> [Benchmark] {
    let count = extent == .quick ? 50 : FeedWorkload.postCount
    let contenders = Contenders(
      .feed, size: count, items: count,
      value: { Feed(posts: Array(try FeedWorkload.make().posts.prefix(count))) },
      payloadBytes: \.payloadSize)
    return subjects(
      contenders, encode: { try $0.archive() }, decode: { try Feed(unarchiving: $0) })
      + contenders.rivals() + contenders.formats() + [contenders.opening(of: { try $0.archive() })]
  }

  /// By default a tenth of the packets, since the text formats need seconds for all of them.
  private static func updates(_ extent: Options.Extent) -> [Benchmark] {
    let count =
      switch extent {
      case .quick: 10
      case .standard: 100
      case .full, .scale: UpdatesWorkload.packetCount
      }
    let contenders = Contenders(
      .updates, size: count, items: count,
      value: { Updates(packets: Array(try UpdatesWorkload.make().packets.prefix(count))) },
      payloadBytes: \.payloadSize)
    return subjects(
      contenders, encode: { try $0.archive() }, decode: { try Updates(unarchiving: $0) })
      + contenders.rivals() + contenders.formats()
  }

  /// Records whose types are `Codable` alone: 500 of them, and 50 in a quick run.
  private static func byCodableAlone<Value: Codable & Equatable>(
    _ workload: BenchmarkIdentity.Workload, _ extent: Options.Extent,
    _ make: @escaping (Int) -> Value, payloadBytes: @escaping (Value) -> Int
  ) -> [Benchmark] {
    let count = extent == .quick ? 50 : 500
    let contenders = Contenders(
      workload, size: count, items: count, value: { make(count) }, payloadBytes: payloadBytes)
    let archive: (Value) throws -> [UInt8] = { Array(try ArchiveEncoder().encode($0)) }
    return contenders.codable() + contenders.copies(of: archive)
      + contenders.verification(of: archive)
  }

  private static func subjects<Value: Codable & Equatable & MessageConvertible>(
    _ contenders: Contenders<Value>, encode: @escaping (Value) throws -> [UInt8],
    decode: @escaping ([UInt8]) throws -> Value
  ) -> [Benchmark] {
    contenders.keepsake(encode: encode, decode: decode) + contenders.copies(of: encode)
      + contenders.verification(of: encode) + contenders.codable() + contenders.protobuf()
      + contenders.sealed(encode: encode, decode: decode)
  }
}

import BenchmarkHarness
import Foundation
import SwiftProtobuf

/// 10,000 small records, as objects of the program's own types and back.
@MainActor
enum LogSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let contenders = contenders(extent == .quick ? 1000 : LogWorkload.recordCount)
    return keyed(contenders) + contenders.macro()
      + contenders.byHand(
        model: { $0 }, value: { $0 }, archive: { try $0.archive() },
        encode: { HardLog.encode($0) }, decode: { try HardLog.decode($0) })
      + contenders.copies(of: { try $0.archive() })
      + contenders.codable() + contenders.protobuf()
      + contenders.rivals() + contenders.formats()
      + contenders.sealed(
        encode: { try $0.archive() }, decode: { try LogRecords(unarchiving: $0) })
      + (extent == .standard ? [] : keyedArchiver(contenders))
      + reading(contenders) + contenders.verification(of: { try $0.archive() })
      + [contenders.opening(of: { try $0.archive() })]
      + (extent == .standard ? small() : [])
  }

  private static func keyed(_ contenders: Contenders<LogRecords>) -> [Benchmark] {
    contenders.keepsake(
      encode: { try $0.archive() }, decode: { try LogRecords(unarchiving: $0) })
  }

  /// Few records, since `NSKeyedArchiver` needs seconds for more.
  private static func small() -> [Benchmark] {
    let contenders = contenders(1111)
    let text = contenders.codable().filter { !$0.identity.subject.isOurs }
    return keyed(contenders) + text.withoutMemory + keyedArchiver(contenders)
  }

  /// Keepsake's own work at fractions of the size, for its growth; with rivals at sizes that are so small
  /// that they could be messages.
  static func growth(_ extent: Options.Extent) -> [Benchmark] {
    let sizes = [1, 10, 100, 1000] + (extent == .full ? [100_000] : [])
    return sizes.flatMap { count in
      let contenders = contenders(count)
      let all =
        keyed(contenders) + [
          contenders.lazyRead(.keepsake, encode: { try $0.archive() }, expected: \.sum) {
            try LogRecords.sumLazily($0)
          },
          contenders.verification(of: { try $0.archive() })[0],
          contenders.opening(of: { try $0.archive() }),
        ]
      let others =
        count > 100
        ? []
        : contenders.codable() + contenders.protobuf() + contenders.rivals()
          + contenders.formats()
      return (all + others).withoutMemory
    }
  }

  static func contenders(_ count: Int) -> Contenders<LogRecords> {
    Contenders(
      .log, size: count, items: count,
      value: {
        let records = try LogWorkload.make().logs
        return LogRecords(logs: (0..<count).map { records[$0 % records.count] })
      },
      payloadBytes: \.fixedSize)
  }

  private static func keyedArchiver(_ contenders: Contenders<LogRecords>) -> [Benchmark] {
    contenders.roundTrip(
      .nsKeyedArchiver, remark: "no lazy reading", model: { CodedLogs($0) }, value: \.records,
      count: \.count, encode: { try KeyedArchiver.encode($0) },
      decode: { try KeyedArchiver.decode(CodedLogs.self, of: CodedLogs.classes, from: $0) })
  }

  /// Benchmarks that do not read all records into memory.
  private static func reading(_ contenders: Contenders<LogRecords>) -> [Benchmark] {
    let whole = "has to decode all of it"
    return [
      contenders.lazyRead(
        .keepsake, remark: "opening included", encode: { try $0.archive() }, expected: \.sum
      ) { try LogRecords.sumLazily($0) },
      contenders.lazyRead(.hard, encode: { HardLog.encode($0) }, expected: \.sum) {
        try HardLog.sumLazily($0)
      },
      contenders.lazyRead(
        .json, remark: whole, encode: { try JSONEncoder().encode($0) }, expected: \.sum
      ) { try JSONDecoder().decode(LogRecords.self, from: $0).sum },
      contenders.lazyRead(
        .protobuf, remark: whole, encode: { try $0.message.serializedBytes() as [UInt8] },
        expected: \.sum
      ) { bytes in
        try PBLogs(serializedBytes: bytes).logs.reduce(into: 0) { sum, log in
          sum &+= UInt64(log.code) &+ log.size &+ UInt64(log.date.utf8.count)
        }
      },
    ] + readingInPlace(contenders)
  }

  /// Rivals of `--peers all` that decode nothing either.
  private static func readingInPlace(_ contenders: Contenders<LogRecords>) -> [Benchmark] {
    #if Peers
      return [
        contenders.lazyRead(
          .flatBuffers, remark: "bytes are trusted, not checked",
          encode: { FlatBuffers.encode($0) }, expected: \.sum
        ) { try LogRecords.sumLazily(flatBuffer: $0) }
      ]
    #else
      return []
    #endif
  }
}

import BenchmarkHarness
import Foundation
import KeepsakeArchive
import SwiftProtobuf

/// 10,000 small records, as objects of the program's own types and back.
@MainActor
enum LogSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let count = extent == .quick ? 1000 : LogWorkload.recordCount
    let contenders = Contenders(
      .log, size: count, items: count,
      value: { try LogRecords(logs: Array(LogWorkload.make().logs.prefix(count))) },
      payloadBytes: \.fixedSize)
    return contenders.keepsake(
      encode: { try $0.archive() }, decode: { try LogRecords(unarchiving: $0) })
      + contenders.roundTrip(
        .hard, remark: "the same layout, no keys, no tables", count: \.count,
        encode: { HardLog.encode($0) }, decode: { try HardLog.decode($0) })
      + contenders.copies(of: { try $0.archive() })
      + contenders.codable() + contenders.protobuf() + keyedArchiver(contenders)
      + reading(contenders)
  }

  private static func keyedArchiver(_ contenders: Contenders<LogRecords>) -> [Benchmark] {
    contenders.roundTrip(
      .nsKeyedArchiver, remark: "no lazy reading", count: \.count,
      encode: { try KeyedArchiver.encode(CodedLogs($0)) },
      decode: {
        try KeyedArchiver.decode(CodedLogs.self, of: CodedLogs.classes, from: $0).records
      })
  }

  /// What does not bring all of it into memory.
  private static func reading(_ contenders: Contenders<LogRecords>) -> [Benchmark] {
    let json = "has to decode all of it"
    return [
      lazyRead(contenders, .keepsake, remark: "opening included", encode: { try $0.archive() }) {
        try LogRecords.sumLazily($0)
      },
      lazyRead(contenders, .hard, encode: { HardLog.encode($0) }) { try HardLog.sumLazily($0) },
      lazyRead(contenders, .json, remark: json, encode: { try JSONEncoder().encode($0) }) {
        try JSONDecoder().decode(LogRecords.self, from: $0).sum
      },
      lazyRead(contenders, .protobuf, remark: json, encode: { try $0.message.serializedBytes() }) {
        (bytes: [UInt8]) in
        try PBLogs(serializedBytes: bytes).logs.reduce(into: 0) { sum, log in
          sum &+= UInt64(log.code) &+ log.size &+ UInt64(log.address.x3)
        }
      },
      onArchive(contenders, .verify) { bytes, iterations in
        for _ in 0..<iterations {
          try Archive(bytes).verify()
          consume(bytes)
        }
      },
      onArchive(contenders, .verify, .memcpy) { bytes, iterations in
        for _ in 0..<iterations { consume(copy(of: bytes)) }
      },
      onArchive(contenders, .open) { bytes, iterations in
        for _ in 0..<iterations { consume(try Archive(bytes).objectCount) }
      },
    ]
  }

  private static func lazyRead<Encoded>(
    _ contenders: Contenders<LogRecords>, _ subject: Subject, remark: String? = nil,
    encode: @escaping (LogRecords) throws -> Encoded,
    sum: @escaping (Encoded) throws -> UInt64
  ) -> Benchmark where Encoded: Collection {
    Benchmark(contenders.identity(.read, subject), items: contenders.items, remark: remark) {
      let value = try contenders.value.value()
      let encoded = try encode(value)
      try check(try sum(encoded) == value.sum, "the fields that were read are not the right ones.")
      return PreparedBenchmark(bytesIn: encoded.count) { iterations in
        for _ in 0..<iterations { consume(try sum(encoded)) }
      }
    }
  }

  private static func onArchive(
    _ contenders: Contenders<LogRecords>, _ operation: BenchmarkIdentity.Operation,
    _ subject: Subject = .keepsake,
    _ body: @escaping (_ bytes: [UInt8], _ iterations: Int) throws -> Void
  ) -> Benchmark {
    Benchmark(contenders.identity(operation, subject), items: contenders.items) {
      let bytes = try contenders.value.value().archive()
      return PreparedBenchmark(bytesIn: bytes.count) { iterations in
        try body(bytes, iterations)
      }
    }
  }
}

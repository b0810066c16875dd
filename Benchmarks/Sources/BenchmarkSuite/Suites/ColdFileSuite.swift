import BenchmarkHarness
import CPeers
import Foundation
import KeepsakeArchive
import SwiftProtobuf

/// The first value from a file that the system has not cached, as at a launch.
@MainActor
enum ColdFileSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    #if os(Linux)
      let contenders = LogSuite.contenders(extent == .quick ? 1000 : LogWorkload.recordCount)
      let whole = "not in memory before: read and decoded as a whole"
      return [
        benchmark(contenders, .keepsake, "not in memory before: opened, and one record read") {
          logs in
          try Data(logs.archive())
        } sizeOfFirst: { path in
          let archive = try Archive(source: try PositionedFile(path))
          return try archive.object(ArchiveObjectID(1)).decode(UInt64.self, forKey: "size")
        },
        benchmark(contenders, .json, whole) { logs in
          try JSONEncoder().encode(logs)
        } sizeOfFirst: { path in
          try JSONDecoder().decode(LogRecords.self, from: Data(contentsOf: URL(filePath: path)))
            .logs.first?.size
        },
        benchmark(contenders, .protobuf, whole) { logs in
          try logs.message.serializedBytes()
        } sizeOfFirst: { path in
          try PBLogs(serializedBytes: Data(contentsOf: URL(filePath: path))).logs.first?.size
        },
      ]
    #else
      return []
    #endif
  }

  private static func benchmark(
    _ contenders: Contenders<LogRecords>, _ subject: Subject, _ remark: String,
    encode: @escaping (LogRecords) throws -> Data,
    sizeOfFirst: @escaping (_ path: String) throws -> UInt64?
  ) -> Benchmark {
    let identity = BenchmarkIdentity(.store, .log, .random, subject, size: contenders.size)
    return Benchmark(identity, remark: remark, measuresMemory: false) {
      let directory = try ScratchDirectory()
      let path = directory.file("log")
      let logs = try contenders.value.value()
      let bytes = try encode(logs)
      try bytes.write(to: URL(filePath: path))
      try check(try sizeOfFirst(path) == logs.logs.first?.size, "the first record is another one.")
      return PreparedBenchmark(bytesIn: bytes.count) { iterations in
        for _ in 0..<iterations {
          try check(
            unsafe keepsake_peer_forget(path) != 0, "the system keeps the file in memory.")
          consume(try sizeOfFirst(path) ?? 0)
        }
        consume(directory)
      }
    }
  }
}

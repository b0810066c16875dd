import BenchmarkHarness
import Foundation
import KeepsakeArchive

/// Archives that are written and read record by record: their memory does not grow with their size.
@MainActor
enum ArchiveStreamSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let sizes =
      switch extent {
      case .quick: [2 << 20]
      case .standard: [64 << 20]
      case .full, .scale: [256 << 20, 1 << 30, 4 << 30]
      }
    guard ScratchDirectory.holdsFilesInMemory else { return [] }
    return sizes.flatMap { [writing($0), reading($0)] }
  }

  private static func identity(
    _ operation: BenchmarkIdentity.Operation, _ size: Int
  ) -> BenchmarkIdentity {
    BenchmarkIdentity(.archive, .log, operation, .keepsake, variant: "stream", size: size)
  }

  private static func write(_ records: [LogRecord], upTo size: Int, to path: String) throws {
    let file = try ArchiveFile(writing: path)
    var writer = ArchiveStreamWriter(to: file)
    while file.byteCount < size {
      for record in records {
        try writer.writeObject(typeName: "Log") { record.encode(to: &$0) }
      }
    }
    try writer.finish()
  }

  private static func writing(_ size: Int) -> Benchmark {
    Benchmark(identity(.encode, size), remark: "record by record, file in memory") {
      let directory = try ScratchDirectory(inMemory: true)
      let path = directory.file("archive")
      let records = try LogWorkload.make().logs
      return PreparedBenchmark(bytesIn: size) { iterations in
        for _ in 0..<iterations { try write(records, upTo: size, to: path) }
        consume(directory)
      }
    }
  }

  private static func reading(_ size: Int) -> Benchmark {
    Benchmark(identity(.decode, size), remark: "record by record, file in memory") {
      let directory = try ScratchDirectory(inMemory: true)
      let path = directory.file("archive")
      try write(LogWorkload.make().logs, upTo: size, to: path)
      return PreparedBenchmark(bytesIn: size) { iterations in
        for _ in 0..<iterations {
          var reader = try ArchiveStreamReader(try ArchiveFile(reading: path))
          while let record = try reader.next(LogRecord.self) { consume(record) }
          try check(reader.rootID != nil, "the archive has not been read to its end.")
        }
        consume(directory)
      }
    }
  }
}

/// A file that an archive is written to or read from.
final class ArchiveFile: ArchiveSink, ArchiveSource {
  private let handle: FileHandle
  private(set) var byteCount = 0

  init(writing path: String) throws {
    try Data().write(to: URL(filePath: path))
    handle = try FileHandle(forWritingTo: URL(filePath: path))
  }

  init(reading path: String) throws {
    handle = try FileHandle(forReadingFrom: URL(filePath: path))
  }

  func write(_ bytes: Span<UInt8>) throws {
    byteCount += bytes.count
    try unsafe bytes.withUnsafeBytes { try unsafe handle.write(contentsOf: Data($0)) }
  }

  func read(into output: inout OutputSpan<UInt8>) throws {
    let part = try handle.read(upToCount: min(output.freeCapacity, 1 << 18)) ?? Data()
    unsafe output.withUnsafeMutableBufferPointer { buffer, count in
      let room = unsafe UnsafeMutableBufferPointer(rebasing: buffer[count...])
      count += unsafe part.copyBytes(to: room)
    }
  }
}

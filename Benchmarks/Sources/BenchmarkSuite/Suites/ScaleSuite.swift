import BenchmarkHarness
import Foundation
import KeepsakeArchive

/// Archives on disk that are written and read piece by piece, up to sizes that no memory holds.
///
/// The time should grow with the size, or hardly at all for random access, and the memory not at all.
@MainActor
enum ScaleSuite {
  /// Numbers of records; the last makes an archive of 20 GB.
  private static let sizes = [100_000, 1_000_000, 10_000_000, 250_000_000]

  static func benchmarks() -> [Benchmark] {
    sizes.flatMap { [writing($0), reading($0), random($0)] }
  }

  private static func identity(
    _ operation: BenchmarkIdentity.Operation, _ count: Int
  ) -> BenchmarkIdentity {
    BenchmarkIdentity(.archive, .log, operation, .keepsake, variant: "on disk", size: count)
  }

  /// The path of an archive with this number of records, beside this program.
  ///
  /// A missing archive is written, and stays for the processes that measure memory and for the next run.
  private static func archive(_ count: Int) throws -> String {
    let directory = Bundle.main.bundleURL.appending(path: "scratch/scale")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let url = directory.appending(path: "\(count).archive")
    if !FileManager.default.fileExists(atPath: url.path) {
      let unfinished = directory.appending(path: "\(count)-\(UUID().uuidString)")
      try write(count, to: unfinished.path)
      try FileManager.default.moveItem(at: unfinished, to: url)
    }
    return url.path
  }

  private static func write(_ count: Int, to path: String) throws {
    let records = try LogWorkload.make().logs
    var writer = ArchiveStreamWriter(to: try ArchiveFile(writing: path))
    for number in 0..<count {
      try writer.writeObject(typeName: "Log") { records[number % records.count].encode(to: &$0) }
    }
    try writer.finish()
  }

  private static func writing(_ count: Int) -> Benchmark {
    Benchmark(identity(.encode, count), items: count, remark: "record by record") {
      let directory = try ScratchDirectory()
      return PreparedBenchmark { iterations in
        for _ in 0..<iterations { try write(count, to: directory.file("archive")) }
      }
    }
  }

  private static func reading(_ count: Int) -> Benchmark {
    Benchmark(identity(.decode, count), items: count, remark: "record by record") {
      let path = try archive(count)
      return PreparedBenchmark(bytesIn: try size(of: path)) { iterations in
        for _ in 0..<iterations {
          var reader = try ArchiveStreamReader(try ArchiveFile(reading: path))
          var found = 0
          while let record = try reader.next(LogRecord.self) {
            consume(record)
            found += 1
          }
          try check(found == count, "\(found) of \(count) records came back.")
        }
      }
    }
  }

  private static func random(_ count: Int) -> Benchmark {
    Benchmark(identity(.random, count), remark: "one value of one record; opening included") {
      let path = try archive(count)
      let records = try LogWorkload.make().logs
      var random = PermutedCongruentialGenerator.published
      return PreparedBenchmark(bytesIn: try size(of: path)) { iterations in
        for _ in 0..<iterations {
          let number = Int(random.next64(below: UInt64(count)))
          let archive = try Archive(source: try PositionedFile(path))
          let record = try archive.object(ArchiveObjectID(UInt32(number + 1)))
          let size = try record.decode(UInt64.self, forKey: "size")
          try check(
            size == records[number % records.count].size, "record \(number) is another one.")
          consume(size)
        }
      }
    }
  }

  private static func size(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.size] as? NSNumber)?.intValue ?? 0
  }
}

import BenchmarkHarness
import Foundation
import KeepsakeSeal

/// Seals and opens a file in a separate process, and compares with the `age` command if it is installed.
///
/// Both read and write files on a file system in memory, and neither waits for a disk.
@MainActor
enum WholeProcessSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    guard ScratchDirectory.holdsFilesInMemory else { return [] }
    let size =
      switch extent {
      case .quick: 1 << 20
      case .standard: 64 << 20
      case .full, .scale: 1 << 30
      }
    let places = extent == .full ? [true, false] : [true]
    return places.flatMap { inMemory in
      [BenchmarkIdentity.Operation.seal, .unseal].flatMap { operation in
        let age = Age.isInstalled ? [age(operation, size, inMemory)] : []
        return ([keepsake(operation, size, inMemory)] + age).map { benchmark in
          var benchmark = benchmark
          benchmark.countsAllocations = false
          // With a larger file, four processes at once would fill the memory.
          benchmark.measuresMemory = inMemory && size <= 64 << 20
          benchmark.memoryOfPrograms = { peak }
          return benchmark
        }
      }
    }
  }

  /// The peak memory of the last program.
  private static var peak = 0

  private static func identity(
    _ operation: BenchmarkIdentity.Operation, _ subject: Subject, _ size: Int, _ inMemory: Bool
  ) -> BenchmarkIdentity {
    BenchmarkIdentity(
      .seal, .blob, operation, subject, variant: inMemory ? "whole process" : "process, disk",
      size: size)
  }

  private static func keepsake(
    _ operation: BenchmarkIdentity.Operation, _ size: Int, _ inMemory: Bool
  ) -> Benchmark {
    let remark = Age.isInstalled ? nil : "age is not installed, so there is no peer"
    return Benchmark(
      identity(operation, .keepsake, size, inMemory), remark: remark
    ) {
      let files = try Files(size: size, inMemory: inMemory)
      let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
      _ = try SealKey.create(at: files.key)
      return try files.prepared(
        operation,
        seal: {
          peak = try WholeProcess.run(program, ["--subtask-seal", "seal", $0, $1, files.key])
        },
        open: {
          peak = try WholeProcess.run(program, ["--subtask-seal", "open", $0, $1, files.key])
        })
    }
  }

  private static func age(
    _ operation: BenchmarkIdentity.Operation, _ size: Int, _ inMemory: Bool
  ) -> Benchmark {
    Benchmark(
      identity(operation, .age, size, inMemory),
      remark: inMemory
        ? "a key file; no random access" : "a key file; not durable: does not wait for the disk"
    ) {
      guard let age = Age.path, let keyGenerator = Age.keyGeneratorPath else {
        throw CheckFailure(description: "age is not installed.")
      }
      let files = try Files(size: size, inMemory: inMemory)
      try WholeProcess.run(keyGenerator, ["-o", files.key])
      return try files.prepared(
        operation,
        seal: { peak = try WholeProcess.run(age, ["--encrypt", "-i", files.key, "-o", $1, $0]) },
        open: { peak = try WholeProcess.run(age, ["--decrypt", "-i", files.key, "-o", $1, $0]) })
    }
  }

  /// A file to seal, and the paths of the results.
  private struct Files {
    let directory: ScratchDirectory
    let size: Int
    var plain: String { directory.file("plain") }
    var sealed: String { directory.file("sealed") }
    var opened: String { directory.file("opened") }
    var key: String { directory.file("key") }

    init(size: Int, inMemory: Bool) throws {
      directory = try ScratchDirectory(inMemory: inMemory)
      self.size = size
      try Data(NamedBlob.noise(size)).write(to: URL(filePath: plain))
    }

    @MainActor
    func prepared(
      _ operation: BenchmarkIdentity.Operation,
      seal: @escaping (String, String) throws -> Void,
      open: @escaping (String, String) throws -> Void
    ) throws -> PreparedBenchmark {
      try seal(plain, sealed)
      try open(sealed, opened)
      try check(
        FileManager.default.contentsEqual(atPath: plain, andPath: opened),
        "the plaintext does not come back.")
      let isSealing = operation == .seal
      let sealedSize = try FileManager.default.attributesOfItem(atPath: sealed)[.size] as? Int
      return PreparedBenchmark(
        bytesIn: isSealing ? size : sealedSize, bytesOut: isSealing ? sealedSize : size
      ) { iterations in
        for _ in 0..<iterations {
          try isSealing ? seal(plain, sealed) : open(sealed, opened)
        }
      }
    }
  }
}

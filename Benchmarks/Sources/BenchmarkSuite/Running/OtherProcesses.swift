import BenchmarkHarness
import CProbe
import Foundation
import KeepsakeSeal

/// Measures a task in a process that is bound to one core, to show the speed of multithreaded work on one
/// core.
@MainActor
enum BoundTaskSubtask {
  /// Measures a task in another process.
  static func rows(of task: String, _ options: Options) throws -> [ResultRow] {
    var arguments = options.extent.arguments + ["--subtask-bound-task", task]
    if let count = options.minimumSamples { arguments += ["--samples", "\(count)"] }
    return try ResultFile.decoded(ChildProcess(arguments).wait())
  }

  /// Measures a task in this process, and prints its rows.
  static func run(_ task: [Benchmark], with harness: Harness) async throws {
    FileHandle.standardOutput.write(try ResultFile.encoded(try await harness.measure(task)))
  }

  /// Binds this process to one core; must be called before any thread is started.
  static func bind() throws {
    try check(
      keepsake_benchmark_bind_to_one_core() != 0, "The process cannot be bound to one core.")
  }
}

/// Seals or opens one file in a separate process.
enum SealSubtask {
  /// Takes `seal` or `open`, the file to read, the file to write and the key file.
  ///
  /// - Throws: `CheckFailure` for other arguments, and errors of the seal.
  static func run(_ arguments: [String]) throws {
    guard arguments.count == 4 else {
      throw CheckFailure(description: "Sealing needs an operation, two files and a key file.")
    }
    let key = try SealKey.read(at: arguments[3])
    if arguments[0] == "seal" {
      try SealedFile.seal(contentsOf: arguments[1], to: arguments[2], for: [.key(key)])
    } else {
      try SealedFile.open(arguments[1], with: [.key(key)]).extract(to: arguments[2])
    }
  }
}

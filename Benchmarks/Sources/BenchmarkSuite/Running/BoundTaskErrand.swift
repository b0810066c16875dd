import BenchmarkHarness
import CProbe
import Foundation

/// Measures a task in a process that is bound to one core, so that what would use all cores is seen
/// with one.
@MainActor
enum BoundTaskErrand {
  /// Has another process measure a task.
  static func rows(of task: String, _ options: Options) throws -> [ResultRow] {
    var arguments = options.extent.arguments + ["--errand-bound-task", task]
    if let count = options.minimumSamples { arguments += ["--samples", "\(count)"] }
    return try ResultFile.decoded(ChildProcess(arguments).wait())
  }

  /// Measures a task in this process, and prints its rows.
  static func run(_ task: [Benchmark], with harness: Harness) async throws {
    FileHandle.standardOutput.write(try ResultFile.encoded(try await harness.measure(task)))
  }

  /// Binds this process to one core; to be called before anything else starts a thread.
  static func bind() throws {
    try check(
      keepsake_benchmark_bind_to_one_core() != 0, "The process cannot be bound to one core.")
  }
}

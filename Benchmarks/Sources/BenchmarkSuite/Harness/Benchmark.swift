/// One thing to measure.
struct Benchmark {
  /// `suite/task/contender`: rows with the same suite and task are compared with each other.
  var name: String

  /// The bytes that one iteration works on; 0 when throughput says nothing.
  var byteCount: Int

  /// What one iteration leaves on disk or in memory, in bytes.
  var outputByteCount: Int?

  /// Does the work a number of times.
  ///
  /// The loop stands inside, so that no call is made between iterations.
  var body: (_ iterations: Int) throws -> Void

  /// The suite and the task, without the contender.
  var task: Substring {
    name[..<(name.lastIndex(of: "/") ?? name.endIndex)]
  }
}

/// Benchmarks that share a workload, which is made only when one of them runs.
struct Suite: Sendable {
  var name: String
  var make: @Sendable () throws -> [Benchmark]
}

/// What a workload or a contender must be for its figures to mean anything.
struct CheckFailure: Error, CustomStringConvertible {
  var description: String
}

/// Stops the suite when a fact that it rests on does not hold.
func check(_ holds: Bool, _ description: @autoclosure () -> String) throws {
  guard holds else { throw CheckFailure(description: description()) }
}

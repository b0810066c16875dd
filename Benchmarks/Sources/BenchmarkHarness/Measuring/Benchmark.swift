/// One benchmark.
@MainActor
package struct Benchmark {
  package var identity: BenchmarkIdentity

  /// The number of elements that one operation processes, for times and allocations of one element; 1 when
  /// there are no elements.
  package var items: Int

  /// A feature of Keepsake that the subject lacks here, for the table.
  package var remark: String?

  /// True when peak memory is measured, in a separate process.
  package var measuresMemory: Bool

  /// The peak memory of the last program that the benchmark ran, for a benchmark whose work is done by other
  /// programs.
  package var memoryOfPrograms: (@MainActor () -> Int)?

  /// True when allocations are counted; those of other processes are not seen.
  package var countsAllocations = true

  /// True when the whole task is measured in a process that is bound to one core.
  package var isBoundToOneCore: Bool

  /// Makes the input, checks that the subject works correctly, and returns the work.
  ///
  /// Nothing is made before a benchmark runs, so that each can be run alone.
  package var prepare: @MainActor () async throws -> PreparedBenchmark

  package init(
    _ identity: BenchmarkIdentity, items: Int = 1, remark: String? = nil,
    measuresMemory: Bool = true, isBoundToOneCore: Bool = false,
    prepare: @escaping @MainActor () async throws -> PreparedBenchmark
  ) {
    self.identity = identity
    self.items = items
    self.remark = remark
    self.measuresMemory = measuresMemory
    self.isBoundToOneCore = isBoundToOneCore
    self.prepare = prepare
  }
}

/// A benchmark whose input is made.
@MainActor
package struct PreparedBenchmark {
  /// The work, repeated a number of times.
  ///
  /// The loop is inside, so that there is no call between iterations.
  package enum Body {
    case synchronous((_ iterations: Int) throws -> Void)
    case asynchronous(@MainActor (_ iterations: Int) async throws -> Void)
  }

  /// The bytes that one operation consumes.
  package var bytesIn: Int?

  /// The bytes that one operation produces.
  package var bytesOut: Int?

  /// The bytes that one operation produces, after a general-purpose compressor, if requested.
  package var compressedBytes: Int?

  /// Facts that the preparation has found, for the table.
  package var remark: String?

  /// The number of operations in one iteration, if a single one is too short for a loop.
  package var operationsPerIteration: Int

  package var body: Body

  /// Cleans up what the benchmark left on disk.
  package var finish: @MainActor () -> Void

  package init(
    bytesIn: Int? = nil, bytesOut: Int? = nil, operationsPerIteration: Int = 1,
    finish: @escaping @MainActor () -> Void = {},
    _ body: @escaping (_ iterations: Int) throws -> Void
  ) {
    self.bytesIn = bytesIn
    self.bytesOut = bytesOut
    self.operationsPerIteration = operationsPerIteration
    self.finish = finish
    self.body = .synchronous(body)
  }

  package init(
    bytesIn: Int? = nil, bytesOut: Int? = nil, remark: String? = nil,
    finish: @escaping @MainActor () -> Void = {},
    asynchronous body: @escaping @MainActor (_ iterations: Int) async throws -> Void
  ) {
    self.bytesIn = bytesIn
    self.bytesOut = bytesOut
    operationsPerIteration = 1
    self.finish = finish
    self.remark = remark
    self.body = .asynchronous(body)
  }

  /// Does the work.
  package func run(iterations: Int) async throws {
    switch body {
    case .synchronous(let body): try body(iterations)
    case .asynchronous(let body): try await body(iterations)
    }
  }
}

/// The error of a workload or subject whose figures would be meaningless.
package struct CheckFailure: Error, CustomStringConvertible {
  package var description: String

  package init(description: String) {
    self.description = description
  }
}

/// Stops the suite when an assumption does not hold.
package func check(_ holds: Bool, _ description: @autoclosure () -> String) throws {
  guard holds else { throw CheckFailure(description: description()) }
}

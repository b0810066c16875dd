/// One thing to measure.
@MainActor
package struct Benchmark {
  package var identity: BenchmarkIdentity

  /// How many elements one operation goes through, for times and allocations of one element; 1 when
  /// there is nothing to divide by.
  package var items: Int

  /// What the subject cannot do that Keepsake does here, for the table.
  package var remark: String?

  /// Whether peak memory is measured in a process of its own.
  package var measuresMemory: Bool

  /// The most memory that the last program had which the benchmark ran, for one whose work is done by
  /// other programs.
  package var memoryOfPrograms: (@MainActor () -> Int)?

  /// Whether allocations are counted; those of other processes are not seen.
  package var countsAllocations = true

  /// Whether the whole task is measured in a process that is bound to one core.
  package var isBoundToOneCore: Bool

  /// Makes the input, checks that the subject does its work right, and hands out the work.
  ///
  /// Nothing is made before a benchmark runs, so that one of them can be run alone.
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
  /// The work, done a number of times: the loop stands inside, so that no call is made between
  /// iterations.
  package enum Body {
    case synchronous((_ iterations: Int) throws -> Void)
    case asynchronous(@MainActor (_ iterations: Int) async throws -> Void)
  }

  /// The bytes that one operation consumes.
  package var bytesIn: Int?

  /// The bytes that one operation leaves.
  package var bytesOut: Int?

  /// The bytes of what one operation leaves after a compressor of general use, where that is asked for.
  package var compressedBytes: Int?

  /// How many operations one iteration does, where one alone is too short for a loop.
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
    bytesIn: Int? = nil, bytesOut: Int? = nil, finish: @escaping @MainActor () -> Void = {},
    asynchronous body: @escaping @MainActor (_ iterations: Int) async throws -> Void
  ) {
    self.bytesIn = bytesIn
    self.bytesOut = bytesOut
    operationsPerIteration = 1
    self.finish = finish
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

/// What a workload or a subject must be for its figures to mean anything.
package struct CheckFailure: Error, CustomStringConvertible {
  package var description: String

  package init(description: String) {
    self.description = description
  }
}

/// Stops the suite when a fact that it rests on does not hold.
package func check(_ holds: Bool, _ description: @autoclosure () -> String) throws {
  guard holds else { throw CheckFailure(description: description()) }
}

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

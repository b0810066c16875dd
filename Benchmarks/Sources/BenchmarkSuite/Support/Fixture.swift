import BenchmarkHarness

/// A workload that several benchmarks share, made when the first of them runs.
@MainActor
final class Fixture<Value> {
  private let make: () throws -> Value
  private var made: Value?

  init(_ make: @escaping () throws -> Value) {
    self.make = make
  }

  func value() throws -> Value {
    if let made { return made }
    let value = try make()
    made = value
    return value
  }
}

extension [Benchmark] {
  /// The same benchmarks without processes that measure memory.
  @MainActor var withoutMemory: [Benchmark] {
    map { benchmark in
      var benchmark = benchmark
      benchmark.measuresMemory = false
      return benchmark
    }
  }
}

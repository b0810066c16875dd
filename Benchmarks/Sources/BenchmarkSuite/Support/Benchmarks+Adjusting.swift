import BenchmarkHarness

extension [Benchmark] {
  /// The same without a process for the memory of each.
  @MainActor var withoutMemory: [Benchmark] {
    map { benchmark in
      var benchmark = benchmark
      benchmark.measuresMemory = false
      return benchmark
    }
  }
}

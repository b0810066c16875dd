import BenchmarkHarness

/// Every benchmark of an extent, in the order of the report.
@MainActor
enum AllSuites {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    LogSuite.benchmarks(extent)
  }
}

/// The samples of one benchmark, each the mean of a batch, in nanoseconds for one iteration.
struct Measurement {
  var benchmark: Benchmark
  var iterationsPerSample: Int
  var samples: [Double] = []

  var median: Double { quantile(0.5) }
  var fastest: Double { quantile(0) }

  /// Half the distance between the 10th and the 90th percentile, as a fraction of the median.
  var spread: Double {
    median > 0 ? (quantile(0.9) - quantile(0.1)) / 2 / median : 0
  }

  var gigabytesPerSecond: Double? {
    benchmark.byteCount > 0 && median > 0 ? Double(benchmark.byteCount) / median : nil
  }

  private func quantile(_ fraction: Double) -> Double {
    let sorted = samples.sorted()
    guard let last = sorted.indices.last else { return 0 }
    return sorted[Int((Double(last) * fraction).rounded())]
  }
}

/// The times of one operation of a benchmark in nanoseconds; each is the mean of a batch.
package struct Samples: Sendable {
  package var nanoseconds: [Double]

  package init(_ nanoseconds: [Double] = []) {
    self.nanoseconds = nanoseconds
  }

  package var count: Int { nanoseconds.count }

  /// The sample at a fraction of the sorted list, or the mean of the two next to it.
  package func quantile(_ fraction: Double) -> Double? {
    let sorted = nanoseconds.sorted()
    guard let last = sorted.indices.last else { return nil }
    let position = Double(last) * fraction
    let lower = sorted[Int(position)]
    let upper = sorted[min(Int(position) + 1, last)]
    return lower + (upper - lower) * (position - position.rounded(.down))
  }

  package var median: Double? { quantile(0.5) }

  /// The 99th percentile; nil with less than a hundred samples.
  package var p99: Double? { count >= 100 ? quantile(0.99) : nil }
}

/// The duration and the number of the samples of each benchmark.
package struct SamplingPlan: Sendable {
  /// The least duration of a batch, so that the cost of reading the clock is negligible.
  package var sampleTime: Double
  /// The total duration of sampling one benchmark, within the bounds below.
  package var totalTime: Double
  package var minimumSamples: Int
  package var maximumSamples: Int

  /// The plan for an extent; times are in nanoseconds.
  package init(_ extent: Options.Extent) {
    switch extent {
    case .quick:
      (sampleTime, totalTime, minimumSamples, maximumSamples) = (1e6, 2e6, 1, 3)
    case .standard:
      (sampleTime, totalTime, minimumSamples, maximumSamples) = (8e6, 160e6, 3, 21)
    case .full:
      (sampleTime, totalTime, minimumSamples, maximumSamples) = (20e6, 1500e6, 5, 41)
    case .scale:
      (sampleTime, totalTime, minimumSamples, maximumSamples) = (8e6, 160e6, 1, 11)
    }
  }

  /// The number of samples of a benchmark with batches of this duration.
  package func sampleCount(batchTime: Double) -> Int {
    let affordable = Int((totalTime / max(batchTime, 1)).rounded(.down))
    return min(max(affordable, minimumSamples), maximumSamples)
  }
}

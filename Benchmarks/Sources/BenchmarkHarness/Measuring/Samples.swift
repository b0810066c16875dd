/// The times of one benchmark in nanoseconds for one operation, each the mean of a batch.
package struct Samples: Sendable {
  package var nanoseconds: [Double]

  package init(_ nanoseconds: [Double] = []) {
    self.nanoseconds = nanoseconds
  }

  package var count: Int { nanoseconds.count }

  /// The sample at a fraction of the sorted list, halfway between two where it falls between them.
  package func quantile(_ fraction: Double) -> Double? {
    let sorted = nanoseconds.sorted()
    guard let last = sorted.indices.last else { return nil }
    let position = Double(last) * fraction
    let lower = sorted[Int(position)]
    let upper = sorted[min(Int(position) + 1, last)]
    return lower + (upper - lower) * (position - position.rounded(.down))
  }

  package var median: Double? { quantile(0.5) }

  /// The 99th percentile; unknown with less than a hundred samples, which have none.
  package var p99: Double? { count >= 100 ? quantile(0.99) : nil }
}

/// How long and how often each benchmark is sampled.
package struct SamplingPlan: Sendable {
  /// A batch is made as long as this, so that reading the clock costs nothing beside it.
  package var sampleTime: Double
  /// How long one benchmark is sampled altogether, within the bounds below.
  package var totalTime: Double
  package var minimumSamples: Int
  package var maximumSamples: Int

  /// The plan of a kind of run; times are in nanoseconds.
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

  /// How many samples a benchmark gets whose batches last as long as this.
  package func sampleCount(batchTime: Double) -> Int {
    let affordable = Int((totalTime / max(batchTime, 1)).rounded(.down))
    return min(max(affordable, minimumSamples), maximumSamples)
  }
}

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
}

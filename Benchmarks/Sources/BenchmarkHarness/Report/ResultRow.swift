/// The figures of one benchmark; unknown ones are nil.
package struct ResultRow: Sendable {
  package var identity: BenchmarkIdentity
  package var items: Int
  package var medianNanoseconds: Double?
  package var minimumNanoseconds: Double?
  package var p10Nanoseconds: Double?
  package var p90Nanoseconds: Double?
  /// The 99th percentile, if there are enough samples.
  package var p99Nanoseconds: Double?
  /// The processor time of all cores for one operation, without other processes.
  package var processorNanoseconds: Double?
  package var samples: Int = 0
  package var bytesIn: Int?
  package var bytesOut: Int?
  /// The number of bytes after a general-purpose compressor.
  package var compressedBytes: Int?
  package var allocations: Int?
  package var instructions: Int?
  package var peakMemory: Int?
  package var baseMemory: Int?
  package var remark: String?

  package init(_ identity: BenchmarkIdentity, items: Int = 1) {
    self.identity = identity
    self.items = items
  }

  /// Half the distance between the 10th and the 90th percentile, as a fraction of the median; nil with less
  /// than five samples, which have no such percentiles.
  package var spread: Double? {
    guard samples >= 5, let medianNanoseconds, let p10Nanoseconds, let p90Nanoseconds,
      medianNanoseconds > 0
    else { return nil }
    return (p90Nanoseconds - p10Nanoseconds) / 2 / medianNanoseconds
  }

  /// The memory that the operation added to that of the process.
  package var addedMemory: Int? {
    guard let peakMemory, let baseMemory else { return nil }
    return max(0, peakMemory - baseMemory)
  }
}

import BenchmarkHarness

extension ResultRow {
  /// A row of `log` with some figures.
  static func log(
    _ operation: BenchmarkIdentity.Operation = .encode, _ subject: Subject = .keepsake,
    variant: String? = nil, size: Int? = nil, median: Double? = nil, bytesOut: Int? = nil,
    allocations: Int? = nil, items: Int = 1
  ) -> ResultRow {
    let identity = BenchmarkIdentity(
      .archive, .log, operation, subject, variant: variant, size: size)
    var row = ResultRow(identity, items: items)
    row.medianNanoseconds = median
    row.bytesOut = bytesOut
    row.allocations = allocations
    return row
  }
}

/// The rows of one task as lines of text, each with its ratio to Keepsake's own.
package struct TaskTable {
  package var rows: [ResultRow]

  package init(_ rows: [ResultRow]) {
    self.rows = rows
  }

  package static let legend = """
    Times are medians, ± half the distance between the 10th and the 90th percentile. "×" is the time
    against Keepsake's: 10 × takes ten times as long. GB/s are bytes consumed. "each" is the time of
    one element. "memory" is the peak of a process of its own, beside what its input took.
    """

  package static let columns = [
    "median", "±", "×", "each", "GB/s", "bytes", "allocations", "memory",
  ]

  private static let nameWidth = 30
  private static let widths = [10, 9, 8, 10, 8, 14, 12, 10]

  package static let header =
    "  " + left("subject", nameWidth)
    + zip(columns, widths).map { right($0, $1) }.joined()

  /// The row that the others are held against: Keepsake in its plain form.
  package var reference: ResultRow? {
    rows.first { $0.identity.subject == .keepsake && $0.identity.variant == nil }
      ?? rows.first { $0.identity.subject.isOurs }
  }

  package var lines: [String] {
    rows.map { row in
      let line =
        "  " + Self.left(row.identity.contender, Self.nameWidth)
        + zip(cells(of: row), Self.widths).map { Self.right($0 ?? "", $1) }.joined()
      return row.remark.map { "\(line)  \($0)" } ?? line
    }
  }

  /// The figures of a row, one for each column; unknown ones are nil.
  package func cells(of row: ResultRow) -> [String?] {
    [
      row.medianNanoseconds.map(Figures.time), row.spread.map(Figures.percent),
      ratio(of: row).map(Figures.significant), each(row),
      throughput(of: row).map(Figures.significant), row.bytesOut.map(Figures.grouped),
      row.allocations.map(Figures.grouped), row.addedMemory.map(Figures.bytes),
    ]
  }

  /// The time of a row against that of the reference.
  package func ratio(of row: ResultRow) -> Double? {
    guard let time = row.medianNanoseconds, let own = reference?.medianNanoseconds, own > 0
    else { return nil }
    return time / own
  }

  private func throughput(of row: ResultRow) -> Double? {
    guard let bytes = row.bytesIn, let time = row.medianNanoseconds, time > 0 else { return nil }
    return Double(bytes) / time
  }

  private func each(_ row: ResultRow) -> String? {
    guard row.items > 1, let time = row.medianNanoseconds else { return nil }
    return Figures.time(time / Double(row.items))
  }

  private static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

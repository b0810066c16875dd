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

  package static let header =
    "  " + left("subject", 30) + right("median", 10) + right("±", 9) + right("×", 8)
    + right("each", 10) + right("GB/s", 8) + right("bytes", 14) + right("allocations", 12)
    + right("memory", 10)

  /// The row that the others are held against: Keepsake in its plain form.
  package var reference: ResultRow? {
    rows.first { $0.identity.subject == .keepsake && $0.identity.variant == nil }
      ?? rows.first { $0.identity.subject.isOurs }
  }

  package var lines: [String] {
    rows.map { row in
      let line =
        "  " + Self.left(row.identity.contender, 30)
        + Self.right(row.medianNanoseconds.map(Figures.time), 10)
        + Self.right(row.spread.map(Figures.percent), 9)
        + Self.right(ratio(of: row).map(Figures.significant), 8)
        + Self.right(each(row), 10) + Self.right(throughput(of: row).map(Figures.significant), 8)
        + Self.right(row.bytesOut.map(Figures.grouped), 14)
        + Self.right(row.allocations.map(Figures.grouped), 12)
        + Self.right(row.addedMemory.map(Figures.bytes), 10)
      return row.remark.map { "\(line)  \($0)" } ?? line
    }
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

  private static func right(_ text: String?, _ width: Int) -> String {
    let text = text ?? ""
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

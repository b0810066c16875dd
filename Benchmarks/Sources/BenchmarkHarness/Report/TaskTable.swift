/// The rows of one task as lines of text, each with its ratio to Keepsake's own.
package struct TaskTable {
  package var rows: [ResultRow]

  package init(_ rows: [ResultRow]) {
    self.rows = rows
  }

  package static let legend = """
    Times are medians, ± half the distance between the 10th and the 90th percentile. "×" is the time
    against Keepsake's: 10 × takes ten times as long. GB/s are bytes consumed. "each" is the time of
    one element. "memory" is the peak of a process of its own, beside what its input took. An asterisk
    marks the fastest of the subjects that do the same work, and limits do not count. "CPU" is the
    time of all cores together.
    """

  package static let columns = [
    "median", "±", "p99", "×", "CPU", "each", "GB/s", "bytes", "zstd", "allocations", "memory",
  ]

  private static let nameWidth = 30
  private static let widths = [10, 9, 10, 8, 10, 10, 8, 14, 12, 12, 10]

  /// Columns that are empty for most tasks, and left out there.
  private static let rare: Set<String> = ["p99", "CPU", "zstd"]

  /// The indices of the printed columns; the usual ones are always included, since tasks are printed below
  /// each other.
  private var visible: [Int] {
    let filled = filled
    return Self.columns.indices.filter {
      filled.contains($0) || !Self.rare.contains(Self.columns[$0])
    }
  }

  /// The indices of the columns that are not empty in some row.
  package var filled: [Int] {
    Self.columns.indices.filter { index in
      // With one thread, the processor time equals the elapsed time.
      Self.columns[index] == "CPU"
        ? rows.contains { ($0.processorNanoseconds ?? 0) > 1.2 * ($0.medianNanoseconds ?? 0) }
        : rows.contains { cells(of: $0)[index] != nil }
    }
  }

  package var header: String {
    "  " + Self.left("subject", Self.nameWidth)
      + visible.map { Self.right(Self.columns[$0], Self.widths[$0]) }.joined()
  }

  /// The fastest row that is neither a limit nor code for one layout; nil with a single subject.
  package var best: ResultRow? {
    let rows = rows.filter { row in
      let subject = row.identity.subject
      return !subject.isLimit && subject != .hard && row.medianNanoseconds != nil
    }
    guard Set(rows.map(\.identity.subject)).count > 1 else { return nil }
    return rows.min { ($0.medianNanoseconds ?? 0) < ($1.medianNanoseconds ?? 0) }
  }

  /// The row that the others are compared with: Keepsake in its plain form.
  package var reference: ResultRow? {
    rows.first { $0.identity.subject == .keepsake && $0.identity.variant == nil }
      ?? rows.first { $0.identity.subject.isOurs }
  }

  package var lines: [String] {
    let (best, visible) = (best?.identity, visible)
    return rows.map { row in
      let cells = cells(of: row)
      let line =
        (row.identity == best ? "* " : "  ") + Self.left(row.identity.contender, Self.nameWidth)
        + visible.map { Self.right(cells[$0] ?? "", Self.widths[$0]) }.joined()
      return row.remark.map { "\(line)  \($0)" } ?? line
    }
  }

  /// The figures of a row, one for each column; unknown ones are nil.
  package func cells(of row: ResultRow) -> [String?] {
    [
      row.medianNanoseconds.map(Figures.time), row.spread.map(Figures.percent),
      row.p99Nanoseconds.map(Figures.time), ratio(of: row).map(Figures.significant),
      row.processorNanoseconds.map(Figures.time), each(row),
      throughput(of: row).map(Figures.significant), row.bytesOut.map(Figures.grouped),
      row.compressedBytes.map(Figures.grouped),
      row.allocations.map(Figures.grouped), row.addedMemory.map(Figures.bytes),
    ]
  }

  /// The time of a row relative to that of the reference.
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

/// Finds figures that are worse than those of a baseline.
///
/// Only Keepsake's own rows are compared: a slower rival is not a regression.
package struct BaselineComparison {
  package var threshold: Double
  package var comparesTimes: Bool

  /// - Parameters:
  ///   - threshold: The percentage by which a figure may be worse.
  ///   - comparesTimes: True when times are compared too, not only sizes and allocations.
  package init(threshold: Double, comparesTimes: Bool) {
    self.threshold = threshold
    self.comparesTimes = comparesTimes
  }

  /// The rows of a baseline that are the same on every machine: Keepsake's own sizes and allocations.
  package static func record(of rows: [ResultRow]) -> [ResultRow] {
    rows.filter { $0.identity.subject.isOurs && ($0.bytesOut != nil || $0.allocations != nil) }
      .map { row in
        var record = ResultRow(row.identity, items: row.items)
        record.bytesOut = row.bytesOut
        record.allocations = row.allocations
        return record
      }
  }

  package struct Outcome: Equatable {
    /// A sentence for each figure that is worse.
    package var regressions: [String] = []
    /// A sentence for each figure that is better by more than the threshold.
    package var improvements: [String] = []
    /// The number of rows in both lists.
    package var comparedRows = 0

    package init(comparedRows: Int = 0) {
      self.comparedRows = comparedRows
    }
  }

  package func compare(_ rows: [ResultRow], with baseline: [ResultRow]) -> Outcome {
    var known: [BenchmarkIdentity: ResultRow] = [:]
    for row in baseline { known[row.identity] = row }
    var outcome = Outcome()
    for row in rows where row.identity.subject.isOurs {
      guard let before = known[row.identity] else { continue }
      outcome.comparedRows += 1
      if comparesTimes {
        judge(row, "the median", before.medianNanoseconds, row.medianNanoseconds, &outcome) {
          Figures.time($0)
        }
      }
      judge(row, "bytes", before.bytesOut.map(Double.init), row.bytesOut.map(Double.init), &outcome)
      { Figures.grouped(Int($0)) }
      judge(
        row, "allocations", before.allocations.map(Double.init), row.allocations.map(Double.init),
        &outcome, slack: 2
      ) { Figures.grouped(Int($0)) }
    }
    return outcome
  }

  private func judge(
    _ row: ResultRow, _ name: String, _ before: Double?, _ after: Double?,
    _ outcome: inout Outcome, slack: Double = 0, _ format: (Double) -> String
  ) {
    guard let before, let after else { return }
    let sentence = "\(row.identity): \(name) went from \(format(before)) to \(format(after))."
    if after > before * (1 + threshold / 100) + slack {
      outcome.regressions.append(sentence)
    } else if after < before * (1 - threshold / 100) - slack {
      outcome.improvements.append(sentence)
    }
  }
}

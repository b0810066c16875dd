import Foundation

extension ReportCharts {
  /// Speed and size relative to peers: the mean over all workloads in which all of these take part.
  var overview: [ChartFigure] {
    let tasks = overviewTasks
    guard let encoding = tasks[.encode], let decoding = tasks[.decode], !encoding.isEmpty else {
      return []
    }
    let names = encoding.map { $0[0].identity.workload.rawValue }
    let panels = [
      mean(encoding, "Encoding time", \.medianNanoseconds),
      mean(decoding, "Decoding time", \.medianNanoseconds),
      mean(encoding, "Size") { $0.bytesOut.map(Double.init) },
    ].compactMap(\.self)
    return [
      ChartFigure(
        name: "overview", title: "Keepsake and what one would use instead",
        subtitle:
          "Less is better; keepsake with records is 1. Geometric means over \(names.count) "
          + "\(names.count == 1 ? "workload" : "workloads"): \(names.joined(separator: ", ")).",
        panels: panels.map(ChartFigure.Panel.bars))
    ]
  }

  private static let subjects: [Subject] = [
    .keepsake, .keepsakeCodable, .json, .plist, .protobuf,
  ]

  /// For each operation, one task of each workload that all subjects take part in, at its largest size; both
  /// operations have the same workloads.
  private var overviewTasks: [BenchmarkIdentity.Operation: [[ResultRow]]] {
    var tasks: [BenchmarkIdentity.Operation: [[ResultRow]]] = [:]
    for workload in BenchmarkIdentity.Workload.allCases {
      let pair = [BenchmarkIdentity.Operation.encode, .decode].map { operation in
        let rows = rows.filter { row in
          row.identity.suite == .archive && row.identity.workload == workload
            && row.identity.operation == operation && row.identity.variant == nil
            && row.medianNanoseconds != nil && Self.subjects.contains(row.identity.subject)
        }
        let sizes = Dictionary(grouping: rows, by: \.identity.size).values
        return sizes.filter { $0.count == Self.subjects.count }
          .max { ($0[0].identity.size ?? 0) < ($1[0].identity.size ?? 0) }
      }
      guard let encoding = pair[0], let decoding = pair[1] else { continue }
      tasks[.encode, default: []].append(encoding)
      tasks[.decode, default: []].append(decoding)
    }
    return tasks
  }

  private func mean(
    _ tasks: [[ResultRow]], _ title: String, _ value: (ResultRow) -> Double?
  ) -> BarPanel? {
    let bars = Self.subjects.compactMap { subject -> BarPanel.Bar? in
      let ratios = tasks.compactMap { task -> Double? in
        guard let own = task.first(where: { $0.identity.subject == .keepsake }).flatMap(value),
          let other = task.first(where: { $0.identity.subject == subject }).flatMap(value),
          own > 0, other > 0
        else { return nil }
        return log(other / own)
      }
      guard ratios.count == tasks.count else { return nil }
      let mean = exp(ratios.reduce(0, +) / Double(ratios.count))
      return BarPanel.Bar(
        name: subject == .keepsake ? Self.records : subject.chartName, value: mean,
        label: "\(Figures.significant(mean)) ×", role: subject.isOurs ? .own : .peer)
    }
    guard bars.count == Self.subjects.count else { return nil }
    return BarPanel(title: title, bars: bars.sorted { $0.value < $1.value })
  }
}

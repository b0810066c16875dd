import Foundation

/// The charts of a report: an overview, bars against peers, sizes, growth, and throughput against the
/// limit.
package struct ReportCharts {
  package var rows: [ResultRow]

  package init(_ rows: [ResultRow]) {
    self.rows = rows
  }

  /// All charts for which figures exist.
  package var figures: [ChartFigure] {
    let figures =
      overview + BenchmarkIdentity.Workload.allCases.flatMap(times) + sizes + growth + throughput
      + others
    return figures.flatMap(\.parts)
  }

  /// The name of Keepsake's methods by hand, where its `Codable` takes part too.
  static let records = "keepsake, records"

  private static let colours =
    "blue: Keepsake; pale: its variants, in brackets; grey: the others; dashed: the limit"

  /// Encoding, decoding and reading of one workload at its largest size with peers.
  private func times(of workload: BenchmarkIdentity.Workload) -> [ChartFigure] {
    let tasks = grouped { $0.suite == .archive && $0.workload == workload }
    var panels: [ChartFigure.Panel] = []
    for operation in [BenchmarkIdentity.Operation.encode, .decode, .read] {
      guard let widest = Self.widest(tasks, operation) else { continue }
      panels.append(.bars(bars(widest, title: Self.title(of: widest[0]), Self.time)))
    }
    guard !panels.isEmpty else { return [] }
    return [
      ChartFigure(
        name: "archive-\(workload.rawValue)", title: "\(workload.rawValue): time, less is better",
        subtitle: Self.colours, panels: panels)
    ]
  }

  private var sizes: [ChartFigure] {
    let panels = BenchmarkIdentity.Workload.allCases.compactMap { workload in
      grouped { $0.suite == .archive && $0.workload == workload && $0.operation == .encode }
        .max { $0.count < $1.count }
    }
    .filter { $0.count >= 4 }
    .map { task in
      ChartFigure.Panel.bars(
        bars(
          task.filter { !$0.identity.subject.isLimit }, title: Self.title(of: task[0]),
          formatTick: Figures.roundBytes
        ) { row in row.bytesOut.map { (Double($0), Figures.bytes($0)) } })
    }
    guard !panels.isEmpty else { return [] }
    return [
      ChartFigure(
        name: "archive-sizes", title: "Encoded bytes, less is better",
        subtitle: "blue: Keepsake; pale: its variants, in brackets; grey: the others",
        panels: panels)
    ]
  }

  private var growth: [ChartFigure] {
    let fits = GrowthFit.fits(through: rows)
    return BenchmarkIdentity.Suite.allCases.compactMap { suite in
      var workloads: [String] = []
      for fit in fits where fit.name.hasPrefix("\(suite.rawValue)/") {
        let workload = String(fit.name.split(separator: "/")[1])
        if !workloads.contains(workload) { workloads.append(workload) }
      }
      let panels = workloads.map { workload in
        let prefix = "\(suite.rawValue)/\(workload)/"
        return ChartFigure.Panel.lines(
          LinePanel(
            title: workload,
            series: Self.ownFirst(fits.filter { $0.name.hasPrefix(prefix) }).prefix(6).map { fit in
              LinePanel.Series(
                name: Self.short(fit.name.dropFirst(prefix.count))
                  + ": n^\(Figures.significant(fit.exponent))",
                points: fit.points.map { (Double($0.size), $0.nanoseconds) })
            }, isLogarithmic: true,
            formatX: {
              suite == .seal || suite == .store
                ? Figures.bytes(Int($0)) : Figures.compact(Int($0))
            },
            formatY: Figures.roundTime))
      }
      guard !panels.isEmpty else { return nil }
      return ChartFigure(
        name: "growth-\(suite.rawValue)", title: "\(suite.rawValue): time over size",
        subtitle:
          "Both axes are logarithmic. n^1: time grows as the size does; n^0: it stays the same. "
          + "Taken from the largest sizes.",
        panels: panels)
    }
  }

  /// Keepsake's lines, then those of the others, which would otherwise leave no space for them.
  private static func ownFirst(_ fits: [GrowthFit]) -> [GrowthFit] {
    fits.filter { $0.name.hasSuffix(" keepsake") } + fits.filter { !$0.name.hasSuffix(" keepsake") }
  }

  private var throughput: [ChartFigure] {
    let sealing = rows.filter { row in
      row.identity.suite == .seal && row.identity.threads != nil
        && [.keepsake, .libsodium].contains(row.identity.subject)
    }
    var panels: [ChartFigure.Panel] = []
    for operation in [BenchmarkIdentity.Operation.seal, .unseal] {
      for threads in Set(sealing.compactMap(\.identity.threads)).sorted() {
        // Each variant is drawn as a separate line.
        for variant in Set(sealing.map { $0.identity.variant ?? "" }).sorted() {
          let chosen = sealing.filter { row in
            row.identity.operation == operation && row.identity.threads == threads
              && row.identity.variant ?? "" == variant
          }
          let series = [Subject.keepsake, .libsodium].map { subject in
            LinePanel.Series(
              name: subject.rawValue,
              points: chosen.filter { $0.identity.subject == subject }
                .compactMap(Self.throughputPoint).sorted { $0.x < $1.x },
              isLimit: subject.isLimit)
          }
          guard series.allSatisfy({ $0.points.count > 1 }) else { continue }
          let way = variant.isEmpty ? "" : ", \(variant)"
          panels.append(
            .lines(
              LinePanel(
                title:
                  "\(operation.rawValue), \(threads) \(threads == 1 ? "thread" : "threads")\(way)",
                series: series, isLogarithmic: false, formatX: { Figures.bytes(Int($0)) },
                formatY: { "\(Figures.short($0)) GB/s" })))
        }
      }
    }
    guard !panels.isEmpty else { return [] }
    return [
      ChartFigure(
        name: "seal-throughput", title: "Sealing and opening beside libsodium",
        subtitle: "throughput over the size of the content, more is better", panels: panels)
    ]
  }

  /// The figures of stores, whole processes and the engine.
  private var others: [ChartFigure] {
    [
      comparison(
        "store-state", "State on disk: time, less is better",
        "\(Self.colours). JSON and swift-crypto, which is CryptoKit on Linux, are not synced; GRDB is "
          + "not encrypted; SQLCipher is the version of the system, 3.4.1 in Debian 12."
      ) { $0.suite == .store && $0.workload == .state },
      comparison("store-times", "Values on disk: time, less is better") {
        $0.suite == .store && $0.workload != .state
      },
      comparison("restoration-times", "Restoration: time, less is better") {
        $0.suite == .restoration
      },
      comparison("migration-times", "Migration: time, less is better") { $0.suite == .migration },
      comparison("seal-times", "Sealed files: time, less is better") { $0.suite == .seal },
    ].compactMap(\.self)
  }

  /// Bars of each task in which several take part.
  private func comparison(
    _ name: String, _ title: String, _ subtitle: String = ReportCharts.colours,
    of isIncluded: (BenchmarkIdentity) -> Bool
  ) -> ChartFigure? {
    let panels = grouped { isIncluded($0) && $0.threads == nil }
      .filter { $0.count > 1 }
      .map { task in
        ChartFigure.Panel.bars(bars(task, title: Self.title(of: task[0]), Self.time))
      }
    guard !panels.isEmpty else { return nil }
    return ChartFigure(name: name, title: title, subtitle: subtitle, panels: panels)
  }
}

extension ReportCharts {
  /// The rows that are compared with each other, in their order.
  private func grouped(_ isIncluded: (BenchmarkIdentity) -> Bool) -> [[ResultRow]] {
    var names: [String] = []
    var tasks: [String: [ResultRow]] = [:]
    for row in rows where isIncluded(row.identity) {
      if tasks[row.identity.task] == nil { names.append(row.identity.task) }
      tasks[row.identity.task, default: []].append(row)
    }
    return names.compactMap { tasks[$0] }
  }

  private func bars(
    _ task: [ResultRow], title: String,
    formatTick: @escaping (Double) -> String = Figures.roundTime,
    _ value: (ResultRow) -> (Double, String)?
  ) -> BarPanel {
    let reference = TaskTable(task).reference.flatMap { value($0)?.0 }
    let hasCodable = task.contains { $0.identity.subject == .keepsakeCodable }
    let bars = task.compactMap { row -> BarPanel.Bar? in
      guard let (size, label) = value(row) else { return nil }
      let ratio = reference.map { size / max($0, .leastNonzeroMagnitude) }
      let subject = row.identity.subject
      let isReference = subject == .keepsake && row.identity.variant == nil
      let name = subject == .keepsake && hasCodable ? Self.records : subject.chartName
      return BarPanel.Bar(
        name: row.identity.variant.map { "\(name) (\($0))" } ?? name, value: size,
        label: isReference
          ? label : label + (ratio.map { ", \(Figures.significant($0)) ×" } ?? ""),
        role: !subject.isOurs
          ? (subject.isLimit ? .limit : .peer) : row.identity.variant == nil ? .own : .near
      )
    }
    return BarPanel(
      title: title, bars: bars.sorted { $0.value < $1.value }, formatTick: formatTick)
  }

  /// The task of an operation with the most subjects, at its largest size; nil when Keepsake is alone.
  private static func widest(
    _ tasks: [[ResultRow]], _ operation: BenchmarkIdentity.Operation
  ) -> [ResultRow]? {
    tasks.filter { task in
      task.first?.identity.operation == operation
        && Set(task.map(\.identity.subject)).subtracting([.memcpy]).count > 1
    }
    .max { first, second in
      (first.count, first[0].identity.size ?? 0) < (second.count, second[0].identity.size ?? 0)
    }
  }

  private static func time(_ row: ResultRow) -> (Double, String)? {
    row.medianNanoseconds.map { ($0, Figures.time($0)) }
  }

  private static func throughputPoint(_ row: ResultRow) -> (x: Double, y: Double)? {
    guard let size = row.identity.size, let bytes = row.bytesIn, let time = row.medianNanoseconds,
      time > 0
    else { return nil }
    return (Double(size), Double(bytes) / time)
  }

  private static func title(of row: ResultRow) -> String {
    let identity = row.identity
    var title = "\(identity.workload.rawValue) \(identity.operation.rawValue)"
    if let size = identity.size {
      let countsBytes = [.blob, .state].contains(identity.workload)
      title += countsBytes ? ", \(Figures.bytes(size))" : ", \(Figures.grouped(size)) elements"
    }
    return title
  }

  /// The operation with the variant or the other subject.
  private static func short(_ name: Substring) -> String {
    if name.hasSuffix(" keepsake") { return String(name.dropLast(9)) }
    return name.replacingOccurrences(of: " keepsake (", with: " (")
      .replacingOccurrences(of: " keepsake-codable", with: " Codable")
  }
}

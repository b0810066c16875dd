/// The main figures of a run as tables for a page of documentation.
package struct ResultsDigest {
  package var machine: Machine
  package var rows: [ResultRow]
  /// Warnings before the figures, such as that there are too few samples.
  package var cautions: [String]

  package init(machine: Machine, rows: [ResultRow], cautions: [String] = []) {
    self.machine = machine
    self.rows = rows
    self.cautions = cautions + [machine.warning].compactMap(\.self)
  }

  /// The subjects with a column; those that need a special build only if they took part.
  private var subjects: [Subject] {
    let always: [Subject] = [
      .keepsake, .keepsakeCodable, .json, .plist, .nsKeyedArchiver, .protobuf,
    ]
    let optional: [Subject] = [.messagePack, .cbor, .flatBuffers, .fory, .grdb]
    return always + optional.filter { subject in rows.contains { $0.identity.subject == subject } }
  }

  package var markdown: String {
    """
    # Results

    The figures are medians of one run of `swift run bench`, which wrote this page with `--markdown`.
    [README.md](README.md) says how they are measured.

    \(([machine.description] + cautions).joined(separator: "\n\n"))

    The best of the subjects that do the same work is in bold, and limits do not count.

    ## Archive: times

    \(archiveTable { row in row.medianNanoseconds.map { ($0, Figures.time($0)) } })

    ## Archive: bytes

    \(archiveTable(.encode) { row in row.bytesOut.map { (Double($0), Figures.grouped($0)) } })

    ## Everything else

    \(otherTable)

    """
  }

  /// The tasks in which Keepsake has at least one rival, one in a row.
  private func archiveTable(
    _ operation: BenchmarkIdentity.Operation? = nil, _ figure: (ResultRow) -> (Double, String)?
  ) -> String {
    let subjects = subjects
    let tasks = tasks.filter { task in
      task[0].identity.suite == .archive
        && (operation == nil || task[0].identity.operation == operation)
        && task.contains { !$0.identity.subject.isOurs && !$0.identity.subject.isLimit }
    }
    let lines = tasks.map { task in
      let figures = subjects.map { subject in
        task.first { $0.identity.subject == subject && $0.identity.variant == nil }
          .flatMap(figure)
      }
      let best = figures.compactMap { $0?.0 }.min()
      let cells = figures.map { figure in
        guard let (value, text) = figure else { return "" }
        return value == best ? "**\(text)**" : text
      }
      return "| \(Self.title(of: task[0])) | \(cells.joined(separator: " | ")) |"
    }
    let names = subjects.map(\.rawValue)
    return (["| | \(names.joined(separator: " | ")) |", Self.rule(names.count + 1)] + lines)
      .joined(separator: "\n")
  }

  /// The other suites, and Keepsake's tasks without rivals, one contender in a row.
  private var otherTable: String {
    let lines = tasks.filter { $0[0].identity.suite != .archive }.flatMap { task in
      let best = TaskTable(task).best?.identity
      return task.map { row in
        let median = row.medianNanoseconds.map(Figures.time) ?? ""
        let throughput = row.bytesIn.flatMap { bytes in
          row.medianNanoseconds.map { "\(Figures.significant(Double(bytes) / $0)) GB/s" }
        }
        return
          "| \(Self.title(of: row)) | \(row.identity.contender)"
          + " | \(row.identity == best ? "**\(median)**" : median) | \(throughput ?? "") |"
      }
    }
    return (["| | | median | |", Self.rule(4)] + lines).joined(separator: "\n")
  }

  private var tasks: [[ResultRow]] {
    var names: [String] = []
    var tasks: [String: [ResultRow]] = [:]
    for row in rows {
      if tasks[row.identity.task] == nil { names.append(row.identity.task) }
      tasks[row.identity.task, default: []].append(row)
    }
    return names.compactMap { tasks[$0] }
  }

  private static func rule(_ columns: Int) -> String {
    "|" + String(repeating: "---|", count: columns)
  }

  private static func title(of row: ResultRow) -> String {
    let identity = row.identity
    var title =
      identity.suite == .archive
      ? "\(identity.workload.rawValue) \(identity.operation.rawValue)"
      : "\(identity.suite.rawValue): \(identity.workload.rawValue) \(identity.operation.rawValue)"
    if let size = identity.size { title += ", \(Figures.grouped(size))" }
    if let threads = identity.threads {
      title += ", \(threads) \(threads == 1 ? "thread" : "threads")"
    }
    return title
  }
}

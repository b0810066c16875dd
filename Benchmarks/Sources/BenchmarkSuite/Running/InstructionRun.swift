import BenchmarkHarness

/// One run that chooses benchmarks, counts their instructions, and prints, writes and compares the counts.
@MainActor
struct InstructionRun {
  let options: Options
  let machine: Machine

  /// Counts the benchmarks of these tasks; returns true when none became worse.
  ///
  /// With a baseline, only its benchmarks are counted, and none if its counts do not apply to this machine. A
  /// record contains Keepsake in its plain form, without `Codable`.
  func run(_ tasks: [[Benchmark]]) throws -> Bool {
    let place = try InstructionSubtask.place()
    let baseline = try options.baselinePath.map { try InstructionBaseline.read(fromFile: $0) }
    if let baseline, baseline.place != place {
      Output.line("Instructions are not compared with the baseline, which was counted elsewhere:")
      for sentence in place.differences(from: baseline.place) { Output.line("  \(sentence)") }
      return true
    }
    let chosen = tasks.map { task in
      task.filter { benchmark in
        if let baseline { return baseline.counts[benchmark.identity.description] != nil }
        return options.recordPath == nil
          || benchmark.identity.subject == .keepsake && benchmark.identity.variant == nil
      }
    }
    try check(
      baseline == nil || !options.filters.isEmpty
        || chosen.joined().count == baseline?.counts.count,
      "The baseline names a benchmark that is no more; make it anew with --record.")
    let rows = try count(chosen.filter { !$0.isEmpty })
    if let path = options.jsonPath { try ResultFile.write(rows, toFile: path) }
    if let path = options.recordPath {
      try InstructionBaseline(place: place, rows: rows).write(toFile: path)
    }
    guard let baseline else { return true }
    return try Run.report(baseline.compare(rows, threshold: options.threshold))
  }

  private func count(_ tasks: [[Benchmark]]) throws -> [ResultRow] {
    Output.line("\(machine)")
    Output.line(InstructionTable.legend)
    let subtask = try InstructionSubtask(extent: options.extent)
    var rows: [ResultRow] = []
    var progress = Progress(total: tasks.count)
    for task in tasks {
      guard let name = task.first?.identity.task else { continue }
      progress.begin(name)
      let counted = try subtask.rows(of: task)
      progress.clear()
      guard !counted.isEmpty else { continue }
      Output.line("\n\(name)")
      Output.line(InstructionTable.header)
      InstructionTable(counted).lines.forEach(Output.line)
      rows += counted
    }
    return rows
  }
}

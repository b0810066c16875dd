import BenchmarkHarness
import Foundation

/// One run of the suite: it chooses and measures benchmarks, and prints and writes the figures.
@MainActor
struct Run {
  let options: Options
  let machine = Machine.current(compiler: Compiler.name)

  private var harness: Harness {
    var plan = SamplingPlan(options.extent)
    if let count = options.minimumSamples {
      plan.minimumSamples = count
      plan.maximumSamples = max(plan.maximumSamples, count)
    }
    return Harness(plan: plan, countAllocations: Probe.allocations)
  }

  /// Warnings about figures like these.
  private var cautions: [String] {
    options.extent == .quick
      ? ["A quick run takes too few samples for its times to be quoted."] : []
  }

  /// Runs the suite with the options; returns true when nothing became worse.
  func run() async throws -> Bool {
    if let subtask = options.subtask {
      try await run(subtask)
      return true
    }
    let all = AllSuites.benchmarks(options.extent)
    for variant in Set(all.compactMap(\.identity.variant)) {
      try check(
        VariantGlossary.meaning(of: variant) != nil,
        "VariantGlossary does not say what (\(variant)) means.")
    }
    let tasks = Self.tasks(of: all.filter { options.includes($0.identity.description) })
    try check(
      !tasks.isEmpty,
      "No benchmark's name contains \"\(options.filters.joined(separator: "\" or \""))\"; "
        + "--list prints them all.")
    if options.lists {
      for benchmark in tasks.joined() { Output.line("\(benchmark.identity)") }
      return true
    }
    if options.countsInstructions {
      return try InstructionRun(options: options, machine: machine).run(tasks)
    }
    let baseline = try options.baselinePath.map { try ResultFile.read(fromFile: $0) }
    let (rows, failures) = try await measure(tasks)
    try write(rows)
    let nothingWorse = try baseline.map { try compare(rows, with: $0) } ?? true
    try check(failures.isEmpty, failures.joined(separator: "\n"))
    return nothingWorse
  }

  /// The rows of all tasks that could be measured, and a line for each task that could not.
  private func measure(
    _ tasks: [[Benchmark]]
  ) async throws -> (rows: [ResultRow], failures: [String]) {
    Output.line("\(machine)")
    if let warning = machine.warning { Output.line(warning) }
    cautions.forEach(Output.line)
    Output.line(TaskTable.legend)
    var rows: [ResultRow] = []
    var failures: [String] = []
    var progress = Progress(total: tasks.count)
    for task in tasks {
      guard let name = task.first?.identity.task else { continue }
      progress.begin(name)
      let measured: [ResultRow]
      do {
        measured = try await self.rows(of: task, named: name)
      } catch {
        // A long run keeps the figures of all other tasks.
        progress.clear()
        Output.line("\n\(name): \(error)")
        failures.append("\(name) could not be measured: \(error)")
        continue
      }
      progress.clear()
      Output.line("\n\(name)")
      let table = TaskTable(measured)
      Output.line(table.header)
      table.lines.forEach(Output.line)
      rows += measured
    }
    let fits = GrowthFit.fits(through: rows)
    if !fits.isEmpty {
      Output.line(
        "\nGrowth: the exponent of the time over the size; 1 is proportional, 0 constant.")
      for fit in fits { Output.line("  \(fit)") }
    }
    return (rows, failures)
  }

  private func rows(of task: [Benchmark], named name: String) async throws -> [ResultRow] {
    var rows =
      task.allSatisfy(\.isBoundToOneCore)
      ? try BoundTaskSubtask.rows(of: name, options) : try await harness.measure(task)
    if options.measuresMemory, options.extent != .quick {
      try MemorySubtask(extent: options.extent).complete(&rows, of: task)
    }
    return rows
  }

  private func write(_ rows: [ResultRow]) throws {
    if let path = options.jsonPath { try ResultFile.write(rows, toFile: path) }
    if let path = options.recordPath {
      try ResultFile.write(BaselineComparison.record(of: rows), toFile: path)
    }
    if let path = options.htmlPath {
      let page = ReportPage(machine: machine, rows: rows, cautions: cautions).html
      try Data(page.utf8).write(to: URL(filePath: path))
    }
    if let path = options.markdownPath {
      let page = ResultsDigest(machine: machine, rows: rows, cautions: cautions).markdown
      try Data(page.utf8).write(to: URL(filePath: path))
    }
    if let directory = options.chartDirectory {
      let url = URL(filePath: directory)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      for figure in ReportCharts(rows).figures {
        let footer = ([machine.description] + cautions).joined(separator: ". ")
        let file = figure.canvas(footer: footer).file(label: figure.title)
        try Data(file.utf8).write(to: url.appending(path: "\(figure.name).svg"))
      }
    }
  }

  private func compare(_ rows: [ResultRow], with baseline: [ResultRow]) throws -> Bool {
    let comparison = BaselineComparison(
      threshold: options.threshold, comparesTimes: options.comparesTimes)
    return try Self.report(comparison.compare(rows, with: baseline))
  }

  /// Prints the differences from a baseline; returns true when nothing became worse.
  static func report(_ outcome: BaselineComparison.Outcome) throws -> Bool {
    try check(outcome.comparedRows > 0, "The baseline has none of the benchmarks that ran.")
    Output.line("\nAgainst the baseline, \(outcome.comparedRows) rows of Keepsake:")
    for sentence in outcome.improvements { Output.line("  better: \(sentence)") }
    for sentence in outcome.regressions { Output.line("  WORSE: \(sentence)") }
    if outcome.regressions.isEmpty { Output.line("  Nothing is worse.") }
    return outcome.regressions.isEmpty
  }

  private func run(_ subtask: Options.Subtask) async throws {
    let all = AllSuites.benchmarks(options.extent)
    switch subtask {
    case .memory(let name): try await MemorySubtask.run(benchmark(named: name, of: all))
    case .instructions(let name): try await InstructionSubtask.run(benchmark(named: name, of: all))
    case .boundTask(let name):
      try BoundTaskSubtask.bind()
      try await BoundTaskSubtask.run(all.filter { $0.identity.task == name }, with: harness)
    case .sealFile(let arguments):
      try SealSubtask.run(arguments)
    }
  }

  private func benchmark(named name: String, of all: [Benchmark]) throws -> Benchmark {
    let chosen = all.first { $0.identity.description == name }
    guard let chosen else { throw CheckFailure(description: "There is no benchmark \(name).") }
    return chosen
  }

  /// The benchmarks, grouped by task.
  static func tasks(of all: [Benchmark]) -> [[Benchmark]] {
    var names: [String] = []
    var tasks: [String: [Benchmark]] = [:]
    for benchmark in all {
      if tasks[benchmark.identity.task] == nil { names.append(benchmark.identity.task) }
      tasks[benchmark.identity.task, default: []].append(benchmark)
    }
    return names.compactMap { tasks[$0] }
  }
}

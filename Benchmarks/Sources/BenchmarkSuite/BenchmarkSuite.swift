import Foundation

/// Runs the suites that the arguments ask for, and prints a table.
@main
struct BenchmarkSuite {
  static let suites: [Suite] = [.log, .migration, .seal]

  static func main() {
    do {
      try run(Options(Array(CommandLine.arguments.dropFirst())))
    } catch {
      FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ options: Options) throws {
    var report = Report()
    if !options.lists {
      print(report.machine)
      print(Report.header)
    }
    for suite in suites where suite.mayMatch(options.filter) {
      let chosen = try suite.make().filter {
        options.filter.isEmpty || $0.name.contains(options.filter)
      }
      if options.lists {
        chosen.forEach { print($0.name) }
        continue
      }
      for contenders in chosen.groupedByTask() {
        let measurements = try Harness(rounds: options.rounds).measure(contenders)
        measurements.forEach { print(Report.line($0)) }
        report.add(measurements)
      }
    }
    if let path = options.jsonPath, !options.lists { try report.write(toFile: path) }
  }
}

extension Suite {
  /// False when a filter names another suite, so that this one's workload need not be made.
  fileprivate func mayMatch(_ filter: String) -> Bool {
    let others = BenchmarkSuite.suites.map(\.name).filter { $0 != name }
    return !others.contains { filter.hasPrefix($0 + "/") || filter == $0 }
  }
}

extension [Benchmark] {
  /// The contenders of each task, in the order of the tasks' first appearance.
  fileprivate func groupedByTask() -> [[Benchmark]] {
    var tasks: [Substring] = []
    for benchmark in self where !tasks.contains(benchmark.task) { tasks.append(benchmark.task) }
    return tasks.map { task in filter { $0.task == task } }
  }
}

import Foundation
import Synchronization

/// The mutants that each suite reaches, and the time that the suite takes without an active mutant.
struct Recording {
  struct Entry {
    let suite: TestProgram.Suite
    let seconds: Double
    let reached: Set<Int>
  }

  private(set) var entries: [Entry] = []
  /// Suites that fail without a mutant, and their errors; these suites are not used.
  private(set) var failing: [TestProgram.Suite: String] = [:]

  /// Runs each new suite by itself.
  mutating func add(
    _ suites: [TestProgram.Suite], of program: TestProgram, mostMutants: Int, jobs: Int,
    scratch: URL
  ) throws {
    let known = Set(entries.map(\.suite)).union(failing.keys)
    let suites = suites.filter { !known.contains($0) }
    let results = Mutex<[(Entry, String?)]>([])
    try inParallel(suites, jobs: jobs) { suite in
      let file = scratch.appendingPathComponent("reached-\(UUID().uuidString.prefix(8))")
      try Data(count: mostMutants + 1).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      let outcome = try program.run(
        [suite], environment: [SwitchFile.reachedVariable: file.path], limit: 600)
      let reached = try Data(contentsOf: file).enumerated().filter { $0.element == 1 }.map(\.offset)
      let problem: String? =
        outcome.end == .exit(0) ? nil : outcome.failure ?? "\(outcome.end)"
      let entry = Entry(suite: suite, seconds: outcome.seconds, reached: Set(reached))
      results.withLock { $0.append((entry, problem)) }
    }
    for (entry, problem) in results.withLock({ $0 }) {
      if let problem { failing[entry.suite] = problem } else { entries.append(entry) }
    }
    entries.sort { $0.seconds < $1.seconds }
  }

  /// The suites of some targets that reach a mutant, in groups that each run in one process, the quick ones first.
  func groups(reaching number: Int, of targets: Set<String>) -> [[Entry]] {
    var groups: [[Entry]] = [[], [], []]
    for entry in entries
    where entry.reached.contains(number) && targets.contains(entry.suite.target) {
      groups[entry.seconds < 0.5 ? 0 : entry.seconds < 4 ? 1 : 2].append(entry)
    }
    return groups.filter { !$0.isEmpty }
  }
}

/// Calls a function for each element, a few at a time, and throws the first error.
func inParallel<T: Sendable>(
  _ elements: [T], jobs: Int, _ body: @escaping @Sendable (T) throws -> Void
) throws {
  let next = Mutex(0)
  let failure = Mutex<(any Error)?>(nil)
  DispatchQueue.concurrentPerform(iterations: jobs) { _ in
    while true {
      let index = next.withLock { value in
        defer { value += 1 }
        return value
      }
      guard index < elements.count, failure.withLock({ $0 }) == nil else { return }
      do {
        try body(elements[index])
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
    }
  }
  if let error = failure.withLock({ $0 }) { throw error }
}

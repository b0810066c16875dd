import Foundation
import Synchronization

/// One run of the tool: from a package to a report.
struct MutationRun {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let root: URL
  let scratch: URL
  /// Names of modules, and paths of files and folders from the root.
  var places: [String] = []
  var count = 100
  var seed: UInt64 = 1
  var since: String?
  var jobs = 2
  /// Test targets that are not run.
  var leftOutTests: Set<String> = []
  var runsTestsAbove = true
  var equivalents = ""
  var patience = 20.0
  /// In KiB of address space.
  var memoryLimit = 8 << 20
  var say: @Sendable (String) -> Void = { FileHandle.standardOutput.write(Data(($0 + "\n").utf8)) }

  func run() throws -> Report {
    let copy = PackageCopy(original: root, root: scratch.appendingPathComponent("copy"))
    try copy.refresh()
    let package = try describe(copy)
    var report = Report()
    let candidates = try findCandidates(in: package, report: &report)
    // Some will not compile: a few more are written than are asked for.
    let chosen = choose(count + count / 2 + 3, of: candidates)
    var mutants = Dictionary(uniqueKeysWithValues: zip(1..., chosen))
    let modules = package.targets.filter { target in
      chosen.contains { target.sourcePaths.contains($0.path) }
    }
    say("\(candidates.count) possible mutants, \(chosen.count) written into the copy")

    var survivors: Set<Int> = []
    for stage in stages(of: package, modules: modules) where !mutants.isEmpty {
      let builder = Builder(
        copy: copy, log: scratch.appendingPathComponent("build.log"), jobs: jobs)
      let start = ContinuousClock.now
      let dropped = try builder.build(
        targets: package.closure(of: stage.union(modules.map(\.name))), modules: modules,
        mutants: &mutants, progress: say)
      report.notCompiled += dropped.count
      // In the order of the shuffle, so that what does not compile changes no other choice.
      mutants = mutants.filter { mutants.keys.sorted().prefix(count).contains($0.key) }
      let program = TestProgram(copy: copy, package: package.name, memoryLimit: memoryLimit)
      let built = ContinuousClock.now
      let recording = try Recording(
        program: program, suites: try program.suites(of: stage), mostMutants: chosen.count,
        jobs: jobs, scratch: scratch)
      guard !recording.entries.isEmpty else {
        throw Failure(
          description: "No suite of \(stage.sorted().joined(separator: ", ")) passes without a "
            + "mutant: \(recording.failing.joined(separator: "; "))")
      }
      for suite in recording.failing {
        say("not used, because it fails without a mutant: \(suite)")
      }
      say(
        "\(stage.sorted().joined(separator: ", ")): built in \(Self.seconds(from: start, to: built)) s, "
          + "\(recording.entries.count) suites measured in \(Self.seconds(from: built)) s")
      let verdicts = try tryAll(
        mutants, in: Trial(program: program, recording: recording, patience: patience))
      for (number, verdict) in verdicts.sorted(by: { $0.key < $1.key }) {
        if verdict.isNoticed, let mutant = mutants.removeValue(forKey: number) {
          report.lines.append(.init(mutant: mutant, verdict: verdict))
        } else if verdict == .survived {
          survivors.insert(number)
        }
      }
      say("tried in \(Self.seconds(from: built)) s")
    }
    for (number, mutant) in mutants.sorted(by: { $0.key < $1.key }) {
      report.lines.append(
        .init(mutant: mutant, verdict: survivors.contains(number) ? .survived : .notRun))
    }
    return report
  }

  // MARK: Parts of a run

  private func describe(_ copy: PackageCopy) throws -> DescribedPackage {
    var output: [String] = []
    let end = try ChildProcess(
      command: ["swift", "package", "describe", "--type", "json"], directory: copy.root
    ).run { line in
      output.append(line)
      return true
    }
    // Warnings stand before it.
    guard end == .exit(0), let start = output.firstIndex(of: "{") else {
      throw Failure(
        description: "The package cannot be described: \(output.joined(separator: "\n"))")
    }
    let json = Data(output[start...].joined(separator: "\n").utf8)
    return try JSONDecoder().decode(DescribedPackage.self, from: json)
  }

  /// The mutants that may be chosen; equivalent ones go into the report at once.
  private func findCandidates(
    in package: DescribedPackage, report: inout Report
  ) throws -> [Mutant] {
    let sources = package.targets.filter { !$0.isTest }.flatMap { target in
      target.sourcePaths.map { (module: target.name, path: $0) }
    }
    let changed = try since.map { try ChangedLines.since($0, in: root) }
    var paths: Set<String> = []
    for place in places {
      let folder = place.hasSuffix("/") ? place : place + "/"
      let found = sources.filter {
        $0.module == place || $0.path == place || $0.path.hasPrefix(folder)
      }
      guard !found.isEmpty else {
        throw Failure(
          description: "\(place) is no module, no source file and no folder of sources.")
      }
      paths.formUnion(found.map(\.path))
    }
    if places.isEmpty { paths = Set(sources.map(\.path)) }
    if let changed { paths.formIntersection(changed.keys) }

    let list = try EquivalentList(equivalents)
    var all: [Mutant] = []
    for path in paths.sorted() {
      let source = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
      all += MutantFinder.mutants(of: source, at: path)
    }
    for block in list.stale(among: all, paths: paths) {
      say("in the list of equivalent mutants, but nowhere in the sources: \(block)")
    }
    if let changed { all = all.filter { changed[$0.path]?.contains($0.line) == true } }
    var candidates: [Mutant] = []
    for mutant in all {
      if let reason = list.reason(for: mutant) {
        report.lines.append(.init(mutant: mutant, verdict: .equivalent(reason: reason)))
      } else {
        candidates.append(mutant)
      }
    }
    return candidates
  }

  /// Takes one mutant of each kind in turn, so that the many constants do not crowd out the few
  /// flags and calls whose order matters.
  func choose(_ most: Int, of candidates: [Mutant]) -> [Mutant] {
    var generator = SeededGenerator(seed: seed)
    var waiting = MutantKind.allCases.map { kind in
      candidates.filter { $0.kind == kind }.shuffled(using: &generator)
    }
    var chosen: [Mutant] = []
    while chosen.count < most, waiting.contains(where: { !$0.isEmpty }) {
      for kind in waiting.indices where chosen.count < most {
        while let mutant = waiting[kind].popLast() {
          if chosen.allSatisfy({ Instrumenter.canCoexist($0, mutant) }) {
            chosen.append(mutant)
            break
          }
        }
      }
    }
    return chosen
  }

  /// The tests of the modules themselves, then those above them.
  private func stages(
    of package: DescribedPackage, modules: [DescribedPackage.Target]
  ) -> [Set<String>] {
    let names = modules.map(\.name)
    let own = Set(names.flatMap(package.ownTests)).subtracting(leftOutTests)
    let above = Set(names.flatMap(package.allTests)).subtracting(own).subtracting(leftOutTests)
    return (runsTestsAbove ? [own, above] : [own]).filter { !$0.isEmpty }
  }

  /// Tries each mutant until a test notices it.
  private func tryAll(_ mutants: [Int: Mutant], in trial: Trial) throws -> [Int: Verdict] {
    let verdicts = Mutex<[Int: Verdict]>([:])
    let say = say
    try inParallel(mutants.keys.sorted(), jobs: jobs) { number in
      let verdict = try trial.verdict(ofMutant: number)
      verdicts.withLock { $0[number] = verdict }
      if verdict.isNoticed, let mutant = mutants[number] {
        say(Report.text(of: .init(mutant: mutant, verdict: verdict)))
      }
    }
    return verdicts.withLock { $0 }
  }

  private static func seconds(
    from start: ContinuousClock.Instant, to end: ContinuousClock.Instant = .now
  ) -> Int64 {
    start.duration(to: end).components.seconds
  }
}

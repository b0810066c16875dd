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
  /// How many mutants are tried in each of the places.
  var count = 100
  var seed: UInt64 = 1
  var since: String?
  var jobs = 2
  /// Test targets that are not run.
  var leftOutTests: Set<String> = []
  var runsTestsAbove = true
  var equivalents = ""
  var patience = 20
  /// In KiB of address space.
  var memoryLimit = 8 << 20
  var say: @Sendable (String) -> Void = { FileHandle.standardOutput.write(Data(($0 + "\n").utf8)) }

  func run() throws -> Report {
    let copy = PackageCopy(original: root, root: scratch.appendingPathComponent("copy"))
    try copy.refresh()
    let package = try describe(copy)
    var report = Report()
    let list = try EquivalentList(equivalents)
    let candidates = try findCandidates(in: package, list: list)
    // Some will not compile: a few more are written than are asked for.
    let groups = candidates.map { choose(count + count / 2 + 3, of: $0) }
    let chosen = groups.flatMap(\.self)
    let numbered = Dictionary(uniqueKeysWithValues: zip(1..., chosen))
    var excused = numbered.compactMapValues(list.reason)
    var mutants = numbered.filter { excused[$0.key] == nil }
    let modules = package.targets.filter { target in
      chosen.contains { target.sourcePaths.contains($0.path) }
    }
    say(
      "\(candidates.joined().count) possible mutants, \(chosen.count) written into the copy")

    var survivors: Set<Int> = []
    for stage in stages(of: package, modules: modules) where !mutants.isEmpty {
      let builder = Builder(
        copy: copy, log: scratch.appendingPathComponent("build.log"),
        known: KnownFailures(file: scratch.appendingPathComponent("not-compiled.txt")), jobs: jobs)
      let start = ContinuousClock.now
      let dropped = try builder.build(
        targets: package.closure(of: stage.union(modules.map(\.name))), modules: modules,
        mutants: &mutants, progress: say)
      report.notCompiled += dropped.count
      // In the order of the shuffle, so that what does not compile changes no other choice.
      var first = 1
      for group in groups {
        let numbers = first..<first + group.count
        for number in numbers.filter({ mutants[$0] != nil || excused[$0] != nil }).dropFirst(count)
        {
          mutants[number] = nil
          excused[number] = nil
        }
        first += group.count
      }
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
    for (number, reason) in excused.sorted(by: { $0.key < $1.key }) {
      report.lines.append(.init(mutant: chosen[number - 1], verdict: .equivalent(reason: reason)))
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

  /// The mutants of each place that may be chosen.
  private func findCandidates(
    in package: DescribedPackage, list: EquivalentList
  ) throws -> [[Mutant]] {
    let sources = package.targets.filter { !$0.isTest }.flatMap { target in
      target.sourcePaths.map { (module: target.name, path: $0) }
    }
    let changed = try since.map { try ChangedLines.since($0, in: root) }
    var paths: [[String]] = []
    for place in places {
      let folder = place.hasSuffix("/") ? place : place + "/"
      // What two places share belongs to the first.
      let found = sources.filter {
        $0.module == place || $0.path == place || $0.path.hasPrefix(folder)
      }.map(\.path)
      guard !found.isEmpty else {
        throw Failure(
          description: "\(place) is no module, no source file and no folder of sources.")
      }
      paths.append(found.filter { path in !paths.contains { $0.contains(path) } })
    }
    if places.isEmpty { paths = [sources.map(\.path)] }
    return try paths.map { paths in
      try findCandidates(
        at: paths.filter { changed?.keys.contains($0) ?? true }.sorted(), changed: changed,
        list: list)
    }
  }

  private func findCandidates(
    at paths: [String], changed: [String: Set<Int>]?, list: EquivalentList
  ) throws -> [Mutant] {
    let mutants = try paths.flatMap { path in
      let source = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
      return MutantFinder.mutants(of: source, at: path)
    }
    for block in list.stale(among: mutants, paths: Set(paths)) {
      say("in the list of equivalent mutants, but nowhere in the sources: \(block)")
    }
    guard let changed else { return mutants }
    return mutants.filter { changed[$0.path]?.contains($0.line) == true }
  }

  /// Takes one mutant of each kind in turn, so that the many constants do not crowd out the few
  /// flags and calls whose order matters.
  func choose(_ most: Int, of candidates: [Mutant]) -> [Mutant] {
    let sorted = SeededOrder(seed: seed).sorted(candidates)
    var waiting = MutantKind.allCases.map { kind in sorted.filter { $0.kind == kind } }
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

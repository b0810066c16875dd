import Foundation
import Synchronization

/// One run of the tool: from a package to a report.
struct MutationRun {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let root: URL
  let scratch: URL
  /// The places: names of modules, and paths of files and folders from the root.
  var places: [String] = []
  /// The number of mutants that are tried in each of the places.
  var count = 100
  /// Each seed chooses its own mutants, and has its own report.
  var seeds: [UInt64] = [1]
  var kinds = Set(MutantKind.allCases)
  /// True when the run skips mutants that tests noticed in an earlier run.
  var resumes = false
  var since: String?
  var jobs = 2
  /// Test targets that are not run.
  var leftOutTests: Set<String> = []
  var runsTestsAbove = true
  var equivalents = ""
  var patience = 20
  /// The limit of address space, in KiB.
  var memoryLimit = 8 << 20
  var say: @Sendable (String) -> Void = { FileHandle.standardOutput.write(Data(($0 + "\n").utf8)) }

  func run() throws -> [Report] {
    let copy = PackageCopy(original: root, root: scratch.appendingPathComponent("copy"))
    try copy.refresh()
    let package = try describe(copy)
    let list = try EquivalentList(equivalents)
    let candidates = try findCandidates(in: package, list: list)
    var choice = Choice()
    // Some will not compile, so a few more are written than are wanted.
    for seed in seeds {
      for place in candidates {
        choice.add(count + count / 2 + 3, of: place, seed: seed)
      }
    }
    let chosen = choice.mutants
    // All mutants are written, so that a new noticed or listed mutant does not cause another build.
    var mutants = Dictionary(uniqueKeysWithValues: zip(1..., chosen))
    let noticed = NoticedMutants(file: scratch.appendingPathComponent("noticed.txt"))
    if !resumes { try noticed.forget() }
    var verdicts = try noticed.verdicts(of: mutants)
    for (number, mutant) in mutants {
      if let reason = list.reason(for: mutant) { verdicts[number] = .equivalent(reason: reason) }
    }
    let modules = package.targets.filter { target in
      chosen.contains { target.sourcePaths.contains($0.path) }
    }
    say("\(candidates.joined().count) possible mutants, \(chosen.count) written into the copy")

    var notCompiled: Set<Int> = []
    var recording = Recording()
    for stage in stages(of: package, modules: modules) {
      let builder = Builder(
        copy: copy, log: scratch.appendingPathComponent("build.log"),
        known: KnownFailures(file: scratch.appendingPathComponent("not-compiled.txt")), jobs: jobs)
      let start = ContinuousClock.now
      notCompiled.formUnion(
        try builder.build(
          targets: package.closure(of: stage.targets.union(modules.map(\.name))), modules: modules,
          mutants: &mutants, progress: say))
      let waiting = Set(choice.wanted(count, without: notCompiled)).filter { number in
        verdicts[number].map { $0 == .survived || $0 == .notRun } ?? true
      }
      if waiting.isEmpty { break }
      let program = TestProgram(copy: copy, package: package.name, memoryLimit: memoryLimit)
      let built = ContinuousClock.now
      try recording.add(
        program.suites(of: stage.targets), of: program, mostMutants: chosen.count, jobs: jobs,
        scratch: scratch)
      guard !recording.entries.isEmpty else {
        throw Failure(
          description:
            "No suite of \(stage.targets.sorted().joined(separator: ", ")) passes without "
            + "a mutant: \(recording.failing)")
      }
      for (suite, problem) in recording.failing {
        say("not used, because it fails without a mutant: \(suite.name): \(problem)")
      }
      say(
        "\(stage.targets.sorted().joined(separator: ", ")): built in "
          + "\(Self.seconds(from: start, to: built)) s, "
          + "\(recording.entries.count) suites measured in \(Self.seconds(from: built)) s")
      let trial = Trial(program: program, recording: recording, patience: patience)
      let found = try tryAll(mutants.filter { waiting.contains($0.key) }, noting: noticed) {
        number, mutant in
        let module = modules.first { $0.sourcePaths.contains(mutant.path) }
        return try trial.verdict(
          ofMutant: number, byTestsOf: stage.tests[module?.name ?? ""] ?? [])
      }
      // A mutant that one stage reached keeps its verdict if the next stage does not reach it.
      verdicts.merge(found) { $1 == .notRun ? $0 : $1 }
      say("tried in \(Self.seconds(from: built)) s")
    }
    return seeds.map { seed in
      var report = Report(seed: seed)
      report.lines = choice.wanted(count, of: seed, without: notCompiled).map { number in
        .init(number: number, mutant: chosen[number - 1], verdict: verdicts[number] ?? .notRun)
      }
      report.notCompiled = choice.numbers(of: seed).count { notCompiled.contains($0) }
      return report
    }
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
    // Warnings are printed before the JSON.
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
    let all = try findMutants(in: sources.map(\.path).sorted())
    for block in list.stale(among: all) {
      say("in the list of equivalent mutants, but nowhere in the sources: \(block)")
    }
    let changed = try since.map { try ChangedLines.since($0, in: root) }
    var paths: [[String]] = []
    for place in places {
      let folder = place.hasSuffix("/") ? place : place + "/"
      // A file that two places share belongs to the first one.
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
    return paths.map { paths in
      let paths = Set(paths)
      return all.filter { mutant in
        kinds.contains(mutant.kind) && paths.contains(mutant.path)
          && changed.map { $0[mutant.path]?.contains(mutant.line) == true } ?? true
      }
    }
  }

  /// The mutants of all files: mutants of calls depend on declarations in other files, and a block of the list may be
  /// about any of them.
  private func findMutants(in paths: [String]) throws -> [Mutant] {
    let files = try paths.map { path in
      SourceFile(
        path: path,
        text: try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8))
    }
    let signatures = Signatures(of: files)
    return EquivalentList.numberingTwins(
      of: files.flatMap { MutantFinder.mutants(of: $0, signatures) })
  }

  /// The targets whose tests try the mutants of each module at one time.
  private struct Stage {
    let tests: [String: Set<String>]
    var targets: Set<String> { tests.values.reduce(into: []) { $0.formUnion($1) } }
  }

  /// The tests of the modules themselves, then those of modules above them.
  private func stages(
    of package: DescribedPackage, modules: [DescribedPackage.Target]
  ) -> [Stage] {
    var (own, above): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
    for name in modules.map(\.name) {
      own[name] = package.ownTests(of: name).subtracting(leftOutTests)
      above[name] = package.allTests(of: name).subtracting(leftOutTests)
        .subtracting(package.ownTests(of: name))
    }
    return (runsTestsAbove ? [Stage(tests: own), Stage(tests: above)] : [Stage(tests: own)])
      .filter { !$0.targets.isEmpty }
  }

  /// Tries each mutant, and prints its verdict at once.
  private func tryAll(
    _ mutants: [Int: Mutant], noting noticed: NoticedMutants,
    _ verdict: @escaping @Sendable (Int, Mutant) throws -> Verdict
  ) throws -> [Int: Verdict] {
    let verdicts = Mutex<[Int: Verdict]>([:])
    let say = say
    try inParallel(mutants.keys.sorted(), jobs: jobs) { number in
      guard let mutant = mutants[number] else { return }
      let verdict = try verdict(number, mutant)
      try verdicts.withLock {
        $0[number] = verdict
        if verdict.isNoticed { try noticed.add(verdict, for: mutant) }
      }
      say(Report.text(of: .init(number: number, mutant: mutant, verdict: verdict)))
    }
    return verdicts.withLock { $0 }
  }

  private static func seconds(
    from start: ContinuousClock.Instant, to end: ContinuousClock.Instant = .now
  ) -> Int64 {
    start.duration(to: end).components.seconds
  }
}

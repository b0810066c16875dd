import ArgumentParser
import Foundation

/// The command line of the tool.
@main struct Mutate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Changes the sources in many small ways and tells which changes no test notices.",
    discussion: """
      Works on a copy: all mutants are compiled into it at once, and each process of tests runs one \
      of them. The tests of the module run first, then those of what is built on it, only those \
      that reach the changed place, until one fails.
      """)

  @Argument(help: "Modules, files or folders below the root of the package; all when left out.")
  var places: [String] = []

  @Option(help: "How many mutants are tried in each place, or in all when none is named.")
  var count = 100

  @Option(
    help:
      "Chooses the mutants: the same for the same seed and sources. May be repeated: a table for each."
  )
  var seed: [UInt64] = [1]

  @Option(
    help: ArgumentHelp(
      "Only mutants of a kind, such as order; may be repeated.", valueName: "kind"))
  var kind: [MutantKind] = []

  @Flag(help: "Take for noticed what an earlier run of the same folder saw noticed.")
  var resume = false

  @Option(help: "Only lines that this commit does not have.")
  var since: String?

  @Option(help: "The root of the package.")
  var package = "."

  @Option(help: "A folder for the copy and its build.")
  var scratch: String

  @Option(help: "The list of equivalent mutants.")
  var equivalent: String

  @Option(help: "A test target that is not run; may be repeated.")
  var without: [String] = []

  @Flag(help: "Run only the tests of the module itself.")
  var ownTestsOnly = false

  @Option(help: "How many mutants run side by side.")
  var jobs = 2

  @Option(help: "Fail when fewer than this share of the mutants is noticed, in percent.")
  var atLeast: Double?

  func validate() throws {
    guard count > 0, jobs > 0 else {
      throw ValidationError("--count and --jobs must be at least 1.")
    }
  }

  func run() throws {
    let root = URL(fileURLWithPath: package).standardizedFileURL
    let scratch = URL(fileURLWithPath: scratch).standardizedFileURL
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    let start = ContinuousClock.now
    var run = MutationRun(root: root, scratch: scratch)
    run.places = places
    run.count = count
    run.seeds = seed
    if !kind.isEmpty { run.kinds = Set(kind) }
    run.resumes = resume
    run.since = since
    run.jobs = jobs
    run.leftOutTests = Set(without)
    run.runsTestsAbove = !ownTestsOnly
    run.equivalents = try String(contentsOfFile: equivalent, encoding: .utf8)
    let reports = try run.run()
    for report in reports {
      if !report.survivors.isEmpty {
        run.say(
          "\nNo test noticed these. Each is a test to be written, or a block for \(equivalent):\n")
        run.say(report.survivors)
      }
      run.say(
        "\nseed \(report.seed), \(report.notCompiled) more did not compile\n\n\(report.table)")
    }
    run.say("\n\(start.duration(to: .now).components.seconds) s")
    if let atLeast, reports.contains(where: { $0.noticedShare < atLeast }) { throw ExitCode(1) }
  }
}

extension MutantKind: ExpressibleByArgument {}

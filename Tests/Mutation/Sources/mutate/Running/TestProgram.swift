import Foundation

/// The program of all tests of a copy, run one part at a time.
struct TestProgram {
  /// The tests that are run and measured as one.
  struct Suite: Hashable {
    /// The name of the suite, such as ``KeepsakeSealTests.`A key file` ``.
    let name: String

    var target: String { String(name.prefix { $0 != "." }) }

    /// The filter that selects only this suite.
    var filter: String {
      "^" + NSRegularExpression.escapedPattern(for: name) + #"(/|\(|$)"#
    }
  }

  struct Outcome {
    let end: ChildProcess.End
    /// The first test that failed, with its file and line.
    let failure: String?
    /// The processor time, which other programs change little.
    let seconds: Double
  }

  let executable: URL
  let directory: URL
  /// The limit of address space, in KiB.
  let memoryLimit: Int

  init(copy: PackageCopy, package: String, memoryLimit: Int) {
    executable = copy.root.appendingPathComponent(".build/debug/\(package)PackageTests.xctest")
    directory = copy.root
    self.memoryLimit = memoryLimit
  }

  private func command(_ arguments: [String]) -> [String] {
    [executable.path, "--testing-library", "swift-testing"] + arguments
  }

  /// The suites of some targets.
  func suites(of targets: Set<String>) throws -> [Suite] {
    var suites: Set<Suite> = []
    let list = ChildProcess(command: command(["--list-tests"]), directory: directory)
    _ = try list.run { line in
      let suite = Suite(name: Self.suiteName(ofTest: line))
      if targets.contains(suite.target) { suites.insert(suite) }
      return true
    }
    return suites.sorted { $0.name < $1.name }
  }

  /// The part of a test's name before the first slash outside backticks.
  static func suiteName(ofTest line: String) -> String {
    var isQuoted = false
    for (index, character) in zip(line.indices, line) {
      if character == "`" { isQuoted.toggle() }
      if character == "/", !isQuoted { return String(line[..<index]) }
    }
    return line
  }

  /// Runs suites until the first failure, or until they have used `limit` seconds of a processor or were idle for as
  /// many seconds.
  func run(
    _ suites: [Suite], environment: [String: String], limit: Int, stopsAtFailure: Bool = true
  ) throws -> Outcome {
    // The files of a killed test are removed with this folder.
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("mutation-\(UUID().uuidString.prefix(8))", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      ProcessGroup.endAll(with: "TMPDIR", of: folder.path)
      try? FileManager.default.removeItem(at: folder)
    }
    var failure: String?
    var process = ChildProcess(
      command: command(suites.flatMap { ["--filter", $0.filter] }), directory: directory,
      environment: environment.merging(["TMPDIR": folder.path]) { $1 }, memoryLimit: memoryLimit)
    process.processorLimit = limit
    process.idleLimit = limit
    // This ends a process that only waits again and again, even on a busy machine.
    process.timeLimit = 30 * Double(limit)
    let (end, seconds) = try process.measure { line in
      guard failure == nil, let found = Self.failure(in: line) else { return true }
      failure = found
      return !stopsAtFailure
    }
    return Outcome(end: end, failure: failure, seconds: seconds)
  }

  /// The name of the test that failed according to a line.
  static func failure(in line: String) -> String? {
    let plain = line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    guard let match = plain.firstMatch(of: /^\S+\s+(?:Test|Suite) (.+?) recorded an issue/) else {
      return nil
    }
    let place = plain.firstMatch(of: /\sat ([^ ]+\.swift:\d+)/).map { " (\($0.output.1))" } ?? ""
    return String(match.output.1) + place
  }
}

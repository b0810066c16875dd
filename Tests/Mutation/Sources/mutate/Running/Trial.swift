import Foundation

/// The result of trying a mutant.
enum Verdict: Equatable, Sendable {
  case killed(by: String)
  case timedOut
  case crashed(signal: Int32)
  case survived
  /// No test reaches its place.
  case notRun
  case equivalent(reason: String)

  var isNoticed: Bool {
    switch self {
    case .killed, .timedOut, .crashed: true
    case .survived, .notRun, .equivalent: false
    }
  }

  /// The detail of a verdict of a noticed mutant.
  var detail: String {
    switch self {
    case .killed(let test): test
    case .crashed(let signal): String(signal)
    case .timedOut, .survived, .notRun, .equivalent: ""
    }
  }

  /// The verdict of a noticed mutant, from its word and its detail.
  init?(word: String, detail: String) {
    switch word {
    case "killed": self = .killed(by: detail)
    case "timeout": self = .timedOut
    case "crash": self = .crashed(signal: Int32(detail) ?? 0)
    default: return nil
    }
  }

  /// The verdict as one word, for the table.
  var word: String {
    switch self {
    case .killed: "killed"
    case .timedOut: "timeout"
    case .crashed: "crash"
    case .survived: "SURVIVED"
    case .notRun: "NOT RUN"
    case .equivalent: "equivalent"
    }
  }
}

/// Runs tests against one mutant until one of them notices it.
struct Trial {
  let program: TestProgram
  let recording: Recording
  /// The seconds of a processor that tests may use beyond ten times their usual time.
  let patience: Int

  func verdict(ofMutant number: Int, byTestsOf targets: Set<String>) throws -> Verdict {
    let groups = recording.groups(reaching: number, of: targets)
    for group in groups {
      let usual = group.reduce(0) { $0 + $1.seconds }.rounded(.up)
      let outcome = try program.run(
        group.map(\.suite), environment: [SwitchFile.activeVariable: String(number)],
        limit: patience + 10 * Int(usual))
      if let failure = outcome.failure { return .killed(by: failure) }
      switch outcome.end {
      case .exit(0): continue
      case .timeLimit: return .timedOut
      case .signal(let signal): return .crashed(signal: signal)
      case .exit(let code): return .killed(by: "a process that ended with \(code)")
      case .stopped: return .killed(by: "a test")
      }
    }
    return groups.isEmpty ? .notRun : .survived
  }
}

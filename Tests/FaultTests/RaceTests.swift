import Foundation
import Testing

extension FaultSuite {
  /// Spec/replacement.md, section 6, and Spec/state.md: no acknowledged change is lost, every file can still
  /// be opened, and no stray file is left.
  @Suite struct `Two processes that write` {
    /// The counts and violations of the runs of a race.
    private struct Outcome {
      var counts: [String: Int] = [:]
      var violations: [String] = []
    }

    /// Stops the first process at the calls of these offsets, until it makes fewer calls or one violation
    /// suffices.
    private func run(
      _ race: Race, at offsets: StrideTo<Int>, oneSuffices: Bool = false
    ) throws -> Outcome {
      let stage = try RaceStage(race)
      let allowed = try stage.allowed()
      var outcome = Outcome()
      for offset in offsets {
        guard let (result, place) = try stage.result(stoppingAt: 1 + offset) else { break }
        let ending = result.ending
        let key = "\(ending.stopped ? "done" : "refused") and \(ending.other ? "done" : "refused")"
        outcome.counts[key, default: 0] += 1
        if !allowed.contains(result) {
          let expected = allowed.filter { $0.ending == ending }.map(\.content)
          outcome.violations.append(
            "\(place)\nfound:\n  \(result.content.joined(separator: "\n  "))\n"
              + "allowed for this ending:\n  "
              + expected.map { $0.joined(separator: "\n  ") }.joined(separator: "\nor\n  "))
        }
        if oneSuffices, !outcome.violations.isEmpty { break }
      }
      return outcome
    }

    @Test(.needs(.strace, .compiler), arguments: Race.all + Race.withoutExchange)
    func `Two simultaneous processes have the result of one after the other`(race: Race) throws {
      let all = Race.all + Race.withoutExchange
      let index = all.firstIndex { $0.testDescription == race.testDescription }
      let outcome = try run(race, at: FaultSettings.offsets(count: .max, of: index))
      var ledger = Ledger("\(race.testDescription), at system calls of the first")
      for (key, count) in outcome.counts {
        for _ in 0..<count { ledger.count(key) }
      }
      #expect(outcome.violations.isEmpty, "\(outcome.violations.joined(separator: "\n\n"))")
      #expect(!outcome.counts.isEmpty)
      try ledger.close()
    }

    /// Operations that each break a rule, and an operation that detects it.
    static let defects = [
      Race(stopped: "hasty-rewrap", other: "race-save"),
      Race(stopped: "hasty-rewrap", other: "race-migrate"),
      Race(stopped: "hasty-passphrase", other: "race-reset"),
      Race(stopped: "hasty-move", other: "race-save"),
      Race(stopped: "hasty-save", other: "race-reset"),
      Race(stopped: "race-save", other: "hasty-discard"),
      Race(stopped: "hasty-stray", other: "race-save"),
    ]

    @Test(.needs(.strace, .compiler), arguments: defects)
    func `A race detects an operation that breaks a rule`(race: Race) throws {
      let outcome = try run(race, at: stride(from: 0, to: .max, by: 1), oneSuffices: true)
      #expect(!outcome.violations.isEmpty, "\(outcome.counts)")
    }
  }
}

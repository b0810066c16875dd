import Foundation

/// The results of a run, as text.
struct Report {
  struct Line {
    /// The value of `MUTATION_ACTIVE` that runs the mutant.
    let number: Int
    let mutant: Mutant
    let verdict: Verdict
  }

  var seed: UInt64 = 1
  var lines: [Line] = []
  var notCompiled = 0

  static func text(of line: Line) -> String {
    let mutant = line.mutant
    let word = line.verdict.word.padding(toLength: 10, withPad: " ", startingAt: 0)
    let change = "`\(mutant.original)` -> `\(mutant.mutated)`"
    var text =
      "\(word) \(line.number) \(mutant.path):\(mutant.line) \(mutant.kind.rawValue): \(change)"
    switch line.verdict {
    case .killed(let test): text += "\n             by \(test)"
    case .equivalent(let reason): text += "\n             because \(reason)"
    default: break
    }
    return text
  }

  /// The share of mutants that tests noticed, of those that can be noticed, in percent.
  var noticedShare: Double {
    let able = lines.filter { if case .equivalent = $0.verdict { false } else { true } }
    guard !able.isEmpty else { return 100 }
    return 100 * Double(able.count { $0.verdict.isNoticed }) / Double(able.count)
  }

  /// A row for each kind of mutant, one for each module, and one for all.
  var table: String {
    let words = ["killed", "timeout", "crash", "SURVIVED", "NOT RUN", "equivalent"]
    var rows = [["kind", "mutants"] + words + ["noticed"]]
    func row(_ name: String, _ lines: [Line]) -> [String] {
      var part = Report()
      part.lines = lines
      return [name, String(lines.count)]
        + words.map { word in String(lines.count { $0.verdict.word == word }) }
        + [String(format: "%.0f %%", part.noticedShare)]
    }
    for kind in MutantKind.allCases {
      let own = lines.filter { $0.mutant.kind == kind }
      if !own.isEmpty { rows.append(row(kind.rawValue, own)) }
    }
    let modules = Dictionary(grouping: lines) { String($0.mutant.path.split(separator: "/")[1]) }
    if modules.count > 1 {
      rows += modules.sorted { $0.key < $1.key }.map { row($0.key, $0.value) }
    }
    rows.append(row("all", lines))
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).map { "\($0)".padding(toLength: $1, withPad: " ", startingAt: 0) }
        .joined(separator: "  ")
    }.joined(separator: "\n")
  }

  /// A block for each survivor, for the list of equivalent mutants if no test is written.
  var survivors: String {
    lines.filter { $0.verdict == .survived || $0.verdict == .notRun }
      .map { line in
        let identity = EquivalentList.identity(of: line.mutant)
        return ([identity[0]] + identity.dropFirst().map { "  " + $0 } + ["  because: "])
          .joined(separator: "\n")
      }.joined(separator: "\n\n")
  }
}

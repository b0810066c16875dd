import Foundation

/// The mutants that tests noticed in earlier runs, so that a run after an interruption, or with more tests, tries
/// only the others.
struct NoticedMutants {
  /// A file with a line for each: the verdict, and the identity of the mutant.
  let file: URL

  func forget() throws {
    if FileManager.default.fileExists(atPath: file.path) {
      try FileManager.default.removeItem(at: file)
    }
  }

  func add(_ verdict: Verdict, for mutant: Mutant) throws {
    let fields = [verdict.word, verdict.detail] + Self.fields(of: mutant)
    let line = fields.map(Self.inOneLine).joined(separator: "\t") + "\n"
    try Data((text() + line).utf8).write(to: file)
  }

  func verdicts(of mutants: [Int: Mutant]) throws -> [Int: Verdict] {
    var known: [[String]: Verdict] = [:]
    for line in try text().split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count > 2, let verdict = Verdict(word: fields[0], detail: fields[1]) else {
        continue
      }
      known[Array(fields[2...])] = verdict
    }
    return mutants.compactMapValues { known[Self.fields(of: $0).map(Self.inOneLine)] }
  }

  private func text() throws -> String {
    guard FileManager.default.fileExists(atPath: file.path) else { return "" }
    return try String(contentsOf: file, encoding: .utf8)
  }

  /// The column is needed since a line may have the same change in several places.
  private static func fields(of mutant: Mutant) -> [String] {
    [mutant.path, mutant.lineText, String(mutant.column)] + EquivalentList.identity(of: mutant)
  }

  private static func inOneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

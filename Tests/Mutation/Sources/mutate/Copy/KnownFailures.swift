import Foundation

/// The mutants that did not compile in an earlier run, so that the next one does not try them again.
struct KnownFailures {
  /// A file with a line for each; it is created when it does not exist.
  let file: URL

  func add(_ mutants: [Mutant]) throws {
    let lines = try lines() + mutants.map(Self.line(for:))
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: file)
  }

  func numbers(of mutants: [Int: Mutant]) throws -> Set<Int> {
    let known = Set(try lines())
    return Set(mutants.filter { known.contains(Self.line(for: $0.value)) }.keys)
  }

  private func lines() throws -> [String] {
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// The text has no line number, so it stays right when other code changes.
  private static func line(for mutant: Mutant) -> String {
    [mutant.path, mutant.kind.rawValue, mutant.lineText, mutant.mutated]
      .map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }.joined(separator: "\t")
  }
}

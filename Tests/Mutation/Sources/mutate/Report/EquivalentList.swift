import Foundation

/// The mutants that change nothing that anyone could notice, each with the reason.
///
/// A block of lines for each, with an empty line between:
///
///     Sources/Module/File.swift
///       in: Type.function
///       line: let capacity = count * 2
///       bound: `2` becomes `3`
///       because: the capacity is a hint, and no result depends on it.
///
/// No number of a line is in it, so it stays right when code around the place changes.
struct EquivalentList {
  struct Malformed: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var reasons: [[String]: String] = [:]

  init(_ text: String) throws {
    let blocks = text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("#") }
      .split(whereSeparator: { $0.allSatisfy(\.isWhitespace) })
    for block in blocks {
      let lines = block.map { $0.drop(while: \.isWhitespace) }.map(String.init)
      guard lines.count == 5, let reason = lines.last, reason.hasPrefix("because: "),
        reason.count > "because: ".count + 10
      else {
        throw Malformed(
          description: "The equivalent mutant \"\(lines.first ?? "")\" needs a path, `in`, `line`, "
            + "a kind with what becomes what, and a reason.")
      }
      reasons[Array(lines.dropLast())] = String(reason.dropFirst("because: ".count))
    }
  }

  /// What a block says about a mutant, line by line, without the reason.
  static func identity(of mutant: Mutant) -> [String] {
    [
      mutant.path, "in: \(mutant.declaration)", "line: \(mutant.lineText)",
      "\(mutant.kind.rawValue): `\(mutant.original)` becomes `\(mutant.mutated)`",
    ]
  }

  func reason(for mutant: Mutant) -> String? {
    reasons[Self.identity(of: mutant)]
  }

  /// The blocks that no mutant of some files has.
  func stale(among mutants: [Mutant], paths: Set<String>) -> [String] {
    let present = Set(mutants.map(Self.identity))
    return reasons.keys.filter { paths.contains($0[0]) && !present.contains($0) }
      .map { $0.joined(separator: " | ") }.sorted()
  }
}

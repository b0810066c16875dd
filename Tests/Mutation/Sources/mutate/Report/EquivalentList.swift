import Foundation

/// The mutants that change nothing that a test could notice, each with the reason.
///
/// A block of lines for each, with an empty line between:
///
///     Type.function
///       constant: `2` becomes `3`
///       place: 1 of 2
///       because: the capacity is a hint, and no result depends on it.
///
/// A block states the place only if the declarations of this name have several mutants that look alike. A block has no
/// file and no line, so it stays right when code moves, and when lines are broken in another way.
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
      guard lines.count == 3 || lines.count == 4 && lines[2].hasPrefix("place: "),
        let reason = lines.last, reason.hasPrefix("because: "),
        reason.count > "because: ".count + 10
      else {
        throw Malformed(
          description: "The equivalent mutant of \"\(lines.first ?? "")\" needs the name of its "
            + "declaration, a kind with what becomes what, `place` where there are several, and a "
            + "reason.")
      }
      let identity = Array(lines.dropLast())
      guard
        reasons.updateValue(String(reason.dropFirst("because: ".count)), forKey: identity) == nil
      else {
        throw Malformed(
          description: "The list has this equivalent mutant twice: "
            + identity.joined(separator: " | "))
      }
    }
  }

  /// The lines of a block about a mutant, without the reason.
  static func identity(of mutant: Mutant) -> [String] {
    let change = look(of: mutant)
    guard mutant.twin.count > 1 else { return change }
    return change + ["place: \(mutant.twin.number) of \(mutant.twin.count)"]
  }

  /// The lines that several mutants of one declaration may share.
  private static func look(of mutant: Mutant) -> [String] {
    [
      mutant.declaration.isEmpty ? "(file)" : mutant.declaration,
      "\(mutant.kind.rawValue): `\(mutant.original)` becomes `\(mutant.mutated)`",
    ]
  }

  /// The mutants of all files, in which those that look alike are numbered.
  static func numberingTwins(of mutants: [Mutant]) -> [Mutant] {
    let looks = mutants.map(look)
    var counts: [[String]: Int] = [:]
    var numbered = mutants
    for (index, look) in looks.enumerated() {
      counts[look, default: 0] += 1
      numbered[index].twin.number = counts[look] ?? 1
    }
    for (index, look) in looks.enumerated() { numbered[index].twin.count = counts[look] ?? 1 }
    return numbered
  }

  func reason(for mutant: Mutant) -> String? {
    reasons[Self.identity(of: mutant)]
  }

  /// The blocks that match no mutant of the package.
  func stale(among mutants: [Mutant]) -> [String] {
    let present = Set(mutants.map(Self.identity))
    return reasons.keys.filter { !present.contains($0) }
      .map { $0.joined(separator: " | ") }.sorted()
  }
}

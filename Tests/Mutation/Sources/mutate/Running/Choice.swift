/// The mutants that seeds choose from places, numbered from 1.
struct Choice {
  /// The mutants that one seed chooses from one place, in the order of its shuffle.
  private struct Part {
    let seed: UInt64
    var numbers: [Int] = []
  }

  private(set) var mutants: [Mutant] = []
  private var parts: [Part] = []
  private var numbers: [Mutant.Site: Int] = [:]

  /// Takes one mutant of each kind in turn.
  ///
  /// This leaves room for the few flags and calls whose order matters among the many constants. A mutant that another
  /// seed has chosen keeps its number.
  mutating func add(_ most: Int, of candidates: [Mutant], seed: UInt64) {
    let sorted = SeededOrder(seed: seed).sorted(candidates)
    var waiting = MutantKind.allCases.map { kind in sorted.filter { $0.kind == kind } }
    var part = Part(seed: seed)
    while part.numbers.count < most, waiting.contains(where: { !$0.isEmpty }) {
      for kind in waiting.indices where part.numbers.count < most {
        while let mutant = waiting[kind].popLast() {
          if let number = number(for: mutant) {
            part.numbers.append(number)
            break
          }
        }
      }
    }
    parts.append(part)
  }

  /// The number of a mutant; nil when it overlaps a chosen one, or is the third flag of one literal: the compiler's
  /// work multiplies with each.
  private mutating func number(for mutant: Mutant) -> Int? {
    if let known = numbers[mutant.site] { return known }
    let others = mutants.filter { $0.path == mutant.path }
    guard others.allSatisfy({ Instrumenter.canCoexist($0, mutant) }),
      mutant.kind != .flag
        || others.count(where: { $0.kind == .flag && $0.range == mutant.range }) < 2
    else { return nil }
    mutants.append(mutant)
    numbers[mutant.site] = mutants.count
    return mutants.count
  }

  /// The mutants that a seed chose, or all seeds.
  func numbers(of seed: UInt64? = nil) -> Set<Int> {
    Set(parts.filter { seed == nil || $0.seed == seed }.flatMap(\.numbers))
  }

  /// The first mutants of each place, without those that do not compile; these change no other choice.
  func wanted(_ count: Int, of seed: UInt64? = nil, without notCompiled: Set<Int>) -> [Int] {
    let wanted = parts.filter { seed == nil || $0.seed == seed }.flatMap { part in
      part.numbers.filter { !notCompiled.contains($0) }.prefix(count)
    }
    return Set(wanted).sorted()
  }
}

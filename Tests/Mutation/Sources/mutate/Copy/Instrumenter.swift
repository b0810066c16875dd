/// Writes the chosen mutants of a file into its text, and keeps the original code of each.
struct Instrumenter {
  /// A mutant, and the number that activates it.
  struct Numbered {
    let number: Int
    let mutant: Mutant
  }

  /// The range of a mutant and its original code in the written text, in UTF-8 offsets.
  struct Place {
    let number: Int
    let range: Range<Int>
  }

  private let source: [UInt8]
  private let mutants: [Numbered]
  private(set) var output: [UInt8] = []
  /// The parts of the source that were copied, in the order of their offsets in both texts.
  private var copied: [(output: Int, source: Range<Int>)] = []
  private(set) var places: [Place] = []

  /// Takes mutants of one file; two may overlap only if one contains the other.
  init(source: String, mutants: [Numbered]) {
    self.source = Array(source.utf8)
    self.mutants = mutants
    // The outer mutant is first; an insertion before a place is outside everything that begins there.
    let sorted = mutants.sorted { left, right in
      let (a, b) = (left.mutant.range, right.mutant.range)
      if a.lowerBound != b.lowerBound { return a.lowerBound < b.lowerBound }
      if a.isEmpty != b.isEmpty { return a.isEmpty }
      return a.upperBound > b.upperBound
    }
    write(0..<self.source.count, holding: sorted[...])
  }

  private mutating func write(_ range: Range<Int>, holding mutants: ArraySlice<Numbered>) {
    var position = range.lowerBound
    var rest = mutants
    while let next = rest.popFirst() {
      let part = next.mutant.range
      copy(position..<part.lowerBound)
      let start = output.count
      let text = next.mutant.wrapping(number: next.number)
      output += Array(text.before.utf8)
      let inner =
        part.isEmpty
        ? rest.prefix(0) : rest.prefix { $0.mutant.range.upperBound <= part.upperBound }
      write(part, holding: inner)
      rest = rest.dropFirst(inner.count)
      output += Array(text.after.utf8)
      places.append(Place(number: next.number, range: start..<output.count))
      position = part.upperBound
    }
    copy(position..<range.upperBound)
  }

  private mutating func copy(_ range: Range<Int>) {
    copied.append((output.count, range))
    output += source[range]
  }

  /// The mutants that may cause an error of the compiler at a place of the written text.
  ///
  /// The result is the innermost mutant around the place, else all that touch its line, else those of its function. A
  /// missing initialization or return may be caused by any statement of the function.
  func suspects(line: Int, column: Int, message: String = "") -> [Int] {
    var starts = [0]
    for (offset, byte) in output.enumerated() where byte == UInt8(ascii: "\n") {
      starts.append(offset + 1)
    }
    guard line >= 1, line <= starts.count else { return [] }
    let offset = starts[line - 1] + column - 1
    if message.contains("initializ") || message.contains("missing return") {
      let statements = inFunction(at: offset).filter { numbered in
        switch numbered.mutant.form {
        case .removal, .statements, .insertion: true
        case .either, .negation: false
        }
      }
      if !statements.isEmpty { return statements.map(\.number) }
    }
    let around = places.filter { $0.range.contains(offset) }
    if let innermost = around.min(by: { $0.range.count < $1.range.count }) {
      return [innermost.number]
    }
    let end = line < starts.count ? starts[line] : output.count
    let lineRange = starts[line - 1]..<end
    let touching = places.filter { $0.range.overlaps(lineRange) }
    return touching.isEmpty ? inFunction(at: offset).map(\.number) : touching.map(\.number)
  }

  /// The mutants of the innermost declaration around a place of the written text.
  private func inFunction(at offset: Int) -> [Numbered] {
    guard let part = copied.last(where: { $0.output <= offset }) else { return [] }
    let position = min(part.source.lowerBound + offset - part.output, part.source.upperBound)
    let scopes = mutants.map(\.mutant.scope).filter { $0.contains(position) }
    guard let innermost = scopes.min(by: { $0.count < $1.count }) else { return [] }
    return mutants.filter { $0.mutant.scope == innermost }
  }

  /// True when two mutants can be in one text: they do not overlap, or one contains the other.
  static func canCoexist(_ a: Mutant, _ b: Mutant) -> Bool {
    let (left, right) = (a.range, b.range)
    return a.path != b.path || !left.overlaps(right)
      || (left.lowerBound <= right.lowerBound && right.upperBound <= left.upperBound)
      || (right.lowerBound <= left.lowerBound && left.upperBound <= right.upperBound)
  }
}

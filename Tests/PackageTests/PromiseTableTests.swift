import Foundation
import Testing

/// The tables of section 8 of Spec/restoration.md against the tests that they name.
@Suite struct `The table of promises` {
  private struct Line: Equatable {
    let number: Int
    let test: String
  }

  /// The lines of the tables whose first column has a heading: a number first, a test last.
  private func lines(under heading: String, in page: String) -> [Line] {
    var isInside = false
    var lines: [Line] = []
    for line in page.components(separatedBy: "\n") {
      if line.hasPrefix("| \(heading) |") { isInside = true }
      if !line.hasPrefix("|") { isInside = false }
      let cells = line.components(separatedBy: " | ")
      guard isInside, let number = Int(cells[0].dropFirst(2)), let last = cells.last,
        last.hasPrefix("`"), last.hasSuffix("` |")
      else { continue }
      lines.append(Line(number: number, test: String(last.dropFirst().dropLast(3))))
    }
    return lines
  }

  /// The numbers after a word in the comments right above a test, as in `Rows 4, 5 and 7`.
  private func numbers(after word: String, aboveTest name: String, in source: String) -> Set<Int>? {
    let lines = source.components(separatedBy: "\n")
    guard let place = lines.firstIndex(where: { $0.contains("func `\(name)`(") }) else {
      return nil
    }
    let comments = lines[..<place].reversed().drop { !$0.contains("//") }
      .prefix { $0.contains("//") }.joined(separator: " ")
    let parts = comments.lowercased().components(separatedBy: word).dropFirst()
    return Set(
      parts.flatMap { part in
        part.drop { !$0.isNumber }.prefix { $0.isNumber || ", and".contains($0) }
          .components(separatedBy: CharacterSet.decimalDigits.inverted).compactMap { Int($0) }
      })
  }

  private static let rows = Set(1...50)
  private static let scenarios: Set = [
    1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 18, 19, 20, 21, 22, 23, 24, 25, 27, 29, 30, 31,
    32, 34, 36, 37, 38, 39, 40, 42, 43, 44, 45, 46, 48, 49, 50, 51, 53, 54, 55, 57, 58, 59, 60, 62,
    63, 64, 66, 67, 70,
  ]

  @Test(arguments: [("row", rows), ("scenario", scenarios)])
  func `names for each number tests that exist and name it`(
    heading: String, numbers: Set<Int>
  ) throws {
    let page = try PackageRoot.text(of: "Spec/restoration.md")
    let lines = lines(under: heading, in: page)
    #expect(Set(lines.map(\.number)) == numbers)
    let tests = try PackageRoot.swiftFiles(below: "Tests").map { try PackageRoot.text(of: $0) }
    for line in lines {
      let named = tests.compactMap {
        self.numbers(after: heading, aboveTest: line.test, in: $0)
      }
      #expect(named.count == 1, "no test or more than one is called \(line.test)")
      #expect(
        named.first?.contains(line.number) == true,
        "the comment of \(line.test) does not name \(heading) \(line.number)")
    }
  }

  @Test func `is read by its first and last column`() {
    let page = "| row | x |\n|---|---|\n| 7 | `a` | `the test` |\n\n| 8 | `no table` |"
    #expect(lines(under: "row", in: page) == [Line(number: 7, test: "the test")])
    let source = "  // Row 3, scenarios 7, 8 and 9.\n  // More.\n  @Test func `it`() {"
    #expect(numbers(after: "scenario", aboveTest: "it", in: source) == [7, 8, 9])
    #expect(numbers(after: "row", aboveTest: "it", in: source) == [3])
  }
}

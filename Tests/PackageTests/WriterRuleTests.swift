import Foundation
import Testing

/// The tables of Spec/writers.md against the rules of the formats and the tests that they name.
@Suite struct `The rules for writers` {
  /// The first and the last column of each line of a table whose first column is a rule with a letter.
  private func lines(_ letter: String, in page: String) -> [(rule: String, test: String)] {
    page.components(separatedBy: "\n").compactMap { line in
      let cells = line.components(separatedBy: " | ")
      guard cells.count == 2, line.hasPrefix("| \(letter)-"), cells[1].hasSuffix("` |") else {
        return nil
      }
      return (String(cells[0].dropFirst(2)), String(cells[1].dropFirst().dropLast(3)))
    }
  }

  /// The rules from 101 on that a page names.
  private func rules(_ letter: String, of page: String) -> Set<String> {
    Set(
      page.components(separatedBy: "[\(letter)-").dropFirst().compactMap { part in
        let number = part.prefix { $0 != "]" }
        return number.count == 3 && Int(number) != nil ? "\(letter)-\(number)" : nil
      })
  }

  @Test(arguments: [("A", ["archive.md"]), ("S", ["seal.md", "replacement.md"])])
  func `each have a test that exists`(letter: String, pages: [String]) throws {
    let lines = lines(letter, in: try PackageRoot.text(of: "Spec/writers.md"))
    // The end of a range of numbers is no rule.
    let text = try pages.map { try PackageRoot.text(of: "Spec/\($0)") }.joined()
    let rules = rules(letter, of: text).subtracting(["A-199"])
    #expect(rules.count > 20)
    #expect(Set(lines.map(\.rule)) == rules)
    let tests = try PackageRoot.swiftFiles(below: "Tests").map { try PackageRoot.text(of: $0) }
    for line in lines {
      #expect(
        tests.contains { $0.contains("func `\(line.test)`(") },
        "\(line.rule): no test is called \(line.test)")
    }
  }

  @Test func `are told from those for readers, and from what is no table`() {
    let page = "| A-101 | `a test` |\n| A-102 | none |\n- A-103 | `b` |\n| S-101 | `c` |"
    #expect(lines("A", in: page).map(\.rule) == ["A-101"])
    #expect(lines("A", in: page).map(\.test) == ["a test"])
    #expect(rules("A", of: "x [A-7], [A-101] and [A-2xx] [S-102]") == ["A-101"])
  }
}

import Foundation
import Testing

/// The rules for writers of the formats against the comments of tests that name them.
///
/// Vectors check what a reader MUST do; only tests check what a writer MUST do.
@Suite struct `The rules for writers` {
  /// The rules from 101 on that a text names, such as `A-101`.
  private func rules(_ letter: String, in text: String) -> Set<String> {
    Set(
      text.components(separatedBy: "[\(letter)-").dropFirst().compactMap { part in
        let number = part.prefix { $0 != "]" }
        return number.count == 3 && Int(number) != nil ? "\(letter)-\(number)" : nil
      })
  }

  @Test(
    arguments: [
      ("A", ["archive.md"]), ("S", ["seal.md", "replacement.md"]), ("J", ["journal.md"]),
    ])
  func `Each rule is named by a test, and tests name no other`(
    letter: String, pages: [String]
  ) throws {
    let text = try pages.map { try PackageRoot.text(of: "Spec/\($0)") }.joined()
    // The last number of the range for writers is not a rule itself.
    let rules = rules(letter, in: text).subtracting(["A-199"])
    #expect(rules.count > 10)
    let named = try TestComments.all().reduce(into: Set<String>()) {
      $0.formUnion(self.rules(letter, in: $1))
    }
    #expect(rules.subtracting(named) == [])
    #expect(named.subtracting(rules) == [])
  }

  @Test func `Rules for readers and those of another format are told apart`() {
    #expect(rules("A", in: "x [A-7], [A-101] and [A-2xx] [S-102]") == ["A-101"])
  }
}

import Foundation
import Testing

/// The tables of section 8 of Spec/restoration.md against the numbers that the comments of tests name.
@Suite struct `The table of promises` {
  /// The numbers in the first column of each line below a heading.
  private func numbers(under heading: String, in page: String) -> [Int] {
    page.components(separatedBy: "\n").drop { !$0.hasPrefix("| \(heading) |") }
      .prefix { $0.hasPrefix("|") }
      .compactMap { Int($0.dropFirst(2).prefix { $0 != " " }) }
  }

  private static let rows = Array(1...50)
  private static let scenarios = [
    1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 18, 19, 20, 21, 22, 23, 24, 25, 27, 29, 30, 31,
    32, 34, 36, 37, 38, 39, 40, 42, 43, 44, 45, 46, 48, 49, 50, 51, 53, 54, 55, 57, 58, 59, 60, 62,
    63, 64, 66, 67, 70,
  ]

  @Test(arguments: [("row", rows), ("scenario", scenarios)])
  func `Each number of the table is named by a test, and tests name no other`(
    heading: String, numbers: [Int]
  ) throws {
    let page = try PackageRoot.text(of: "Spec/restoration.md")
    #expect(self.numbers(under: heading, in: page).sorted() == numbers)
    let named = try TestComments.all().flatMap { TestComments.numbers(after: heading, in: $0) }
    #expect(Set(numbers).subtracting(named) == [])
    #expect(Set(named).subtracting(numbers) == [])
  }

  @Test func `A table ends with its last line, and a comment belongs to the test below it`() {
    let page = "| row | x |\n|---|---|\n| 7 | `a` |\n\n| 8 | `no table` |"
    #expect(numbers(under: "row", in: page) == [7])
    let source =
      "// Row 1.\n  let a = 1\n  // Row 3, scenarios 7, 8 and 9.\n  // More.\n  @Test func f() {"
    let comments = TestComments.all(in: source)
    #expect(comments.flatMap { TestComments.numbers(after: "scenario", in: $0) } == [7, 8, 9])
    #expect(comments.flatMap { TestComments.numbers(after: "row", in: $0) } == [3])
  }
}

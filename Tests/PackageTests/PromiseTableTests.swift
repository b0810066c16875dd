import Foundation
import Testing

@Suite struct `The table of promises` {
  /// The names in the last column of the table in section 8 of Spec/restoration.md.
  private func namedTests(in page: String) -> [String] {
    page.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.hasSuffix("` |") }
      .compactMap { line in
        line.dropLast(3).lastIndex(of: "`").map {
          String(line[line.index(after: $0)...].dropLast(3))
        }
      }
  }

  @Test func `names tests that exist`() throws {
    let page = try PackageRoot.text(of: "Spec/restoration.md")
    let promises = try #require(page.components(separatedBy: "\n## 8.").last)
    let names = namedTests(in: promises)
    #expect(names.count >= 50)
    let tests = try PackageRoot.swiftFiles(below: "Tests").map { try PackageRoot.text(of: $0) }
    for name in names {
      #expect(tests.contains { $0.contains("func `\(name)`(") }, "no test is called \(name)")
    }
  }

  @Test func `is read by its last column`() {
    #expect(namedTests(in: "| `a` | b | `the test` |\n|---|---|\n| x | y |") == ["the test"])
  }
}

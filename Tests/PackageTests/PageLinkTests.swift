import Foundation
import Testing

/// The pages outside the documentation of the libraries; `.ci/documentation` checks the links of that documentation.
@Suite struct `The pages of the repository` {
  private static let decisions = "Spec/Decisions"

  private static func pages() throws -> [String] {
    try PackageRoot.files(below: ["Spec", "Tests", "Benchmarks", "Sources"], withExtension: "md")
      .filter { !$0.contains(".docc/") }
      + ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", ".ci/README.md"]
  }

  /// The targets of links to files, relative to the page.
  private static func linkedFiles(in text: String) -> [String] {
    text.matches(of: /\]\((?!http)([^)#]+)/).map { String($0.output.1) }
  }

  private static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(
      atPath: PackageRoot.url.appending(path: path).standardizedFileURL.path)
  }

  @Test func `Every link leads to a file that exists`() throws {
    let pages = try Self.pages()
    #expect(pages.count > 30)
    for page in pages {
      let folder = page.lastIndex(of: "/").map { String(page[...$0]) } ?? ""
      for link in Self.linkedFiles(in: try PackageRoot.text(of: page)) {
        #expect(Self.exists(folder + link), "\(page) links to \(link).")
      }
    }
  }

  @Test func `A link to a file is found, and a link to the web is not one`() {
    #expect(
      Self.linkedFiles(in: "[a](b.md), [c](https://d.e), [f](../g/h.md#i)") == [
        "b.md", "../g/h.md",
      ])
  }

  @Test func `The index of decisions names every page, and each page has its four sections`() throws
  {
    let index = Set(Self.linkedFiles(in: try PackageRoot.text(of: Self.decisions + "/README.md")))
    let pages = try PackageRoot.files(below: [Self.decisions], withExtension: "md")
      .filter { !$0.hasSuffix("/README.md") && !$0.contains("/0") }
    #expect(pages.count > 15)
    for page in pages {
      #expect(index.contains(String(page.dropFirst(Self.decisions.count + 1))), "\(page)")
      let text = try PackageRoot.text(of: page)
      for section in ["Now", "Measured", "Tried and dropped", "Bytes affected"] {
        #expect(text.contains("\n## \(section)\n"), "\(page) has no section \(section).")
      }
    }
  }

  @Test func `A decision that code or a page cites has a page`() throws {
    let cited = try Regex(#"Spec/Decisions/([\w-]+)"#, as: (Substring, Substring).self)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: PackageRoot.url.appending(path: Self.decisions).path)
    let paths =
      try PackageRoot.files(below: ["Sources", "Tests"], withExtension: "swift")
      + PackageRoot.files(below: ["Sources"], withExtension: "md") + Self.pages()
    var count = 0
    for path in paths {
      for match in try PackageRoot.text(of: path).matches(of: cited) {
        count += 1
        let name = match.output.1
        #expect(
          names.contains("\(name).md") || names.contains { $0.hasPrefix(name + "-") },
          "\(path) cites \(name)")
      }
    }
    #expect(count > 5)
  }
}

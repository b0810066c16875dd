import Foundation
import Testing

@Suite struct `The layout of the repository` {
  static let allowedEntries: Set<String> = [
    "Package.swift", "Sources", "Tests", "Spec", "Benchmarks",
    "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md",
  ]

  /// Files that SwiftPM writes when it resolves versions, and that are not part of the repository.
  static let generatedEntries: Set<String> = ["Package.resolved"]

  static func unexpected(in entries: [String]) -> [String] {
    entries.filter { !allowedEntries.contains($0) && !generatedEntries.contains($0) }
  }

  static func missing(in entries: [String]) -> [String] {
    allowedEntries.subtracting(entries).sorted()
  }

  @Test func `The top level has no entries besides the allowed ones`() throws {
    let unexpected = Self.unexpected(in: try PackageRoot.topLevelEntries())
    #expect(unexpected == [])
  }

  @Test func `Everything that belongs at the top level is there`() throws {
    let missing = Self.missing(in: try PackageRoot.topLevelEntries())
    #expect(missing == [])
  }

  @Test func `A stray or a missing entry is named`() {
    #expect(Self.unexpected(in: ["Sources", "scripts"]) == ["scripts"])
    #expect(Self.missing(in: Self.allowedEntries.subtracting(["Spec"]).sorted()) == ["Spec"])
  }

  @Test
  func `No file is over 500 lines, or 800 with one type, and the median is at most 150`() throws {
    let paths =
      try PackageRoot.swiftFiles(below: "Sources") + PackageRoot.swiftFiles(below: "Tests")
    var counts: [Int] = []
    for path in paths {
      let text = try PackageRoot.text(of: path)
      let count = SourceRules.lineCount(of: text)
      #expect(count <= (try Self.isOneType(text) ? 800 : 500), "\(path) has \(count) lines")
      counts.append(count)
    }
    #expect(counts.count > 10)
    #expect(Self.median(of: counts) <= 150)
  }

  @Test func `The median is the middle of the sorted counts`() {
    #expect(Self.median(of: [500, 1, 151]) == 151)
    #expect(SourceRules.lineCount(of: "a\nb\n") == 2)
  }

  @Test func `A file is one type when it declares one at its top level`() throws {
    let one = "public struct One: ~Copyable {\n  enum Inner {}\n}\nextension One {}"
    #expect(try Self.isOneType(one))
    #expect(try !Self.isOneType("@usableFromInline\nstruct One {}\nfinal class Two {}"))
    #expect(try !Self.isOneType("extension One {}"))
  }

  static func isOneType(_ text: String) throws -> Bool {
    let declaration = try Regex(
      #"^(?:(?:@\w+|public|package|private|fileprivate|final|indirect)\s+)*"#
        + #"(?:struct|class|enum|protocol|actor)\s"#)
    return text.split(separator: "\n").count { $0.prefixMatch(of: declaration) != nil } == 1
  }

  static func median(of counts: [Int]) -> Int {
    counts.sorted()[counts.count / 2]
  }
}

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

  @Test func `A file has at most 500 lines, or 800 if it is one type`() throws {
    let paths =
      try PackageRoot.swiftFiles(below: "Sources") + PackageRoot.swiftFiles(below: "Tests")
    #expect(paths.count > 10)
    for path in paths {
      let source = try PackageRoot.text(of: path)
      let count = SourceRules.lineCount(of: source)
      if count <= 500 { continue }
      let isOneType = try Self.isOneType(SwiftCode(source), named: Self.typeName(of: path))
      #expect(count <= 800 && isOneType, "\(path) has \(count) lines")
    }
  }

  @Test func `A file is one type if the type in its name takes two thirds of its declarations`()
    throws
  {
    let source = """
      struct Wheel {
        var spokes = 3
      }

      extension Wheel {
        func turn() {
        }
      }

      private struct Spoke {
      }
      """
    #expect(Self.typeName(of: "Sources/A/Wheel+Turning.swift") == "Wheel")
    #expect(try Self.isOneType(SwiftCode(source), named: "Wheel"))
    #expect(try !Self.isOneType(SwiftCode(source), named: "Spoke"))
    #expect(SourceRules.lineCount(of: "a\nb\n") == 2)
  }

  static func typeName(of path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    return String(name.prefix { $0 != "+" && $0 != "." })
  }

  /// True when most lines of the declarations at the top level are those of one type and its extensions.
  static func isOneType(_ code: SwiftCode, named name: String) throws -> Bool {
    let declaration = try Regex(
      #"^(?:[@a-z]\S*\s+)*(?:struct|class|enum|protocol|actor|extension)\s+(\w+)"#,
      as: (Substring, Substring).self)
    var (ofType, all) = (0, 0)
    var open: Substring?
    for line in code.lines {
      if let match = line.prefixMatch(of: declaration) { open = match.output.1 }
      guard let type = open else { continue }
      all += 1
      if type == name { ofType += 1 }
      if line.hasPrefix("}") || line.hasSuffix("{}") && !line.hasPrefix(" ") { open = nil }
    }
    return 3 * ofType >= 2 * all
  }
}

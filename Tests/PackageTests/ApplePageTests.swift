import Foundation
import Testing

/// Compares the page about Apple's systems with the conditions in the sources.
@Suite struct `The page on Apple's systems` {
  private static let page = "Sources/Keepsake/Keepsake.docc/AppleSystems.md"

  /// True when a source has code that depends on the system, other than the import of the C library.
  static func dependsOnSystem(_ source: String) throws -> Bool {
    let lines = source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let condition =
      /^#(?:if|elseif) .*(?:canImport\((?:Darwin|Glibc|Security|System)\)|os\((?:Linux|macOS)\))/
    return lines.indices.contains { index in
      guard lines[index].contains(condition) else { return false }
      let next = index + 1 < lines.count ? lines[index + 1] : ""
      return !["internal import Darwin", "internal import Glibc"].contains(next)
    }
  }

  @Test func `The page names every source with code for one system, and no other`() throws {
    let named = Set(
      try PackageRoot.text(of: Self.page).matches(of: /`(\w+\/[\w\/+]+\.swift)`/)
        .map { "Sources/" + $0.1 })
    var found: Set<String> = []
    for path in try PackageRoot.swiftFiles(below: "Sources")
    where !path.contains("/Contacts/") && !path.contains("/SecretService/") {
      if try Self.dependsOnSystem(PackageRoot.text(of: path)) { found.insert(path) }
    }
    #expect(found.count > 10)
    #expect(found.subtracting(named) == [])
    #expect(named.subtracting(found) == [])
  }

  @Test func `An import of the C library is no code for one system`() throws {
    let imports = "#if canImport(Glibc)\n  internal import Glibc\n#elseif canImport(Darwin)\n"
    #expect(try !Self.dependsOnSystem(imports + "  internal import Darwin\n#endif\n"))
    #expect(try Self.dependsOnSystem(imports + "  internal import Security\n#endif\n"))
    #expect(try Self.dependsOnSystem("#if os(Linux)\n  call()\n#endif\n"))
  }
}

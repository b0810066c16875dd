import Foundation
import Testing

/// Compares the page about libsodium with the calls in the sources.
@Suite struct `The page on libsodium` {
  private static let page = "Sources/KeepsakeSeal/KeepsakeSeal.docc/Libsodium.md"
  private static let pattern = #"\b(?:crypto|sodium|randombytes)_\w+"#

  /// The names of functions in the first column of the page's table.
  private func namesOnPage() throws -> Set<String> {
    let rows = try PackageRoot.text(of: Self.page).components(separatedBy: "\n")
      .filter { $0.hasPrefix("| `") }.compactMap { $0.components(separatedBy: " | ").first }
    let pattern = try Regex(Self.pattern, as: Substring.self)
    return Set(rows.flatMap { $0.matches(of: pattern).map { String($0.output) } })
  }

  private func namesInSources() throws -> Set<String> {
    // Word boundaries are of the simple kind, since `a.b` is one word in Unicode's own segmentation.
    let pattern = try Regex(Self.pattern, as: Substring.self).wordBoundaryKind(.simple)
    return try Set(
      PackageRoot.swiftFiles(below: "Sources/KeepsakeSeal").flatMap { path in
        SwiftCode(try PackageRoot.text(of: path)).matches(of: pattern).map(\.text)
      })
  }

  @Test func `The page names every function that is called, and no other`() throws {
    let (called, named) = (try namesInSources(), try namesOnPage())
    #expect(called.count > 10)
    #expect(called.subtracting(named) == [])
    #expect(named.subtracting(called) == [])
  }
}

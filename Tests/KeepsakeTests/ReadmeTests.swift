import Foundation
import Keepsake
import Testing

@Suite struct `The README's example` {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func `is the file that this test compiles`() throws {
    let readme = try String(
      contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
    let example = try String(
      contentsOf: Self.root.appendingPathComponent("Tests/KeepsakeTests/ReadmeExample.swift"),
      encoding: .utf8)
    #expect(readme.contains("```swift\n\(example)```"))
    #expect(example.split(separator: "\n", omittingEmptySubsequences: false).count <= 25)
  }

  @MainActor
  @Test func `goes on in each launch where the last one ended`() async throws {
    try await TemporaryDirectory.with { directory in
      let first = try await runNotes(in: directory.state)
      let second = try await runNotes(in: directory.state)
      #expect(first == "One more line. " && second == first + first)
    }
  }
}

import Foundation
import Keepsake
import Testing

@Suite struct `The README's example` {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test(arguments: [("ReadmeExample", 24), ("ReadmeValueExample", 12)])
  func `is the file that this test compiles, and short`(name: String, lineCount: Int) throws {
    let readme = try String(
      contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
    let example = try String(
      contentsOf: Self.root.appendingPathComponent("Tests/KeepsakeTests/\(name).swift"),
      encoding: .utf8)
    #expect(readme.contains("```swift\n\(example)```"))
    #expect(example.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= lineCount)
  }

  @MainActor
  @Test func `saves a value that can be loaded`() async throws {
    try await TemporaryDirectory.with { directory in
      let path = directory.url.appendingPathComponent("settings").path
      try save(NoteSettings(fontSize: 14), to: path, passphrase: "open sesame")
      #expect(try loadSettings(from: path, passphrase: "open sesame").fontSize == 14)
    }
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

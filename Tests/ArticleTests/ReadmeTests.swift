import Keepsake
import TestSupport
import Testing

@Suite struct `The README's examples` {
  @Test func `are short`() throws {
    for (block, lineCount) in zip(try Page("README.md").blocks, [24, 12]) {
      #expect(block.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= lineCount)
    }
  }

  @Test func `save a value that can be loaded`() throws {
    try withTemporaryDirectory { folder in
      try save(NoteSettings(fontSize: 14), to: folder + "/settings", passphrase: "open sesame")
      let loaded = try loadSettings(from: folder + "/settings", passphrase: "open sesame")
      #expect(loaded.fontSize == 14)
    }
  }

  @MainActor
  @Test func `go on in each launch where the last one ended`() async throws {
    try await withTemporaryDirectory { folder in
      let directory = StateDirectory(path: folder + "/state")
      let first = try await runNotes(in: directory)
      let second = try await runNotes(in: directory)
      #expect(first == "One more line. " && second == first + first)
    }
  }
}

import Keepsake
import TestSupport
import Testing

@Suite struct `The README's examples` {
  @Test func `The examples are short`() throws {
    for (block, lineCount) in zip(try Page("README.md").blocks, [12, 24]) {
      #expect(block.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= lineCount)
    }
  }

  @Test func `The README has at most 180 lines`() throws {
    let lines = try Page("README.md").text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count - 1 <= 180)
  }

  @Test func `The small example keeps a value from call to call`() throws {
    try withTemporaryDirectory { folder in
      let first = try enlargeText(in: folder)
      let second = try enlargeText(in: folder)
      #expect(first == 14 && second == 16)
    }
  }

  @MainActor
  @Test func `Each launch continues where the last one ended`() async throws {
    try await withTemporaryDirectory { folder in
      let directory = StateDirectory(path: folder + "/state")
      let first = try await runNotes(in: directory)
      let second = try await runNotes(in: directory)
      #expect(first == "One more line. " && second == first + first)
    }
  }
}

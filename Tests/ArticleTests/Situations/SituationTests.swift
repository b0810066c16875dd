import Keepsake
import TestSupport
import Testing

@MainActor
@Suite struct `The messages of errors` {
  private static let path = "Sources/Keepsake/Keepsake.docc/WhatErrorsSay.md"

  /// A line of the table.
  private static func line(_ situation: Situation, _ sentence: String) -> String {
    "| \(situation.name) | \(sentence.replacing("|", with: "\\|").replacing("<", with: "&lt;")) |"
  }

  @Test func `The page shows the message of each situation`() async throws {
    let lines = try Page(Self.path).text.split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix("| ") }
    var expected = ["| Situation | Message |"]
    for situation in Situation.all {
      let sentence = try await withTemporaryDirectory { await situation.sentence(in: $0) }
      expected.append(Self.line(situation, sentence))
    }
    let missing = expected.filter { !lines.contains($0) }
    let wrong = lines.filter { !expected.contains($0) && !$0.hasPrefix("| ---") }
    #expect(missing == [], "The page lacks:\n\(missing.joined(separator: "\n"))")
    #expect(wrong == [], "The page says what no error says:\n\(wrong.joined(separator: "\n"))")
  }

  @Test func `An error is shown as it is, except where an app has its own words`() {
    #expect(explain(KeepsakeError(.keyWrong, "no")) == "That is not the passphrase. Try again.")
    #expect(explain(ArchiveError(.invalidTypeName, "the name is empty")).hasPrefix("The name is "))
  }

  @Test func `At least sixty situations are shown, each once`() {
    let names = Situation.all.map(\.name)
    #expect(names.count >= 60 && Set(names).count == names.count)
  }
}

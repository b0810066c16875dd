import Foundation
import Testing

@Suite(.needsTerminal) struct `The list of keys in the terminal` {
  private static let line = "quit, and keep this window"

  private func shows(_ screen: [String]) -> Bool { screen.contains { $0.contains(Self.line) } }

  @Test func `A question mark lists the keys, and the next key only closes the list`() throws {
    try withTemporaryDirectory { directory in
      let app = try ContactsInTerminal(directory)
      let first = try app.screen(afterKeys: 0)
      #expect(!shows(first) && first.contains { $0.contains("? keys") }, "\(first)")
      try app.press("?")
      let list = try app.screen { shows($0) }
      #expect(list.contains { $0.contains("new contact") }, "\(list)")
      try app.press("q")
      try app.screen { !shows($0) && ContactsInTerminal.status(of: $0)?.keyCount == 2 }
      // In a form a question mark is a character.
      try app.press("n")
      try app.type("who?")
      try app.screen { !shows($0) && $0.contains { $0.contains("who?") } }
    }
  }
}

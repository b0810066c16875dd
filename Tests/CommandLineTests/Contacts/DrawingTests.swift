import ContactsModel
import Foundation
import Keepsake
import TerminalScreen
import Testing

@testable import contacts

@Suite struct `The width of a character in a terminal` {
  @Test(
    arguments: [
      ("a", 1), ("é", 1), ("e\u{301}", 1), ("漢", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2),
      ("ｱ", 1), ("Ａ", 2), ("😀", 2), ("⌚", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2),
      ("1", 1), ("👍🏽", 2), ("👩‍👩‍👧‍👦", 2), ("🏳️‍🌈", 2), ("🇩🇪", 2), ("🇩", 1), ("नि", 2), ("ก็", 1),
      ("🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", 2), ("←", 1), ("…", 1),
    ])
  func `A character takes the columns of its whole cluster`(text: String, width: Int) {
    #expect(text.count == 1)
    #expect(text.displayWidth == width)
    #expect(text.fitted(to: width) == text)
    #expect(text.fitted(to: width - 1) == "")
  }

  @Test(
    arguments: [
      "\u{1B}", "\n", "\u{7F}", "\u{9B}", "\u{202E}", "\u{200D}", "\u{301}", "a\u{E0067}",
      "\u{2028}",
    ])
  func `An invisible or control character is shown as a dot`(text: String) {
    #expect(text.fitted(to: 5) == "·" && text.displayWidth == 1)
  }

  @Test func `A character that does not fit whole is left out`() {
    #expect("a漢b".fitted(to: 2) == "a")
    #expect("a漢b".fitted(to: 3) == "a漢")
    #expect("漢".padded(to: 4) == "漢  " && "abc".padded(to: 2) == "abc")
  }

  @Test func `The cursor is moved after a character that terminals measure differently`() {
    var canvas = Canvas(width: 9, height: 1)
    canvas.write("👩‍👧a漢निb", inLine: 0)
    let text = canvas.controlSequences
    #expect(text.contains("👩‍👧\u{1B}[3Ga漢नि\u{1B}[8Gb\u{1B}[0m "), "\(text.debugDescription)")
  }
}

@Suite struct `Text in a narrow terminal` {
  @Test func `Text is broken between words, and within one that is too long`() {
    #expect("one two three".wrapped(to: 7) == ["one two", "three"])
    #expect("one two three".wrapped(to: 8) == ["one two", "three"])
    #expect("one two".wrapped(to: 6) == ["one", "two"])
    #expect("a /very/long/path b".wrapped(to: 6) == ["a", "/very/", "long/p", "ath b"])
    #expect("漢字 漢字".wrapped(to: 5) == ["漢字", "漢字"])
    #expect("漢".wrapped(to: 1) == ["漢"])
    #expect("one\n\n    two  three".wrapped(to: 4) == ["one", "", "    two  three"])
    #expect("".wrapped(to: 4) == [""])
    #expect("ab".wrapped(to: 0) == ["a", "b"] || "ab".wrapped(to: 0) == ["ab"])
  }
}

@MainActor
@Suite struct `The contacts app on a screen of 40 columns` {
  private func withApp(_ body: (ContactsApp) throws -> Void) throws {
    try withTemporaryDirectory { (directory: URL) throws in
      let book = try ContactBook(path: directory.appendingPathComponent("contacts.json").path)
      let app = ContactsApp(book: book, rowHeight: 1, furtherTabs: [AboutScreen()])
      app.willFinishLaunching()
      try body(app)
    }
  }

  /// The lines as a terminal shows them.
  private func lines(_ app: ContactsApp, width: Int = 40, height: Int = 12) -> [String] {
    app.draw(TerminalSize(width: width, height: height), saving: "saved").controlSequences
      .replacing(/\u{1B}\[\d+;1H/, with: "\n").replacing(/\u{1B}\[[0-9;?]*[a-zA-Z]/, with: "")
      .split(separator: "\n").map(String.init)
  }

  @Test func `The app shows every key of every screen in 40 columns`() throws {
    try withApp { app in
      var screens: [[String]] = []
      for show in [
        {}, { app.selectTab(1) }, { app.selectTab(2) }, { app.selectTab(0) },
        { app.show("contact-1000") }, { app.beginNewContact() },
      ] {
        show()
        let help = try #require(app.visibleScreen?.help)
        let lines = lines(app)
        #expect(lines.count == 12 && lines.allSatisfy { $0.displayWidth == 40 })
        for key in help { #expect(lines[10].contains(key), "\(key) in \(lines[10])") }
        screens.append(help)
      }
      #expect(Set(screens).count == 4)
    }
  }

  @Test func `The app leaves out whole keys that do not fit`() throws {
    try withApp { app in
      #expect(lines(app, width: 25)[10] == " ↑↓ Enter  n new  Tab    ")
      #expect(lines(app, width: 8)[10] == "        ")
    }
  }

  @Test func `The app shows a long notice in lines of its own, with its advice`() throws {
    try withApp { app in
      app.notice = "Restored after a crash."
      #expect(lines(app, width: 80)[11].hasPrefix(" 0 keys typed, saved   Restored after a crash."))
      app.notice = "The disk is full, so nothing was saved; free some space, and type on."
      app.actionCount = 1
      let lines = lines(app)
      #expect(lines[11].hasPrefix(" 1 key typed, saved   "))
      #expect(lines[8].hasPrefix(" The disk is full, so nothing was"))
      #expect(lines[9].hasPrefix(" saved; free some space, and type on."))
      #expect(lines[7].contains("555-"))
      app.notice = String(repeating: "many words ", count: 100)
      #expect(self.lines(app).count == 12 && self.lines(app, height: 3).count == 3)
    }
  }

  @Test func `The app shows the cursor of a text that is wider than the screen`() throws {
    try withApp { app in
      app.beginNewContact()
      let controller = try #require(app.visibleController as? ContactController)
      for character in String(repeating: "漢👩‍👧", count: 20) {
        _ = controller.handle(.character(character), in: app)
        #expect(lines(app).allSatisfy { $0.displayWidth == 40 })
      }
      let sequences = app.draw(TerminalSize(width: 40, height: 12), saving: "saved")
        .controlSequences
      // The field has 28 columns; whole characters and the cursor take 27.
      #expect(sequences.hasSuffix("\u{1B}[4;37H\u{1B}[?25h"), "\(sequences.suffix(20))")
    }
  }
}

import Foundation
import Testing

@Suite(.serialized, .needsTerminal) struct `The contacts app in a terminal` {
  @Test func `The contacts app lists, opens, edits and adds contacts, and switches tabs`() throws {
    try withTemporaryDirectory { (directory: URL) throws in
      let app = try ContactsInTerminal(directory)
      var screen = try app.screen(afterKeys: 0)
      #expect(screen.count == 24 && screen[0].hasPrefix(" 1 Contacts  2 Recent  3 About"))
      #expect(screen[2].hasPrefix(" Ada Allen"))
      try app.press("End", "Enter", "e", "BSpace", "C-a")
      try app.type("Dr ")
      screen = try app.screen(afterKeys: 8)
      #expect(screen[1] == "  Edit Dr Tony Turin" && screen[3] == "  Name:   Dr Tony Turin")
      try app.press("Enter", "Left", "Tab", "Down", "Enter")
      screen = try app.screen(afterKeys: 13)
      #expect(screen[1] == "  Dr Tony Turin" && screen[5] == "  Phone:  555-9843")
      try app.press("n")
      try app.type("Zoë 漢字")
      try app.press("Down")
      try app.type("q1")
      screen = try app.screen(afterKeys: 23)
      #expect(
        screen[1...5].map(\.self) == ["  New contact", "", "  Name:   Zoë 漢字", "", "  Phone:  q1"])
      try app.press("Enter")
      screen = try app.screen(afterKeys: 24)
      #expect(screen[1] == "  Contacts" && screen[21].hasPrefix(" Zoë 漢字"))
      #expect(screen[20].hasPrefix(" Radia Turing"))
      #expect(screen.contains { $0.hasPrefix(" Donald Allen") } == false)
      try app.press("3", "Down")
      screen = try app.screen(afterKeys: 26)
      #expect(screen[1] == "  About" && screen[3].hasPrefix("  Everything"))
    }
  }

  @Test func `The contacts app draws at any size`() throws {
    try withTemporaryDirectory { (directory: URL) throws in
      let app = try ContactsInTerminal(directory, width: 132, height: 43)
      let large = try app.screen(afterKeys: 0)
      #expect(large.count == 43 && large[40].hasPrefix(" Grace Hamilton"))
      for (width, height) in [(80, 24), (40, 8), (10, 3), (3, 2), (100, 30)] {
        try app.resize(width: width, height: height)
        let screen = try app.screen { screen in
          screen.count == height && screen[height - 1].hasPrefix(" 0 keys".prefix(min(width, 2)))
        }
        #expect(screen.allSatisfy { $0.count <= width })
      }
      try app.press("End")
      #expect(try app.screen(afterKeys: 1)[27].hasPrefix(" Tony Turing"))
    }
  }

  @Test(arguments: ["q", "C-c", "Q"])
  func `The contacts app restores the terminal when it ends`(key: String)
    throws
  {
    try withTemporaryDirectory { (directory: URL) throws in
      let app = try ContactsInTerminal(directory, thenShell: "echo \"ended with $?\"; stty -a; cat")
      try app.screen(afterKeys: 0)
      try app.press(key)
      let screen = try app.screen { screen in screen.contains { $0.contains("echoke") } }
      #expect(screen.first == "ended with 0")
      let settings = Set(screen.joined(separator: " ").split(separator: " "))
      #expect(settings.isSuperset(of: ["icanon", "echo", "isig", "opost"]))
      let list = try Self.contacts("--list", at: directory).output
      #expect(list.contains("ended by the user") == (key != "Q"))
      #expect(list.isEmpty == (key == "Q"))
    }
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func `The contacts app saves when the system asks it to end`(signal: Int32) throws {
    try withTemporaryDirectory { (directory: URL) throws in
      let app = try ContactsInTerminal(directory)
      try app.screen(afterKeys: 0)
      try app.press("n", "x")
      try app.screen { ContactsInTerminal.status(of: $0)?.keyCount == 2 }
      try app.signal(signal)
      try app.waitForEnd()
      #expect(try Self.contacts("--list", at: directory).output.contains(": ended by the system, "))
      try app.start()
      #expect(try app.screen(afterKeys: 2)[3] == "  Name:   x")
    }
  }

  @Test func `The contacts app has a window for each terminal, and restores all of them`() throws {
    try withTemporaryDirectory { (directory: URL) throws in
      let first = try ContactsInTerminal(directory)
      try first.screen(afterKeys: 0)
      let second = try ContactsInTerminal(directory)
      try second.screen(afterKeys: 0)
      try first.press("n", "a")
      try first.screen(afterKeys: 2)
      try second.press("n", "b")
      try second.screen(afterKeys: 2)
      #expect(
        try Self.contacts("--list", at: directory).output.components(separatedBy: "in use").count
          == 3)
      try first.kill9()
      try second.kill9()
      // The window that was saved last is restored first, in either terminal.
      for (app, text) in [(first, "b"), (second, "a")] {
        try app.start()
        #expect(try app.screen(afterKeys: 2)[3] == "  Name:   \(text)")
      }
      let name = try #require(
        Self.contacts("--list", at: directory).output.split(separator: ":").first.map(String.init))
      let refusal = try Self.contacts("--show", name, at: directory)
      #expect(refusal.exitCode == 74 && refusal.error.contains("is in use"))
      try first.kill9()
      try second.kill9()
      #expect(try Self.contacts("--show", name, at: directory).output.contains("texts: array"))
      #expect(try Self.contacts("--remove", name, at: directory).output == "")
      #expect(!(try Self.contacts("--list", at: directory).output.contains(name)))
    }
  }

  @Test func `The contacts app says that it needs a terminal, and leaves nothing behind`() throws {
    try withTemporaryDirectory { (directory: URL) throws in
      let run = try Self.contacts(at: directory)
      #expect(run.exitCode == 64 && run.output.isEmpty)
      #expect(
        run.error == "contacts: There is no terminal to draw in; run this in one, not in a pipe.\n")
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }
  }

  @Test(arguments: [("TERM=dumb", "TERM=dumb"), ("-uTERM", "TERM is not set")])
  func `The contacts app refuses a terminal that it cannot draw in`(setting: String, reason: String)
    throws
  {
    try withTemporaryDirectory { (directory: URL) throws in
      let app = try ContactsInTerminal(
        directory, thenShell: "echo \"ended with $?\"; cat", environment: setting)
      let screen = try app.screen { screen in screen.contains("ended with 64") }
      let sentence = screen.joined()
      #expect(sentence.hasPrefix("contacts: The terminal ") && sentence.contains(reason))
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }
  }

  @Test func `The contacts app has the exit codes of the tool`() throws {
    try withTemporaryDirectory { (directory: URL) throws in
      let absent = try Self.contacts("--show", "absent", at: directory)
      #expect(
        absent.exitCode == 66 && absent.error.hasPrefix("contacts: The session absent has no"))
      #expect(try Self.contacts("--remove", "absent", at: directory).exitCode == 66)
      #expect(try Self.contacts("--show", "No name", at: directory).exitCode == 64)
      #expect(try Self.contacts("--list", "--show", "a", at: directory).exitCode == 64)
      let file = directory.appendingPathComponent("file")
      try Data().write(to: file)
      let refusal = try Self.contacts("--list", at: file)
      #expect(refusal.exitCode == 74 && refusal.error.contains("is not a directory"), "\(refusal)")
    }
  }

  @Test func `The contacts app reports a file that it cannot read, and makes no session`() throws {
    try withTemporaryDirectory { (directory: URL) throws in
      let file = directory.appendingPathComponent("contacts.json")
      try Data("[1, 2]".utf8).write(to: file)
      let app = try ContactsInTerminal(directory, thenShell: "echo \"ended with $?\"; cat")
      let screen = try app.screen { screen in screen.contains("ended with 65") }
      #expect(
        screen.joined().contains("does not hold contacts as this app writes them; put it back"))
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["contacts.json"])
      #expect(try Data(contentsOf: file) == Data("[1, 2]".utf8))
    }
  }

  private static func contacts(_ arguments: String..., at directory: URL) throws -> Tool.Result {
    try Tool.run(program: "contacts", arguments + ["--directory", directory.path])
  }
}

import Foundation
import Testing

@Suite(.serialized) struct `The contacts app in a terminal` {
  @Test func `lists, opens, edits, adds and switches tabs`() throws {
    try withTemporaryDirectory { (directory: URL) throws in
      let app = try ContactsInTerminal(directory)
      var screen = try app.screen(afterKeys: 0)
      #expect(screen.count == 24 && screen[0].hasPrefix(" 1 Contacts  2 Recent  3 About"))
      #expect(screen[2].hasPrefix(" Ada Allen"))
      try app.press("End", "Enter", "e", "BSpace", "C-a")
      try app.type("Dr ")
      screen = try app.screen(afterKeys: 8)
      #expect(screen[1] == "  Edit Dr Radia Turin" && screen[3] == "  Name:   Dr Radia Turin")
      try app.press("Enter", "Left", "Tab", "Down", "Enter")
      screen = try app.screen(afterKeys: 13)
      #expect(screen[1] == "  Dr Radia Turin" && screen[5] == "  Phone:  555-5403")
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
      #expect(screen.contains { $0.hasPrefix(" Donald Allen") } == false)
      try app.press("3", "Down")
      screen = try app.screen(afterKeys: 26)
      #expect(screen[1] == "  About" && screen[3].hasPrefix("  Everything"))
    }
  }

  @Test func `draws at any size`() throws {
    try withTemporaryDirectory { (directory: URL) throws in
      let app = try ContactsInTerminal(directory, width: 132, height: 43)
      let large = try app.screen(afterKeys: 0)
      #expect(large.count == 43 && large[40].hasPrefix(" Donald Hamilton"))
      for (width, height) in [(80, 24), (40, 8), (10, 3), (3, 2), (100, 30)] {
        try app.resize(width: width, height: height)
        let screen = try app.screen { screen in
          screen.count == height && screen[height - 1].hasPrefix(" key 0".prefix(width))
        }
        #expect(screen.allSatisfy { $0.count <= width })
      }
      try app.press("End")
      #expect(try app.screen(afterKeys: 1)[27].hasPrefix(" Radia Turing"))
    }
  }

  @Test(arguments: ["q", "C-c", "Q"]) func `gives the terminal back when it ends`(key: String)
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
      let list = try Self.contacts("--list", at: directory)
      #expect(list.contains("ended by the user quit") == (key != "Q"))
      #expect(list.isEmpty == (key == "Q"))
    }
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func `saves when the system asks it to end`(signal: Int32) throws {
    try withTemporaryDirectory { (directory: URL) throws in
      let app = try ContactsInTerminal(directory)
      try app.screen(afterKeys: 0)
      try app.press("n", "x")
      try app.screen { ContactsInTerminal.status(of: $0)?.keyCount == 2 }
      try app.signal(signal)
      try app.waitForEnd()
      #expect(try Self.contacts("--list", at: directory).contains("ended by the system"))
      try app.start()
      #expect(try app.screen(afterKeys: 2)[3] == "  Name:   x")
    }
  }

  @Test func `has a window for each terminal, and all of them come back`() throws {
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
        try Self.contacts("--list", at: directory).components(separatedBy: "in use").count == 3)
      try first.kill9()
      try second.kill9()
      // The one that was saved last is the first one back, whichever terminal it was in.
      for (app, text) in [(first, "b"), (second, "a")] {
        try app.start()
        #expect(try app.screen(afterKeys: 2)[3] == "  Name:   \(text)")
      }
      let name = try #require(
        Self.contacts("--list", at: directory).split(separator: ":").first.map(String.init))
      #expect(try Self.contacts("--show", name, at: directory).contains("texts: "))
      try first.kill9()
      try second.kill9()
      #expect(try Self.contacts("--remove", name, at: directory) == "")
      #expect(!(try Self.contacts("--list", at: directory).contains(name)))
    }
  }

  @Test func `says that it needs a terminal`() throws {
    try withTemporaryDirectory { (directory: URL) throws in
      #expect(
        try Self.contacts(at: directory)
          == "contacts: There is no terminal to draw in; run it in one, not in a pipe.\n")
    }
  }

  /// What the app prints when it draws nothing.
  private static func contacts(_ arguments: String..., at directory: URL) throws -> String {
    let process = Process()
    process.executableURL = try Tool.executable("contacts")
    process.arguments = arguments + ["--directory", directory.path]
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }
}

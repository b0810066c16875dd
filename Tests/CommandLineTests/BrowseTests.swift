import CommandSupport
import Foundation
import Keepsake
import TerminalScreen
import Testing

@testable import KeepsakeCommand

@Suite struct `An archive in the terminal` {
  /// A list that refers to a number of notes, each of which refers to the list.
  private func archive(noteCount: Int) throws -> [UInt8] {
    var writer = ArchiveWriter()
    try writer.writeObject(.init(1), typeName: "List") { coder in
      let notes = (0..<noteCount).map { DynamicValue.reference(.init(UInt32($0 + 2))) }
      coder.encodeFields(
        of: .init(fields: [
          .init(key: "title", value: .string("All")), .init(key: "notes", value: .array(notes)),
          .init(
            key: "colours",
            value: .dictionary([.init(key: .string("sky"), value: .string("blue"))])),
        ]))
    }
    for number in 0..<noteCount {
      try writer.writeObject(writer.nextObjectID, typeName: "Note") { coder in
        coder.encodeFields(
          of: .init(fields: [
            .init(key: "text", value: .string("Note \(number)")),
            .init(key: "list", value: .reference(.init(1))),
          ]))
      }
    }
    return try writer.finish(root: .init(1))
  }

  private func screen(noteCount: Int = 3) throws -> BrowseScreen {
    try BrowseScreen(Archive(try archive(noteCount: noteCount)), title: "notes")
  }

  /// The lines of a screen, without trailing spaces.
  private func lines(of screen: BrowseScreen, width: Int = 60, height: Int = 20) -> [String] {
    var screen = screen
    let text = screen.draw(.init(width: width, height: height)).controlSequences
    return text.components(separatedBy: "\u{1B}[").dropFirst().reduce(into: [String]()) {
      lines, part in
      let rest = part.drop { !$0.isLetter }.dropFirst()
      if part.wholeMatch(of: /\d+;1H.*/) != nil {
        lines.append(String(rest))
      } else if !lines.isEmpty {
        lines[lines.count - 1] += rest
      }
    }.map { $0.replacing(#/ +$/#, with: "") }
  }

  private func press(_ screen: inout BrowseScreen, _ keys: TerminalKey...) {
    for key in keys {
      let goesOn = screen.handle(key)
      #expect(goesOn)
    }
  }

  @Test func `The root is open, and shows keys, types and values`() throws {
    let screen = try screen()
    #expect(
      lines(of: screen).prefix(6) == [
        " notes", " - #1 List  root  (\(try rootSize()) bytes)", "     title: String = \"All\"",
        "   + notes: array = 3 elements",
        "   + colours: dictionary = \(try dictionarySize()) bytes",
        " + all objects",
      ])
  }

  private func rootSize() throws -> Int {
    try Archive(try archive(noteCount: 3)).object(.init(1)).byteCount
  }

  private func dictionarySize() throws -> Int {
    let archive = try Archive(try archive(noteCount: 3))
    return try ValueFinder(archive).place(at: ValuePath("colours")).range.count
  }

  @Test func `Arrow keys open and close rows, and go to the row that contains one`() throws {
    var screen = try screen()
    press(&screen, .down, .down, .right, .right)
    #expect(
      try screen.rows.text(of: screen.rows.rows[screen.selected]) == "[0]: reference = -> #2 Note")
    press(&screen, .right, .right)
    #expect(lines(of: screen)[5].hasPrefix("       + #2 Note  ("))
    press(&screen, .left, .left, .left)
    #expect(screen.selected == 2)
    press(&screen, .left)
    #expect(screen.rows.rows.count == 5)
    press(&screen, .down, .right, .down)
    #expect(lines(of: screen)[5] == #"       ["sky"]: String = "blue""#)
  }

  @Test func `Enter follows a reference, and Backspace goes back`() throws {
    var screen = try screen()
    press(&screen, .down, .down, .right, .down, .down, .enter)
    #expect(try screen.rows.text(of: screen.rows.rows[screen.selected]).hasPrefix("#3 Note"))
    press(&screen, .backspace)
    #expect(
      try screen.rows.text(of: screen.rows.rows[screen.selected]) == "[1]: reference = -> #3 Note")
    press(&screen, .backspace)
    #expect(lines(of: screen).last == " There is no row to go back to.")
  }

  @Test func `A search continues from object to object, and starts again after the last one`()
    throws
  {
    var screen = try screen(noteCount: 2_500)
    press(&screen, .character("/"))
    for character in "NOTE 124" { press(&screen, .character(character)) }
    #expect(lines(of: screen).last == " Search: NOTE 124")
    press(&screen, .enter)
    var found: [String] = []
    for _ in 0..<12 {
      found.append(try screen.rows.value(of: screen.rows.rows[screen.selected]))
      press(&screen, .character("n"))
    }
    #expect(
      found
        == [
          "124", "1240", "1241", "1242", "1243", "1244", "1245", "1246", "1247", "1248", "1249",
          "124",
        ].map { "\"Note \($0)\"" })
    press(&screen, .character("/"), .character("?"), .enter)
    #expect(
      lines(of: screen, width: 80).last?.hasPrefix(" No object has \"?\" in its type") == true)
  }

  @Test func `The bytes of a row have the names of their fields`() throws {
    let bytes = try archive(noteCount: 3)
    var screen = try screen()
    press(&screen, .down, .character("b"))
    let start = try #require(bytes.firstRange(of: Array("All".utf8))).lowerBound
    let shown = lines(of: screen, width: 80)
    #expect(shown.contains(" Bytes \(start) to \(start + 3): 3"))
    let offset = String(start, radix: 16)
    #expect(
      shown.contains {
        $0.hasPrefix(" " + String(repeating: "0", count: 6 - offset.count) + offset + "  41 6c 6c ")
          && $0.hasSuffix("All       payload title: String")
      })
    press(&screen, .up)
    let object = lines(of: screen, width: 80, height: 30)
    #expect(object.contains { $0.hasSuffix("  end of title") })
    #expect(object.contains { $0.hasSuffix("  notes[0]: reference") })
  }

  @Test func `Bytes of an archive in a file are read when they are shown`() throws {
    try withTemporaryDirectory { directory in
      let bytes = try archive(noteCount: 30)
      let file = directory.appendingPathComponent("notes")
      try Data(bytes).write(to: file)
      let stored = try Archive(source: FileSource(file.path))
      for start in stride(from: 0, to: bytes.count, by: 7) {
        let end = min(bytes.count, start + 100)
        #expect(try stored.bytes(in: start..<start + 100) == Array(bytes[start..<end]))
      }
    }
  }

  @Test func `A long text is shown by its beginning and its length`() throws {
    var writer = ArchiveWriter()
    try writer.writeObject(.init(1), typeName: "T") { coder in
      coder.encode(String(repeating: "\u{202E}a", count: 1 << 20), forKey: "k")
    }
    var screen = try BrowseScreen(Archive(try writer.finish(root: .init(1))), title: "t")
    press(&screen, .down)
    let shown = lines(of: screen)
    #expect(shown[2].hasPrefix(#"     k: String = 4194304 bytes, which begin with "\u{202E}a"#))
    #expect(!shown.joined().unicodeScalars.contains { $0.steersDisplay })
  }

  @Test(arguments: [(1, 1), (3, 2), (20, 5), (300, 100)])
  func `A screen of any size is drawn`(width: Int, height: Int) throws {
    var screen = try screen()
    press(&screen, .end, .right, .end, .character("b"), .home, .pageDown)
    #expect(lines(of: screen, width: width, height: height).count == height)
  }

  @Test func `The tool reports a missing terminal with the exit code of wrong usage`() throws {
    try Workplace.with { place in
      try place.write("notes", Data(try archive(noteCount: 1)))
      let result = try place.run("browse", "notes")
      #expect(result.exitCode == 64 && result.error.contains("There is no terminal to draw in"))
    }
  }

  @Test func `Each bad input to browse has its own exit code even without a terminal`() throws {
    try Workplace.with { place in
      let file = Data(try archive(noteCount: 1))
      try place.write("cut", file.dropLast(3))
      try place.write("text", "no archive")
      #expect(try place.fail(65, "browse", "cut").contains("cut"))
      #expect(try place.fail(65, "browse", "text").contains("text"))
      #expect(try place.fail(66, "browse", "absent").contains("absent"))
    }
  }

  @Test(.needsTerminal)
  func `Keys move through a file in a terminal, and the tool clears the screen at its end`() throws
  {
    try Workplace.with { place in
      try place.write("notes", Data(try archive(noteCount: 3)))
      let tool = try Tool.url.path
      let terminal = try ProgramInTerminal([
        "sh", "-c", "'\(tool)' browse '\(place.url("notes").path)'; echo ended with $?; cat",
      ])
      try terminal.screen { $0.contains { $0.contains("title: String = \"All\"") } }
      try terminal.press("Down", "Down", "Right", "Down", "Enter")
      try terminal.screen { $0.contains { $0.contains("text: String = \"Note 0\"") } }
      try terminal.press("BSpace", "Home", "b")
      try terminal.screen { $0.contains { $0.hasPrefix(" Bytes ") } }
      try terminal.resize(width: 50, height: 12)
      try terminal.screen { $0.contains { $0.contains("title: String") } }
      try terminal.press("q")
      let last = try terminal.screen { $0.contains("ended with 0") }
      #expect(!last.contains { $0.contains("title") })
      #expect(try place.names() == ["notes"])
    }
  }
}

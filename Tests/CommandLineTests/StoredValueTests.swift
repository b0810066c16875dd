import Foundation
import Keepsake
import Testing

@testable import KeepsakeCommand

private struct Settings: Codable, Equatable {
  var fontSize = 12
  var title = "Ada"
  var ratio = 1.5
  var isDark = true
  var saved = Date(timeIntervalSinceReferenceDate: 60)
  var log: [Entry] = (0..<30).map { Entry(level: $0 % 10 == 0 ? "error" : "info", number: $0) }
  var colors = ["ink": "black"]
  var note: String?

  struct Entry: Codable, Equatable {
    var level: String
    var number: Int
  }
}

/// Files of `SealedValueStore` and `SealedValue` in the tool.
@Suite struct `The file of a value` {
  private func withStore(_ body: (Workplace, SealedValueStore<Settings>) throws -> Void) throws {
    try Workplace.with { place in
      try place.succeed("keygen", "key", "key")
      let key = SealedValueKey.key(try SealKey.read(at: place.url("key").path))
      let store = SealedValueStore(
        path: place.url("settings").path, key: key, default: Settings())
      try store.save(Settings())
      try body(place, store)
    }
  }

  @Test(
    arguments: [
      ("fontSize", "12\n"), ("value.fontSize", "12\n"), ("colors.ink", "black\n"),
      ("log[29].number", "29\n"), ("saved", "2001-01-01T00:01:00Z\n"),
      ("log[..<2]", #"[{"level":"error","number":0},{"level":"info","number":1}]"# + "\n"),
      ("log[29...]", #"[{"level":"info","number":29}]"# + "\n"), ("log[40..<50]", "[]\n"),
      ("@Codable.fontSize", "12\n"),
    ])
  func `A path begins at the value that was saved`(path: String, value: String) throws {
    try withStore { place, _ in
      let found =
        path.hasPrefix("@")
        ? try place.succeed("get", "settings", "@Codable.value.fontSize")
        : try place.succeed("get", "settings", path)
      #expect(found.output == value)
    }
  }

  @Test func `The error of an absent name suggests the nearest one`() throws {
    try withStore { place, _ in
      try place.succeed("verify", "settings")
      #expect(try place.fail(66, "get", "settings", "fontsize").contains("\"fontSize\""))
      #expect(try place.fail(66, "get", "settings", "colors.inc").contains("\"ink\""))
      #expect(try place.fail(66, "get", "settings", "@Codabel").contains("Codable\""))
      #expect(try place.fail(65, "get", "settings", "fontSize[..<2]").contains("no array"))
    }
  }

  @Test func `A value is shown as a tree with its dates as dates`() throws {
    try withStore { place, _ in
      let shown = try place.succeed("inspect", "settings").output
      let lines = shown.split(separator: "\n").map(String.init)
      #expect(lines.allSatisfy { $0.count < 200 }, "\(shown)")
      for line in [
        "    fontSize: Int32 = 12", "    title: String = \"Ada\"",
        "    colors: dictionary = [\"ink\": \"black\"]", "    log: array of 30",
        "      [0]: record = (level: \"error\", number: 0)", "      … 10 more",
      ] {
        #expect(lines.contains { $0.hasPrefix(line) }, "\(line): \(shown)")
      }
      #expect(shown.contains("2001-01-01T00:01:00Z") && !shown.contains("since 2001"))
    }
  }

  @Test func `Records are chosen by the value of a key`() throws {
    try withStore { place, _ in
      let errors = try place.succeed(
        "export", "settings", "log", "--format", "lines", "--where", "level=error")
      #expect(
        errors.output
          == [0, 10, 20].map { "{\"level\":\"error\",\"number\":\($0)}\n" }.joined())
      let some = try place.succeed(
        "export", "settings", "log[5...10]", "--format", "csv", "--where", "level!=info")
      #expect(some.output == "level,number\nerror,10\n")
      let both = try place.succeed(
        "export", "settings", "log", "--where", "level=error", "--where", "number=20")
      #expect(both.output.contains("20") && !both.output.contains("10"))
      let objects = try place.succeed(
        "export", "settings", "--format", "lines", "--where", "nothing=1")
      #expect(objects.output.isEmpty)
      try place.fail(64, "export", "settings", "log", "--where", "level")
    }
  }

  @Test func `A table to standard output has the columns of its first records or the named ones`()
    throws
  {
    try Workplace.with { place in
      let records = (0..<1_500).map { "{\"a\": \($0)\($0 == 1_200 ? ", \"b\": 1" : "")}" }
      try place.write("a.json", "{\"list\": [\(records.joined(separator: ", "))]}")
      try place.succeed("import", "a.json", "-o", "archive")
      let error = try place.fail(65, "export", "archive", "list", "--format", "csv")
      #expect(error.contains("Record 1201") && error.contains("--columns"), "\(error)")
      let table = try place.succeed(
        "export", "archive", "list", "--format", "csv", "--columns", "b,a")
      let lines = table.output.split(separator: "\n")
      #expect(lines.count == 1_501 && lines[0] == "b,a" && lines[1_201] == "1,1200")
      try place.succeed("export", "archive", "list", "--format", "csv", "-o", "table")
      #expect(try place.read("table").starts(with: Data("a,b\n0,\n".utf8)))
      try place.fail(64, "export", "archive", "list", "--columns", "a")
    }
  }

  @Test func `Objects are found by their type and by their identifier`() throws {
    try Workplace.with { place in
      var writer = ArchiveWriter()
      for (number, type) in ["Window", "Note", "Note"].enumerated() {
        try writer.writeObject(.init(UInt32(number + 1)), typeName: type) {
          $0.encode(number, forKey: "n")
        }
      }
      try place.write("archive", Data(try writer.finish(root: .init(1))))
      #expect(try place.succeed("get", "archive", "@Window.n").output == "0\n")
      let error = try place.fail(64, "get", "archive", "@Note.n")
      #expect(error.contains("@2, @3"), "\(error)")
      try place.succeed("contacts", "--directory", "app", "--play")
      let shown = try place.succeed("inspect", "app/state").output
      #expect(shown.contains("#ContactsStack"), "\(shown)")
      try place.succeed("get", "app/state", "@ContactsStack")
    }
  }

  @Test func `An imported value is loaded by the store`() throws {
    try withStore { place, store in
      var settings = Settings()
      settings.fontSize = 20
      settings.note = "new"
      settings.saved = Date(timeIntervalSinceReferenceDate: 0)
      try place.write(
        "new.json",
        """
        {"fontSize": 20, "title": "Ada", "ratio": 1.5, "isDark": true, "colors": {"ink": "black"}, "note": "new",
         "log": [\(settings.log.map { "{\"level\": \"\($0.level)\", \"number\": \($0.number)}" }.joined(separator: ","))]}
        """)
      try place.succeed("import", "new.json", "--as", "value", "-k", "key", "-o", "settings")
      let loaded = try store.load()
      settings.saved = loaded.saved
      #expect(loaded == settings)
      try place.fail(64, "import", "new.json", "--as", "value", "-o", "settings")
      try place.fail(64, "import", "new.json", "--purpose", "x", "-o", "plain")
      let key = SealedValueKey.key(try SealKey.read(at: place.url("key").path))
      try place.succeed(
        "import", "new.json", "--as", "value", "--purpose", "main", "-k", "key", "-o", "other")
      let other = place.url("other").path
      let error = #expect(throws: KeepsakeError.self) {
        try SealedValue.load(Settings.Entry.self, from: other, with: key)
      }
      #expect(error?.code == .wrongPurpose)
    }
  }

  @Test func `One value is set and removed, and the store loads the rest as it was`() throws {
    try withStore { place, store in
      for (path, value) in [
        ("fontSize", "14"), ("title", "12"), ("ratio", "2"), ("isDark", "false"),
        ("saved", "2001-01-01T00:02:00Z"), ("log[1].level", "warning"), ("colors.paper", "white"),
        ("note", "set"),
      ] {
        try place.succeed("set", "settings", path, value)
      }
      try place.succeed("unset", "settings", "log[0]")
      try place.succeed("unset", "settings", "colors.ink")
      var settings = Settings()
      (settings.fontSize, settings.title, settings.ratio, settings.isDark) = (14, "12", 2, false)
      settings.saved = Date(timeIntervalSinceReferenceDate: 120)
      settings.log[1].level = "warning"
      settings.log.removeFirst()
      settings.colors = ["paper": "white"]
      settings.note = "set"
      #expect(try store.load() == settings)
      let verified = try place.succeed("verify", "settings").output
      #expect(verified.contains("the archive in it: sound\n"), "\(verified)")
      // Each change is one generation.
      #expect(
        verified.contains("generation 11") || verified.contains("generation 10"), "\(verified)")
    }
  }

  @Test func `A change that does not fit leaves the file as it is`() throws {
    try withStore { place, _ in
      let before = try place.read("settings")
      for (path, value, code) in [
        ("fontSize", "large", 64), ("isDark", "1", 64), ("saved", "today", 64),
        ("saved", "2023-02-29T00:00:00Z", 64), ("saved", "2024-01-01T25:61:61Z", 64),
        ("log[30].level", "x", 66), ("log.first", "x", 66), ("fontSize.x", "1", 66), ("", "1", 64),
        ("log[..<2]", "[]", 64),
      ] as [(String, String, Int32)] {
        try place.fail(code, "set", "settings", path, value)
        #expect(try place.read("settings") == before, "\(path)")
      }
      #expect(try place.fail(66, "unset", "settings", "fontsize").contains("\"fontSize\""))
      try place.succeed("keygen", "key", "other")
      try place.succeed("rewrap", "settings", "-k", "key", "--add-key", "other")
      let error = try place.fail(77, "set", "settings", "fontSize", "14", "-k", "key")
      #expect(error.contains("slot 1"), "\(error)")
      try place.succeed("set", "settings", "fontSize", "14", "-k", "key", "-k", "other")
      #expect(try place.succeed("get", "settings", "fontSize").output == "14\n")
    }
  }

  @Test(
    arguments: [
      (.bytes([]), "AB=="), (.bytes([]), "AA"), (.float(0), "1e300"),
      (.uuid(ArchiveUUID(low: 0, high: 0)), "+1234567-1234-1234-1234-123456789012"),
      (.uuid(ArchiveUUID(low: 0, high: 0)), "0x123456-1234-1234-1234-123456789012"),
      (.date(ArchiveDate(secondsSinceReferenceDate: 0)), "1582-10-10T00:00:00Z"),
    ] as [(DynamicValue, String)])
  func `A text that would be stored as another value is refused`(old: DynamicValue, text: String) {
    #expect(throws: (any Error).self) {
      try NewValue(text, isText: false).value(replacing: old)
    }
  }

  @Test func `A new value is read as the type of the old one`() throws {
    let uuid = ArchiveUUID(low: 1, high: 2)
    for (old, text, new) in [
      (.bytes([]), "AAE=", .bytes([0, 1])), (.float(0), "1.5", .float(1.5)),
      (.uuid(ArchiveUUID(low: 0, high: 0)), "\(uuid)", .uuid(uuid)),
      (
        .date(ArchiveDate(secondsSinceReferenceDate: 0)), "2000-12-31T23:59:59.500Z",
        .date(ArchiveDate(secondsSinceReferenceDate: -0.5))
      ),
    ] as [(DynamicValue, String, DynamicValue)] {
      #expect(try NewValue(text, isText: false).value(replacing: old) == new)
    }
  }

  @Test func `The errors name a sealed file without an archive, and the option that opens a file`()
    throws
  {
    try Workplace.with { place in
      try place.write("letter", "Dear Ada")
      try place.succeed("keygen", "identity", "me")
      try place.write("recipient", try place.succeed("keygen", "recipient", "me").output)
      try place.succeed("seal", "letter", "-o", "letter.sealed", "-r", "recipient")
      #expect(
        try place.fail(65, "set", "letter.sealed", "x", "1", "-k", "me").contains(
          "letter.sealed opens with its key, but there is no archive in it."))
      let error = try place.fail(77, "open", "letter.sealed")
      #expect(error.contains("Name one by --key.") && !error.contains("passphrase"), "\(error)")
    }
  }

  @Test func `An archive that is not sealed is changed, too`() throws {
    try Workplace.with { place in
      try place.write("a.json", #"{"people": [{"name": "Ada", "age": 36}], "tags": ["x"]}"#)
      try place.succeed("import", "a.json", "-o", "archive")
      try place.succeed("set", "archive", "people[0].name", "Grace")
      #expect(try place.fail(64, "get", "archive").contains("\"archive\" is a file, and no path"))
      try place.succeed("set", "archive", "tags", #"["work", "home"]"#)
      try place.succeed("set", "archive", "people[0].size", "1.75")
      try place.succeed("set", "archive", "code", "42", "--text")
      try place.succeed("unset", "archive", "people[0].age")
      #expect(
        try place.succeed("get", "archive", "").output
          == #"{"people":[{"name":"Grace","size":1.75}],"tags":["work","home"],"code":"42"}"# + "\n"
      )
    }
  }
}

import Foundation
import Keepsake
import Testing

@testable import KeepsakeCommand

@Suite struct `Two archives` {
  @Test func `Two archives are compared value by value`() throws {
    try Workplace.with { place in
      try place.write("old.json", "{\"a\": 1, \"b\": \"x\", \"gone\": true}")
      try place.write("new.json", "{\"a\": 2, \"b\": \"x\", \"come\": null}")
      try place.succeed("import", "old.json", "-o", "old")
      try place.succeed("import", "new.json", "-o", "new")
      let same = try place.succeed("diff", "old", "old")
      #expect(same.output.isEmpty)
      let result = try place.run("diff", "old", "new")
      #expect(result.exitCode == 1 && result.error.isEmpty)
      #expect(
        result.output == "~ #1\n    ~ a: 1 -> 2\n    + come: nil\n    - gone: true\n",
        "\(result.output)")
      let json = try place.run("diff", "old", "new", "--json")
      let document = try JSONSerialization.jsonObject(with: json.data) as? [String: Any]
      #expect(json.exitCode == 1 && document?["isSame"] as? Bool == false)
    }
  }

  @Test func `Two Unicode forms of one name differ in the text of inspect and of diff`() throws {
    try Workplace.with { place in
      let (composed, marked) = ("caf\u{E9}", "cafe\u{301}")
      func write(_ name: String, to file: String) throws {
        let inner = DynamicRecord(fields: [
          .init(key: ArchiveKey(name), value: .bool(true)),
          .init(key: ArchiveKey("\(name) 2"), value: .string(String(repeating: "x", count: 100))),
        ])
        var writer = ArchiveWriter()
        try writer.writeObject(.init(1), typeName: "T") { coder in
          coder.encodeFields(
            of: .init(fields: [
              .init(key: ArchiveKey(name), value: .record(inner)),
              .init(key: "z", value: .bool(true)),
            ]))
        }
        try place.write(file, Data(writer.finish(root: .init(1))))
      }
      try write(composed, to: "old")
      try write(marked, to: "new")
      let spelled = #""cafe\u{301}""#
      let (before, after) = (
        try place.succeed("inspect", "old").output, try place.succeed("inspect", "new").output
      )
      #expect(before.contains("\n  \(composed): ") && before.contains("\n    \(composed): "))
      #expect(after.contains("\n  \(spelled): ") && after.contains("\n    \(spelled): "))
      let lines = try place.run("diff", "old", "new").output.split(separator: "\n")
      #expect(lines.count == 3)
      #expect(lines[1].hasPrefix("    + \(spelled): "), "\(lines)")
      #expect(lines[2].hasPrefix("    - \(composed): "), "\(lines)")
      #expect(try place.succeed("inspect", "new", "--sizes").output.contains("    \(spelled): "))
    }
  }

  private func archive(_ objects: [(type: String, value: DynamicValue)]) throws -> Archive {
    var writer = ArchiveWriter()
    for (type, value) in objects {
      try writer.writeObject(writer.nextObjectID, typeName: type) { coder in
        coder.encodeFields(of: .init(fields: [.init(key: "v", value: value)]))
      }
    }
    return try Archive(writer.finish(root: .init(1)))
  }

  private func changes(
    _ old: Archive, _ new: Archive
  ) throws -> [ArchiveComparison.Change] {
    var changes: [ArchiveComparison.Change] = []
    try ArchiveComparison(old, new).forEachChange { change in
      changes.append(change)
      return true
    }
    return changes
  }

  private func json(of change: ArchiveComparison.Change) throws -> String {
    var writer = JSONWriter()
    try change.write(to: &writer)
    return writer.text
  }

  @Test func `A comparison lists added, removed and changed objects by their numbers`() throws {
    let values: [DynamicValue] = [
      .bool(true), .reference(.init(1)), .array([.reference(.init(1))]), .string("last"),
    ]
    let four = try archive(values.map { ("T", $0) })
    let two = try archive([("T", .bool(false)), ("T", values[1])])
    let lost = try changes(four, two)
    #expect(lost.flatMap(\.lines) == ["~ #1", "    ~ v: true -> false", "- #3", "- #4"])
    let gained = try changes(two, four)
    #expect(gained.flatMap(\.lines) == ["~ #1", "    ~ v: false -> true", "+ #3", "+ #4"])
    #expect(
      try gained.map { try json(of: $0) } == [
        ##"{"object":"#1","change":"changed","differences":[{"name":"v","old":false,"new":true}]}"##,
        ##"{"object":"#3","change":"added","differences":[]}"##,
        ##"{"object":"#4","change":"added","differences":[]}"##,
      ])
    #expect(try changes(four, four).isEmpty)
    #expect(try !ArchiveComparison(four, four).hasChanges)
    #expect(try ArchiveComparison(two, four).hasChanges)
  }

  @Test func `A comparison prints dates in ISO 8601, also those in lists`() throws {
    let dates = [0, 0.5].map { DynamicValue.date(ArchiveDate(secondsSinceReferenceDate: $0)) }
    let (old, new) = (
      try archive([("T", dates[0])]), try archive([("T", .array([.array(dates), .null]))])
    )
    #expect(
      try changes(old, new).first?.lines == [
        "~ #1",
        "    ~ v: 2001-01-01T00:00:00Z -> [[2001-01-01T00:00:00Z, 2001-01-01T00:00:00.500Z], nil]",
      ])
  }

  @Test func `A comparison includes archive values, and reads one archive from standard input`()
    throws
  {
    try Workplace.with { place in
      try place.write("a.json", "{}")
      for version in ["1", "2"] {
        try place.succeed("import", "a.json", "-o", version, "--bundle-version", version)
      }
      let result = try place.run("diff", "1", "2")
      #expect(result.exitCode == 1)
      #expect(
        result.output
          == "~ the archive's own values: {\"bundleVersion\":\"1\"} -> {\"bundleVersion\":\"2\"}\n")
      let two = try place.read("2")
      #expect(try place.run("diff", "1", "-", input: two).exitCode == 1)
      #expect(try place.run("diff", "-", "2", input: two).exitCode == 0)
      #expect(try place.fail(64, "diff", "-", "-").contains("Only one of the two"))
    }
  }

  @Test func `Saved states are compared by restoration path, each with its own key`() throws {
    try Workplace.with { place in
      let app = place.url("app").path
      #expect(try place.run("contacts", "--directory", app, "--play").exitCode == 0)
      try FileManager.default.copyItem(at: place.url("app/state"), to: place.url("before"))
      #expect(try place.run("contacts", "--directory", app, "--save").exitCode == 0)
      let result = try place.run("diff", "before", "app/state")
      #expect(result.exitCode <= 1, "\(result.error)")
      #expect(!result.output.contains("~ #"), "\(result.output)")
    }
  }

  @Test func `A comparison of saved states names objects by restoration path`() throws {
    try Workplace.with { place in
      let app = place.url("app").path
      try place.succeed("contacts", "--directory", app, "--save")
      try FileManager.default.copyItem(at: place.url("app/state"), to: place.url("before"))
      try place.succeed("contacts", "--directory", app, "--play")
      let result = try place.run("diff", "before", "app/state")
      #expect(result.exitCode == 1 && result.error.isEmpty, "\(result.error)")
      let lines = result.output.split(separator: "\n").map(String.init)
      #expect(lines.contains("+ [Tabs, ContactsStack, Contact]"), "\(result.output)")
      let list = lines.drop { $0 != "~ [Tabs, ContactsStack, AllContacts]" }.prefix(2)
      #expect(list.last == "    ~ isEditing: false -> true", "\(result.output)")
    }
  }
}

@Suite struct `The sessions of an app` {
  /// Saves two sessions, with new identifiers or with the given ones.
  private func withSessions(
    _ identifiers: [String] = [], _ body: (Workplace, [String]) async throws -> Void
  ) async throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("keepsake-tests-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    let place = Workplace(directory: url)
    let sessions = StateSessions(in: StateDirectory(path: place.url("app").path))
    var names: [String] = []
    for (index, text) in ["first", "second"].enumerated() {
      let identifier =
        identifiers.isEmpty ? SessionIdentifier() : try SessionIdentifier(identifiers[index])
      let session = try await sessions.open(identifier)
      var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: "1.0"))
      try writer.writeObject(.init(1), typeName: "Window") { $0.encode(text, forKey: "draft") }
      _ = try await session.save(try writer.finish(root: .init(1)), previous: .replace)
      await session.suspend()
      names.append("\(session.identifier)")
    }
    try await body(place, names)
  }

  @Test func `Sessions are listed, shown and erased`() async throws {
    try await withSessions { place, names in
      let list = try place.succeed("sessions", "list", "app").output
      for name in names { #expect(list.contains(name)) }
      #expect(list.split(separator: "\n").count == 2, "\(list)")
      let shown = try place.succeed("sessions", "show", "app", names[0]).output
      #expect(shown.contains("draft: String = \"first\""), "\(shown)")
      #expect(
        try place.succeed("get", "app", "draft", "--session", names[1]).output == "second\n")
      try place.succeed("sessions", "remove", "app", names[0])
      try place.fail(66, "sessions", "show", "app", names[0])
      try place.fail(66, "sessions", "remove", "app", names[0])
      #expect(try !place.succeed("sessions", "list", "app").output.contains(names[0]))
      try place.fail(66, "sessions", "list", "nowhere")
      try place.fail(64, "sessions", "show", "app", "../app")
      #expect(try place.names() == ["app"])
    }
  }

  @Test func `A session is found when its name is the start of another name`() async throws {
    try await withSessions(["note", "note-2"]) { place, names in
      for (name, text) in zip(names, ["first", "second"]) {
        let value = try place.succeed("get", "app", "draft", "--session", name)
        #expect(value.output == "\(text)\n")
      }
    }
  }

  @Test func `Sessions are listed with the time of their last save`() async throws {
    try await withSessions { place, names in
      let lines = try place.succeed("sessions", "list", "app").output.split(separator: "\n")
      let document = try JSONSerialization.jsonObject(
        with: place.succeed("sessions", "list", "app", "--json").data)
      let all = try #require(document as? [[String: Any]])
      #expect(all.count == names.count && lines.count == names.count)
      for summary in all {
        let name = try #require(summary["session"] as? String)
        let time = try #require(summary["lastSaved"] as? String)
        #expect(names.contains(name) && time.wholeMatch(of: /\d{4}-\d\d-\d\dT[\d:.]+Z/) != nil)
        #expect(
          lines.contains { line in
            let words = line.split(separator: " ")
            return words.first == Substring(name) && words.last == Substring(time)
          }, "\(lines)")
      }
    }
  }
}

import Foundation
import Keepsake
import Testing

@Suite struct `Two archives` {
  @Test func `are compared value by value`() throws {
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

  @Test func `of saved states are compared by restoration path, with a key each`() throws {
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
}

@Suite struct `The sessions of an app` {
  private func withSessions(_ body: (Workplace, [String]) async throws -> Void) async throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("keepsake-tests-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    let place = Workplace(directory: url)
    let sessions = StateSessions(in: StateDirectory(path: place.url("app").path))
    var names: [String] = []
    for text in ["first", "second"] {
      let session = try await sessions.open()
      var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: "1.0"))
      try writer.writeObject(.init(1), typeName: "Window") { $0.encode(text, forKey: "draft") }
      _ = try await session.save(try writer.finish(root: .init(1)), previous: .replace)
      await session.suspend()
      names.append("\(session.identifier)")
    }
    try await body(place, names)
  }

  @Test func `are listed, shown and erased`() async throws {
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
}

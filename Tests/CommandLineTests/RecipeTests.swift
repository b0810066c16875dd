import Foundation
import Testing

/// The recipes of the article on the tool, run as a reader would run them.
@Suite struct `The recipes of the command line` {
  private static func recipes() throws -> [String] {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = root.appendingPathComponent("Sources/Keepsake/Keepsake.docc/CommandLine.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    return text.components(separatedBy: "```sh\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
  }

  @Test func `The recipes work, one after the other`() throws {
    try Workplace.with { place in
      let app = try place.run("contacts", "--directory", place.directory.path, "--save")
      #expect(app.exitCode == 0, "\(app.error)")
      try place.succeed("keygen", "key", "my.key")
      try place.succeed("keygen", "identity", "friend.identity")
      try place.write("report", "the report\n")
      try place.succeed("seal", "report", "--key", "my.key", "-o", "report.sealed")
      try place.write(
        "settings.plist",
        "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>fontSize</key><integer>14</integer>"
          + "</dict></plist>")
      try place.write("note.txt", "a note\n")
      try place.write("letter.txt", "a letter\n")
      let friend = try place.succeed("keygen", "recipient", "friend.identity").output
      try place.write("friend.txt", friend)
      let recipes = try Self.recipes()
      #expect(recipes.count == 9)
      // Each line of a recipe must succeed. The recipes run in their order, in the same directory.
      let tool = try Tool.url.deletingLastPathComponent().path
      var outputs: [String] = []
      for recipe in recipes {
        let result = try Tool.run(
          program: "keepsake", [],
          under: [
            "PATH=\(tool):/usr/local/bin:/usr/bin:/bin", "bash", "-euo", "pipefail", "-c", recipe,
          ], in: place.directory)
        #expect(result.exitCode == 0 && result.error.isEmpty, "\(recipe)\(result.error)")
        outputs.append(result.output)
      }
      #expect(outputs[0] == "the report\n")
      #expect(try place.read("letter.txt") == Data("a letter\n".utf8))
      #expect(outputs[2].contains("state/state.keepsake"))
      #expect(outputs[3].hasSuffix("the report\n"))
      for key in ["new.key", "friend.identity"] {
        try place.succeed("open", "report.sealed", "--key", key)
      }
      try place.fail(77, "open", "report.sealed", "--key", "my.key")
      #expect(outputs[5].contains("ContactsStack"))
      #expect(outputs[6] == "14\n")
      try place.succeed("verify", "state.archive")
      #expect(outputs[8].hasPrefix("-----BEGIN KEEPSAKE SEALED FILE-----\n"))
    }
  }
}

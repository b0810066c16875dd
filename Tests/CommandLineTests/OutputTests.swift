import Foundation
import Testing

@Suite struct `Output of the tool` {
  @Test(arguments: [
    ["--help"], ["inspect", "sealed"], ["open", "sealed", "-o", "-"], ["--version"],
  ])
  func `Output that cannot be written is an error`(arguments: [String]) throws {
    try Workplace.with { place in
      try place.succeed("keygen", "key", "key")
      try place.write("plain", String(repeating: "plain\n", count: 20_000))
      try place.succeed("seal", "plain", "-k", "key", "-o", "sealed")
      let result = try Tool.run(
        program: "keepsake", arguments,
        under: ["bash", "-c", "exec \"$0\" \"$@\" > /dev/full"], in: place.directory)
      #expect(result.exitCode == 74, "\(result.error)")
      #expect(result.error.contains("No space left on device"), "\(result.error)")
    }
  }

  @Test func `The error of output that cannot be written says that a change was made`() throws {
    try Workplace.with { place in
      try place.succeed("keygen", "key", "key")
      try place.succeed("keygen", "key", "other")
      try place.write("plain", "plain")
      try place.succeed("seal", "plain", "-k", "key", "-o", "sealed")
      for (arguments, said) in [
        (["keygen", "identity", "me"], "Made the identity me. "),
        (["keygen", "key", "new"], "Made the key file new. "),
        (
          ["rewrap", "sealed", "-k", "key", "--add-key", "other"],
          "The slots of sealed were changed. "
        ),
        (["reseal", "sealed", "-k", "key", "-k", "other"], "sealed was sealed anew. "),
      ] {
        let result = try Tool.run(
          program: "keepsake", arguments,
          under: ["bash", "-c", "exec \"$0\" \"$@\" > /dev/full"], in: place.directory)
        #expect(result.exitCode == 74, "\(result.error)")
        #expect(
          result.error.contains(said) && result.error.contains("could not be written"),
          "\(result.error)")
      }
      #expect(FileManager.default.fileExists(atPath: place.directory.path + "/me"))
    }
  }

  @Test func `The tool ends silently when its output is no longer read`() throws {
    try Workplace.with { place in
      try place.succeed("keygen", "key", "key")
      try place.write("plain", Data(count: 4_000_000))
      try place.succeed("seal", "plain", "-k", "key", "-o", "sealed")
      let script = "\"$0\" \"$@\" | head -c 10 | wc -c; echo \"${PIPESTATUS[0]}\""
      let result = try Tool.run(
        program: "keepsake", ["open", "sealed"], under: ["bash", "-c", script],
        in: place.directory)
      #expect(result.output == "10\n141\n" && result.error.isEmpty, "\(result.error)")
    }
  }

  @Test(.needsTerminal)
  func `A terminal shows a text, and shows other bytes only on request`() throws {
    try Workplace.with { place in
      try place.succeed("keygen", "key", "key")
      let tool = try Tool.url.path
      for (content, code) in [
        (Data("first line\nlast line".utf8), 0), (Data("\u{1B}[31m".utf8), 64),
        (Data([0xFF, 0x41]), 64),
      ] {
        try place.write("plain", content)
        try place.succeed("seal", "plain", "-k", "key", "-o", "sealed")
        let terminal = try ProgramInTerminal(
          ["sh", "-c", "cd '\(place.directory.path)'; '\(tool)' open sealed; echo code $?; cat"])
        let screen = try terminal.screen { $0.contains { $0.hasPrefix("code") } }
        #expect(screen.contains("code \(code)"), "\(screen)")
        #expect(screen.contains("last line") == (code == 0), "\(screen)")
      }
    }
  }
}

@Suite(.needsTerminal) struct `A value at the terminal` {
  @Test func `A value is shown with escapes at the terminal, and written raw to a file`() throws {
    try Workplace.with { place in
      try place.write("a.json", #"{"name": "\u001b[31mred"}"#)
      try place.succeed("import", "a.json", "-o", "archive")
      let tool = try Tool.url.path
      let script = """
        cd '\(place.directory.path)'
        '\(tool)' get archive name; '\(tool)' get archive name -o out; echo code $?; cat
        """
      let terminal = try ProgramInTerminal(["sh", "-c", script])
      let screen = try terminal.screen { $0.contains { $0.hasPrefix("code") } }
      #expect(screen.contains(#"\u{1B}[31mred"#) && screen.contains("code 0"), "\(screen)")
      #expect(try place.read("out") == Data("\u{1B}[31mred\n".utf8))
    }
  }
}

@Suite(.needsTerminal) struct `A passphrase at the terminal` {
  private func start(_ place: Workplace, _ command: String) throws -> ProgramInTerminal {
    let tool = try Tool.url.path
    return try ProgramInTerminal(
      [
        "sh", "-c",
        "cd '\(place.directory.path)'; '\(tool)' \(command); echo code $?; stty -a; cat",
      ])
  }

  @Test
  func `The tool prompts twice for a new passphrase, hides it, and opens the key file with it`()
    throws
  {
    try Workplace.with { place in
      let terminal = try start(place, "keygen key my.key --passphrase --constrained")
      try terminal.screen { $0.contains { $0.hasPrefix("Passphrase for the key file my.key:") } }
      try terminal.type("wrong")
      try terminal.press("C-u")
      try terminal.type("opeé")
      try terminal.press("BSpace")
      try terminal.type("n sesame")
      try terminal.press("Enter")
      try terminal.screen { $0.contains { $0.hasPrefix("The same again:") } }
      try terminal.type("open sesame")
      try terminal.press("Enter")
      let screen = try terminal.screen { $0.contains { $0.hasPrefix("code") } }
      #expect(screen.contains("code 0"), "\(screen)")
      #expect(!screen.joined().contains("sesame"))
      try place.write("passphrase", "open sesame")
      try place.succeed(
        "seal", "my.key", "-k", "my.key", "--passphrase-file", "passphrase", "-o", "sealed")
    }
  }

  @Test
  func `The tool prompts for a passphrase when a file needs one, and ^C restores the terminal`()
    throws
  {
    try Workplace.with { place in
      try place.seal("what was sealed\n", under: "open sesame", as: "sealed")
      let terminal = try start(place, "open sealed -o -")
      try terminal.screen { $0.contains { $0.hasPrefix("Passphrase of sealed:") } }
      try terminal.type("open sesame")
      try terminal.press("Enter")
      try terminal.screen { $0.contains("what was sealed") && $0.contains("code 0") }
      let other = try start(place, "open sealed -o -")
      try other.screen { $0.contains { $0.hasPrefix("Passphrase of sealed:") } }
      try other.press("C-c")
      let screen = try other.screen { $0.contains { $0.hasPrefix("code") } }
      #expect(screen.contains("code 130"), "\(screen)")
      let settings = try other.screen { $0.joined(separator: " ").contains("echo ") }
      #expect(!settings.joined(separator: " ").contains("-echo "))
    }
  }
}

@Suite(.needsTerminal) struct `A passphrase that is typed wrong` {
  @Test(arguments: [
    ("open sealed -o -", "Passphrase of sealed:"),
    ("open other -k locked -o -", #"Passphrase of the key file "locked":"#),
    ("passwd locked", "Current passphrase of locked:"),
  ])
  func `The tool reports a wrong passphrase, and prompts for it twice more`(
    line: String, prompt: String
  ) throws {
    try Workplace.with { place in
      try place.write("passphrase", "open sesame")
      try place.write("plain", "what was sealed\n")
      try place.makeKey("locked", under: "open sesame")
      try place.seal("what was sealed\n", under: "open sesame", as: "sealed")
      try place.succeed(
        "seal", "plain", "-k", "locked", "--passphrase-file", "passphrase", "-o", "other")
      let tool = try Tool.url.path
      let command = "cd '\(place.directory.path)'; '\(tool)' \(line); echo code $?; cat"
      for (isRight, code) in [(true, 0), (false, 77)]
      where isRight == false || line != "passwd locked" {
        let terminal = try ProgramInTerminal(["sh", "-c", command])
        for attempt in 1...3 {
          let screen = try terminal.screen { screen in
            screen.count { $0.contains("assphrase") && $0.hasSuffix(":") } == attempt
          }
          #expect(screen.contains { $0.hasPrefix(prompt) }, "\(screen)")
          try terminal.type(isRight && attempt == 3 ? "open sesame" : "wrong \(attempt)")
          try terminal.press("Enter")
        }
        let screen = try terminal.screen { $0.contains { $0.hasPrefix("code") } }
        #expect(screen.contains("code \(code)"), "\(screen)")
        #expect(screen.count { $0.contains("That is not the passphrase") } >= 2, "\(screen)")
        #expect(screen.contains("what was sealed") == isRight, "\(screen)")
      }
    }
  }
}

@Suite(.needsTerminal) struct `Progress at a terminal` {
  @Test func `Progress is shown while a file is opened into a pipe`() throws {
    try Workplace.with { place in
      try place.succeed("keygen", "key", "key")
      try place.write("plain", Data(count: 12 << 20))
      try place.succeed("seal", "plain", "-k", "key", "-o", "sealed")
      // The reader takes some bytes one by one, so slowly that progress is shown. Then it takes more bytes than are
      // opened at a time. It takes the rest after a key was pressed.
      let tool = try Tool.url.path
      let script = """
        cd '\(place.directory.path)'
        '\(tool)' open sealed -k key | {
          dd bs=1 count=3000000 of=/dev/null status=none; head -c 4000000 > /dev/null
          printf '\\nwaiting\\n' > /dev/tty; read -r line < /dev/tty; cat > /dev/null
        }
        echo code ${PIPESTATUS[0]}; cat
        """
      let terminal = try ProgramInTerminal(["bash", "-c", script])
      let screen = try terminal.screen { $0.contains("waiting") }
      #expect(
        screen.contains { $0.hasPrefix("Opening  ") && $0.contains(" of 12.0 MiB, ") }, "\(screen)")
      try terminal.press("Enter")
      let end = try terminal.screen { $0.contains { $0.hasPrefix("code") } }
      #expect(end.contains("code 0"), "\(end)")
    }
  }
}

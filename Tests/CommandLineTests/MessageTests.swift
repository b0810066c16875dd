import Foundation
import Testing

@Suite struct `The messages of the tool` {
  @Test func `A command line without a verb or with an unknown verb is refused`() throws {
    try Workplace.with { place in
      for arguments in [[], ["sessions"], ["keygen"]] {
        let result = try Tool.run(program: "keepsake", arguments, in: place.directory)
        #expect(result.exitCode == 64 && result.output.isEmpty, "\(arguments)")
        #expect(result.error.contains("--help\" lists the verbs"), "\(result.error)")
      }
      #expect(try place.fail(64, "inspct", "x").contains("did you mean \"inspect\"?"))
      #expect(try place.fail(64, "sessions", "lst").contains("did you mean \"list\"?"))
      #expect(try !place.fail(64, "elephant").contains("did you mean"))
      try place.succeed("help", "seal")
      try place.succeed("sessions", "--help")
    }
  }

  private static let verbs = [
    ["keygen"], ["seal"], ["open"], ["verify"], ["rewrap"], ["reseal"], ["passwd"], ["inspect"],
    ["browse"], ["get"], ["set"], ["unset"], ["export"], ["import"], ["diff"], ["migrate"],
    ["sessions"], ["journal"], ["demo"], ["contacts"],
    ["keygen", "key"], ["keygen", "identity"], ["keygen", "recipient"], ["keygen", "signing-key"],
    ["keygen", "signer"], ["sessions", "list"], ["sessions", "show"], ["sessions", "remove"],
  ]

  @Test(arguments: verbs) func `The help of a verb has examples`(verb: [String]) throws {
    let help = try Tool.run(program: "keepsake", verb + ["--help"])
    #expect(help.exitCode == 0)
    let examples = try #require(help.output.split(separator: "Examples:\n").dropFirst().first)
      .prefix { $0 != "U" }
    #expect(examples.hasPrefix("  keepsake \(verb.joined(separator: " "))"), "\(help.output)")
    // A longer line is wrapped, and could not be copied.
    #expect(examples.split(separator: "\n").allSatisfy { $0.hasPrefix("  ") }, "\(examples)")
  }

  @Test func `The errors distinguish the kinds of keys`() throws {
    try Workplace.with { place in
      try place.succeed("keygen", "key", "my.key")
      try place.succeed("keygen", "identity", "me")
      try place.succeed("keygen", "signing-key", "signing")
      try place.write("words", "words\n")
      try place.write("plain", "plain")
      let age = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"
      for (code, arguments, said) in [
        (
          64, ["seal", "plain", "-o", "x", "-k", "my.key", "--passphrase-file", "words"],
          "--allow-mixed"
        ),
        (
          66, ["seal", "plain", "-o", "x", "-r", "nowhere.txt"],
          "There is no file at \"nowhere.txt\""
        ),
        (77, ["seal", "plain", "-o", "x", "-r", age], "is a recipient of age"),
        (77, ["seal", "plain", "-o", "x", "-r", "my.key"], "has a key file, and not a recipient"),
        (77, ["keygen", "recipient", "my.key"], "has a key file, and not an identity"),
        (77, ["keygen", "signer", "me"], "has an identity, and not a signing key"),
        (77, ["open", "plain", "-k", "signing"], "Name it by --sign"),
        (74, ["seal", ".", "-o", "x", "-k", "my.key"], "is a directory"),
        (
          77, ["seal", "plain", "-o", "x", "-k", "new.key"],
          "make one by \"keepsake keygen key new.key\""
        ),
        (77, ["open", "plain", "-k", "new.key"], "Put the key file back from a copy"),
      ] as [(Int32, [String], String)] {
        if arguments[0] == "open" {
          try place.succeed("seal", "plain", "-k", "my.key", "-o", "plain")
        }
        let result = try Tool.run(program: "keepsake", arguments, in: place.directory)
        #expect(result.exitCode == code, "\(arguments): \(result.error)")
        #expect(result.error.contains(said), "\(arguments): \(result.error)")
      }
    }
  }

  @Test func `A wrong passphrase is reported as such`() throws {
    try Workplace.with { place in
      try place.write("wrong", "wrong horse\n")
      try place.seal("plain", under: "correct horse", as: "sealed")
      let error = try place.fail(77, "open", "sealed", "--passphrase-file", "wrong")
      #expect(error.contains("That is not the passphrase of \"sealed\""), "\(error)")
      let missing = try place.fail(77, "open", "sealed")
      #expect(missing.contains("--passphrase-file"), "\(missing)")
    }
  }

  @Test func `The tool refuses to remove the last key of a file`() throws {
    try Workplace.with { place in
      try place.succeed("keygen", "key", "one")
      try place.succeed("keygen", "key", "two")
      try place.write("plain", "plain")
      try place.succeed("seal", "plain", "-k", "one", "-o", "sealed")
      let error = try place.fail(64, "rewrap", "sealed", "-k", "one", "--remove-slot", "0")
      #expect(error.contains("the last key of sealed"), "\(error)")
    }
  }

  @Test func `The errors distinguish a directory with sessions from one without a state`() throws {
    try Workplace.with { place in
      try FileManager.default.createDirectory(
        at: place.url("app/sessions/main"), withIntermediateDirectories: true)
      try FileManager.default.createDirectory(
        at: place.url("app/sessions/other"), withIntermediateDirectories: true)
      let error = try place.fail(66, "inspect", "app")
      #expect(error.contains("2 sessions") && error.contains("--session"), "\(error)")
      #expect(try place.fail(74, "open", "app/sessions/main").contains("no saved state"))
    }
  }

  @Test func `An imported archive without a version is not called a state`() throws {
    try Workplace.with { place in
      try place.write("a.json", "{}")
      try place.write("plan", #"{"version": "2.0", "steps": []}"#)
      try place.succeed("import", "a.json", "-o", "archive")
      let error = try place.fail(3, "migrate", "archive", "--plan", "plan")
      #expect(error.contains("--bundle-version") && !error.contains("start fresh"), "\(error)")
    }
  }

  @Test func `Signers are named by a file, and a text that names no signer is wrong usage`() throws
  {
    try Workplace.with { place in
      try place.succeed("keygen", "key", "key")
      let signer = try place.succeed("keygen", "signing-key", "signing").output
      try place.write("signers", "# trusted\n\(signer)")
      try place.write("plain", "plain")
      try place.succeed("seal", "plain", "-k", "key", "--sign", "signing", "-o", "sealed")
      for name in ["signers", "signing"] {
        let verified = try place.succeed("verify", "sealed", "-k", "key", "--signer", name)
        #expect(verified.output.contains("signed by"))
      }
      try place.succeed("keygen", "signing-key", "other")
      try place.fail(65, "verify", "sealed", "-k", "key", "--signer", "other")
      try place.fail(64, "verify", "sealed", "-k", "key", "--signer", "plain")
    }
  }
}

@Suite struct `Manual pages and completion scripts` {
  private static let python = "/usr/bin/python3"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: python)))
  func `Each verb has a manual page with examples and exit codes`() throws {
    try Workplace.with { place in
      let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent(".ci/manual").path
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Self.python)
      process.arguments = [script, try Tool.url.path, place.url("man").path]
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      let pages = try FileManager.default.contentsOfDirectory(atPath: place.url("man").path)
      #expect(pages.contains("keepsake.1") && pages.count > 17)
      for verb in ["seal", "open", "get", "set", "export", "sessions"] {
        let page = String(decoding: try place.read("man/keepsake-\(verb).1"), as: UTF8.self)
        for section in ["NAME", "SYNOPSIS", "EXAMPLES", "EXIT STATUS"] {
          #expect(page.contains("\n.SH \(section)\n"), "\(verb): \(section)")
        }
        #expect(page.contains("keepsake \(verb) "), "\(page)")
      }
    }
  }

  @Test(arguments: [("bash", "__keepsake_add_completions -f"), ("zsh", "_files"), ("fish", "-rF")])
  func `A completion script completes files`(shell: String, completion: String) throws {
    let script = try Tool.run("--generate-completion-script", shell)
    #expect(script.exitCode == 0 && script.output.contains(completion))
  }
}

@Suite struct `The permissions of a file that is changed` {
  private func mode(_ place: Workplace, _ name: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: place.url(name).path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test func `A change keeps the permissions of a file, and only the owner can read a new file`()
    throws
  {
    try Workplace.with { place in
      try place.succeed("keygen", "key", "key")
      try place.succeed("keygen", "key", "other")
      try place.write("words", "words\n")
      try place.write("new", "new words\n")
      try place.write("a.json", #"{"a": 1}"#)
      try place.succeed("import", "a.json", "--bundle-version", "1", "-o", "archive")
      try place.succeed("seal", "archive", "-k", "key", "-o", "sealed")
      try place.seal("locked", under: "words", as: "locked")
      try place.write(
        "plan", #"{"version": "2", "steps": [{"from": "1", "to": "2", "edits": []}]}"#)
      for name in ["archive", "sealed", "locked"] {
        #expect(try mode(place, name) == 0o600)
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o664], ofItemAtPath: place.url(name).path)
      }
      for line in [
        ["rewrap", "sealed", "-k", "key", "--add-key", "other"],
        ["reseal", "sealed", "-k", "key", "-k", "other"],
        ["set", "sealed", "a", "2", "-k", "key", "-k", "other"],
        ["migrate", "sealed", "--plan", "plan", "-k", "key", "-k", "other"],
        ["migrate", "archive", "--plan", "plan"],
        [
          "passwd", "locked", "--passphrase-file", "words", "--new-passphrase-file", "new",
          "--constrained",
        ],
      ] {
        let result = try Tool.run(program: "keepsake", line, in: place.directory)
        #expect(result.exitCode == 0, "\(result.error)")
        #expect(try mode(place, line[1]) == 0o664, "\(line)")
      }
      try place.succeed("open", "sealed", "-k", "key", "-o", "opened")
      #expect(try mode(place, "opened") == 0o600)
    }
  }
}

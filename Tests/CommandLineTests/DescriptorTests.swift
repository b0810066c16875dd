import Foundation
import Testing

@testable import KeepsakeCommand

@Suite struct `The path of a descriptor` {
  @Test func `Only a whole path names a descriptor`() {
    #expect(DescriptorPath.number(in: "/dev/stdin") == 0)
    #expect(DescriptorPath.number(in: "/dev/fd/3") == 3)
    #expect(DescriptorPath.number(in: "/proc/self/fd/12") == 12)
    let others = ["/dev/stdin2", "/dev/stdin/", "/dev/fd", "/dev/fd/", "/dev/fd/3x", "/dev/fds/3"]
    for path in others {
      #expect(DescriptorPath.number(in: path) == nil, "\(path)")
    }
  }
}

@Suite struct `A descriptor that is not open` {
  /// Runs the tool under a redirection of the shell, and ends it if it waits for something.
  private func run(_ place: Workplace, _ redirection: String, _ arguments: [String]) throws
    -> Tool.Result
  {
    let shell = ["timeout", "-k", "1", "60", "bash", "-c", "exec \"$0\" \"$@\" \(redirection)"]
    return try Tool.run(
      program: "keepsake", arguments, under: shell, in: place.directory, input: Data("x".utf8))
  }

  private func withFiles(_ body: (Workplace) throws -> Void) throws {
    try Workplace.with { place in
      try place.makeKey("key")
      try place.write("word", "correct horse\n")
      try place.write("new", "battery staple\n")
      try place.write("plain", "{}")
      try place.succeed("import", "plain", "-o", "archive")
      try place.seal("{}", under: "correct horse", as: "sealed")
      let names = try place.names()
      try body(place)
      #expect(try place.names() == names)
    }
  }

  @Test func `Standard input that cannot be read is reported where a hyphen names it`() throws {
    try withFiles { place in
      for arguments in [
        ["seal", "-", "-k", "key", "-o", "out"], ["open", "-", "-k", "key", "-o", "out"],
        ["verify", "-", "-k", "key"], ["import", "-", "-o", "out"], ["inspect", "-"],
        ["get", "-", "a"], ["export", "-"], ["diff", "archive", "-"], ["diff", "-", "archive"],
        ["rewrap", "-"], ["migrate", "-", "--plan", "plain"],
      ] {
        for redirection in ["<&-", "0>plain"] {
          let result = try run(place, redirection, arguments)
          #expect(result.exitCode == 74, "\(arguments): \(result.error)")
          #expect(result.error.hasPrefix("keepsake: Standard input is closed"), "\(result.error)")
          #expect(result.error.split(separator: "\n").count == 1)
          try place.write("plain", "{}")
        }
      }
    }
  }

  @Test(arguments: ["", "<&-", "3>other"])
  func `A passphrase descriptor that cannot be read is reported`(
    redirection: String
  ) throws {
    try withFiles { place in
      let number = redirection == "<&-" ? "0" : "3"
      for arguments in [
        ["open", "sealed", "-o", "out", "--passphrase-fd", number],
        ["seal", "plain", "-o", "out", "--passphrase-fd", number],
        ["rewrap", "sealed", "--passphrase-file", "word", "--add-passphrase-fd", number],
        ["passwd", "sealed", "--passphrase-file", "word", "--new-passphrase-fd", number],
        ["keygen", "key", "out", "--passphrase-fd", number],
      ] {
        let result = try run(place, redirection, arguments)
        #expect(result.exitCode == 77, "\(arguments): \(result.error)")
        #expect(result.error.hasPrefix("keepsake: File descriptor \(number)"), "\(result.error)")
        #expect(result.error.split(separator: "\n").count == 1)
        try? FileManager.default.removeItem(at: place.url("other"))
      }
    }
  }

  @Test func `The path of a closed descriptor does not reach a descriptor of the tool`() throws {
    try withFiles { place in
      for number in 3..<10 {
        let path = "/dev/fd/\(number)"
        let word = try run(place, "", ["open", "sealed", "--passphrase-file", path])
        #expect(word.exitCode == 77, "\(path): \(word.error)")
        let file = try run(place, "", ["seal", path, "-k", "key", "-o", "out"])
        #expect(file.exitCode != 0 && file.exitCode != 124, "\(path): \(file.error)")
      }
    }
  }

  @Test func `An open descriptor is read where an option or a hyphen names it`() throws {
    try withFiles { place in
      for redirection in ["3<word", "0<word"] {
        let number = String(redirection.prefix(1))
        let opened = try run(place, redirection, ["open", "sealed", "--passphrase-fd", number])
        #expect(opened.output == "{}", "\(opened.error)")
      }
      let sealed = try run(place, "", ["seal", "-", "-k", "key", "--quiet"])
      #expect(sealed.exitCode == 0, "\(sealed.error)")
    }
  }

  @Test func `A closed standard output is reported, and no other file gets the output`() throws {
    try withFiles { place in
      let output = try run(place, ">&-", ["get", "archive", ""])
      #expect(
        output.exitCode == 74 && output.error.contains("Standard output could not be written"))
      let both = try run(place, ">&- 2>&-", ["get", "archive", ""])
      #expect(both.exitCode == 74)
      let error = try run(place, "2>&-", ["get", "archive", "nothing"])
      #expect(error.exitCode == 66 && error.output.isEmpty)
      #expect(
        try place.read("archive").starts(with: Data("KEEP".utf8)) || !place.read("archive").isEmpty)
    }
  }
}

@Suite struct `An argument that is not UTF-8` {
  private static let lines = [
    "seal NAME -k key -o out", "seal plain -k key -o NAME", "seal plain --key NAME -o out",
    "seal plain --key=NAME -o out", "seal - -k key -o NAME", "open NAME -k key",
    "import plain -o NAME",
    "keygen key NAME", "keygen identity NAME", "seal plain --passphrase-file NAME -o out",
    "seal plain -k key --context NAME -o out", "export archive -o NAME", "get archive NAME",
    "migrate archive --plan NAME", "sessions list NAME", "demo --keep NAME",
  ]

  @Test func `An argument that is not UTF-8 is refused with its bytes, and nothing is written`()
    throws
  {
    try Workplace.with { place in
      try place.makeKey("key")
      try place.write("plain", "{}")
      try place.succeed("import", "plain", "-o", "archive")
      let names = try place.names()
      for line in Self.lines {
        let script = "exec \"$0\" " + line.replacing("NAME", with: "$'r\\xe9.txt'")
        let result = try Tool.run(
          program: "keepsake", [], under: ["bash", "-c", script], in: place.directory)
        #expect(result.exitCode == 64, "\(line): \(result.error)")
        #expect(result.error.contains("r\\xE9.txt\" is not UTF-8"), "\(line): \(result.error)")
        #expect(result.error.split(separator: "\n").count == 1 && result.output.isEmpty, "\(line)")
        #expect(try place.names() == names, "\(line)")
      }
    }
  }

  @Test func `A TMPDIR that is not UTF-8 is refused, and nothing is written`() throws {
    try Workplace.with { place in
      try place.succeed("keygen", "key", "key")
      let script = "TMPDIR=$PWD/$'t\\xe9' exec \"$0\" seal key -k key"
      let result = try Tool.run(
        program: "keepsake", [], under: ["bash", "-c", script], in: place.directory)
      #expect(
        result.exitCode == 74 && result.error.contains("TMPDIR is not UTF-8"), "\(result.error)")
      #expect(try place.names() == ["key"])
    }
  }

  @Test func `An argument may have letters of any script`() throws {
    try Workplace.with { place in
      try place.succeed("keygen", "key", "clé 鍵")
      #expect(try place.names() == ["clé 鍵"])
    }
  }
}

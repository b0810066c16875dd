import Foundation
import Keepsake
import Testing

@testable import KeepsakeCommand

@Suite struct `Input from links, pipes, descriptors and text files` {
  /// Runs a line of bash in a directory in which `keepsake` is the tool.
  private func bash(_ place: Workplace, _ line: String) throws -> Tool.Result {
    let script = "keepsake() { \"$TOOL\" \"$@\"; }; \(line)"
    return try Tool.run(
      program: "keepsake", [],
      under: ["TOOL=\(try Tool.url.path)", "timeout", "-k", "1", "120", "bash", "-c", script],
      in: place.directory)
  }

  private func withSealed(_ body: (Workplace) throws -> Void) throws {
    try Workplace.with { place in
      let key = try place.makeKey("my.key")
      for name in ["one", "two"] { _ = try X25519Identity.create(at: place.url(name).path) }
      try place.write("plain", "what is sealed")
      try place.write("words", "correct horse\n")
      try SealedFile.seal(
        Array("what is sealed".utf8).span, to: place.url("sealed").path, for: [.key(key)])
      try body(place)
    }
  }

  private static let lines = [
    "keepsake open -k my.key < sealed", "cat sealed | keepsake open -k my.key",
    "keepsake open link -k my.key", "keepsake open sealed -k keylink",
    "keepsake open <(cat sealed) -k my.key", "keepsake open sealed -k <(cat my.key)",
    "keepsake open /dev/stdin -k my.key < sealed", "keepsake open /dev/fd/7 -k my.key 7< sealed",
    "cat sealed | keepsake open /dev/stdin -k my.key",
    "keepsake open sealed --key-fd 5 5< my.key",
    "keepsake open sealed --key-fd 5 5< <(cat my.key)",
    "mkfifo p; (cat sealed > p) & keepsake open p -k my.key",
    "keepsake seal < plain -k my.key | keepsake open -k my.key",
    "keepsake seal <(cat plain) -k my.key | keepsake open -k my.key",
    "keepsake seal plainlink -k keylink -o out; keepsake open out -k my.key",
    "keepsake seal plain --key-fd 5 5< my.key | keepsake open -k my.key",
    "keepsake seal plain -r <(keepsake keygen recipient one) | keepsake open -i one",
    "keepsake seal plain -k my.key -o /dev/null; keepsake open sealed -k my.key",
  ]

  @Test func `Links, pipes and descriptors are read as files are`() throws {
    try withSealed { place in
      for (link, target) in [("link", "sealed"), ("keylink", "my.key"), ("plainlink", "plain")] {
        try FileManager.default.createSymbolicLink(
          at: place.url(link), withDestinationURL: place.url(target))
      }
      for line in Self.lines {
        let result = try bash(place, line)
        #expect(result.output == "what is sealed", "\(line): \(result.error)")
        #expect(result.error.isEmpty, "\(line): \(result.error)")
      }
    }
  }

  // A read takes a whole packet of such a connection, and loses the bytes that it has no room for.
  @Test func `A passphrase is read in pieces to its end, and not byte by byte`() throws {
    let packets = """
      socketpair(my $near, my $far, AF_UNIX, SOCK_SEQPACKET, 0) or die;
      syswrite $far, "correct "; syswrite $far, "horse\\n"; close $far;
      POSIX::dup2(fileno($near), 0); exec @ARGV or exit 127
      """
    try Workplace.with { place in
      try place.seal("what was sealed", under: "correct horse", as: "sealed")
      let result = try Tool.run(
        program: "keepsake", ["open", "sealed", "--passphrase-fd", "0"],
        under: ["perl", "-MSocket", "-MPOSIX=", "-e", packets], in: place.directory)
      #expect(result.output == "what was sealed", "\(result.error)")
    }
  }

  @Test func `A file that grows while the tool reads it in pieces is refused`() throws {
    try Workplace.with { place in
      // The system counts the times of a file in ticks, and one change may fall into the tick of the one before.
      for round in 0..<100 {
        try place.write("file \(round)", "one")
        let path = place.url("file \(round)").path
        let failure = #expect(throws: FileError.self) {
          try NamedInput(path).forEachPiece(of: InputPieces()) { _, _ in
            let handle = try FileHandle(forWritingTo: place.url("file \(round)"))
            try handle.seekToEnd()
            if handle.offsetInFile == 3 { try handle.write(contentsOf: Data("two".utf8)) }
            try handle.close()
          }
        }
        #expect(failure?.code == .changedMeanwhile)
      }
    }
  }

  @Test func `Verbs that read archives take standard input without a name`() throws {
    try Workplace.with { place in
      try place.write("a.json", "{\"name\": \"Ada\"}")
      let made = try bash(place, "keepsake import < a.json > archive; keepsake get name < archive")
      #expect(made.output == "Ada\n", "\(made.error)")
      for line in ["inspect", "export", "verify"] {
        let result = try bash(place, "keepsake \(line) < archive")
        #expect(result.exitCode == 0 && !result.output.isEmpty, "\(result.error)")
      }
    }
  }

  @Test func `A link is not replaced, and the reason is reported`() throws {
    try withSealed { place in
      try FileManager.default.createSymbolicLink(
        at: place.url("link"), withDestinationURL: place.url("sealed"))
      let before = try place.read("sealed")
      for arguments in [
        ["open", "sealed", "-k", "my.key", "-o", "link"],
        ["seal", "plain", "-k", "my.key", "-o", "link"],
        ["rewrap", "link", "-k", "my.key", "--add-recipient", "one"],
        ["reseal", "link", "-k", "my.key"],
      ] {
        let result = try Tool.run(program: "keepsake", arguments, in: place.directory)
        #expect([64, 74].contains(result.exitCode), "\(result.error)")
        #expect(result.error.contains("is a symbolic link"), "\(result.error)")
        #expect(result.error.contains(place.url("sealed").lastPathComponent), "\(result.error)")
      }
      #expect(try place.read("sealed") == before)
      #expect(try place.fail(77, "open", "sealed", "-k", "nowhere").contains("nowhere"))
      try FileManager.default.removeItem(at: place.url("sealed"))
      #expect(try place.fail(66, "open", "link", "-k", "my.key").contains("there is no file"))
      let output = try place.fail(74, "seal", "plain", "-k", "my.key", "-o", "link")
      #expect(output.contains("Name its target, \"\(place.url("sealed").path)\""), "\(output)")
    }
  }

  @Test func `One file may have several identities, and a byte order mark`() throws {
    try withSealed { place in
      let all = try Data([0xEF, 0xBB, 0xBF]) + place.read("one") + place.read("two")
      try place.write("both", all)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: place.url("both").path)
      let recipients = try place.succeed("keygen", "recipient", "both").output
      #expect(recipients.split(separator: "\n").count == 2)
      try place.succeed("seal", "plain", "-r", "two", "-o", "for-two")
      for option in ["-k", "-i"] {
        #expect(try place.succeed("open", "for-two", option, "both").output == "what is sealed")
      }
      try place.succeed("seal", "plain", "-k", "both", "-o", "for-both")
      for identity in ["one", "two"] { try place.succeed("open", "for-both", "-k", identity) }
      // A key that is given twice counts once.
      try place.succeed("seal", "plain", "-k", "both", "-r", "one", "-k", "one", "-o", "again")
      #expect(try place.succeed("rewrap", "again").output.contains("slot 1"))
      #expect(try !place.succeed("rewrap", "again").output.contains("slot 2"))
    }
  }

  @Test func `The tool tries a passphrase file without its byte order mark, and then unchanged`()
    throws
  {
    try withSealed { place in
      let mark = Data([0xEF, 0xBB, 0xBF])
      try place.write("marked", mark + Data("correct horse\r\n".utf8))
      try place.seal("what is sealed", under: "correct horse", as: "plainly")
      #expect(
        try place.succeed("open", "plainly", "--passphrase-file", "marked").output
          == "what is sealed")
      try place.succeed("seal", "plain", "--passphrase-file", "marked", "-o", "new")
      try place.succeed("open", "new", "--passphrase-file", "words")
    }
  }

  @Test func `A key that others can read is refused behind a link and accepted from a pipe`() throws
  {
    try withSealed { place in
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: place.url("my.key").path)
      try FileManager.default.createSymbolicLink(
        at: place.url("keylink"), withDestinationURL: place.url("my.key"))
      #expect(try place.fail(77, "open", "sealed", "-k", "keylink").contains("chmod"))
      #expect(try bash(place, "keepsake open sealed -k <(cat my.key)").output == "what is sealed")
      // The error says that the file is not a key, whatever its mode.
      let error = try place.fail(77, "open", "sealed", "-k", "plain")
      #expect(error.contains("is not a key") && !error.contains("chmod"), "\(error)")
    }
  }

  @Test func `A pipe with more bytes than a key has is refused`() throws {
    try withSealed { place in
      let result = try bash(place, "keepsake open sealed -k <(head -c 100000 /dev/zero)")
      #expect(result.exitCode == 77 && result.error.contains("is not a key"), "\(result.error)")
    }
  }

  @Test func `A sealed file that went through a text transfer is recognized`() throws {
    try withSealed { place in
      let sealed = try place.read("sealed")
      let line = Data([0x0D, 0x0A])
      var unix = Data()
      for byte in sealed { if byte != 0x0D { unix.append(byte) } }
      var windows = Data()
      for byte in sealed {
        if byte == 0x0A { windows += line } else { windows.append(byte) }
      }
      let text = Data(String(decoding: sealed, as: UTF8.self).utf8)
      for changed in [unix, windows, text] {
        try place.write("changed", changed)
        let error = try place.fail(65, "open", "changed", "-k", "my.key")
        #expect(error.contains("transfer as text"), "\(error)")
      }
    }
  }
}

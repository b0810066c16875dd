import Foundation
import Keepsake
import TestSupport
import Testing

@Suite struct `Journals on the command line` {
  private struct Visit: Codable, Sendable {
    var place: String
    var count: Int
  }

  /// A journal with the entries "one", "two" and "three", written by a program that knows only the recipient.
  private func withJournal(_ body: (Workplace) throws -> Void) throws {
    try Workplace.with { place in
      let made = try place.succeed("keygen", "identity", "me")
      let recipient = try #require(made.output.firstMatch(of: /keepsake1[a-z0-9]+/)).output
      try place.write("recipient", "\(recipient)\n")
      try append(place, "one\ntwo\nthree")
      try body(place)
    }
  }

  private func append(_ place: Workplace, _ lines: String) throws {
    let result = try Tool.run(
      program: "keepsake", ["journal", "append", "log", "-r", "recipient"], in: place.directory,
      input: Data(lines.utf8))
    #expect(result.exitCode == 0, "\(result.error)")
  }

  @Test func `Lines become entries, which are printed in their order`() throws {
    try withJournal { place in
      try append(place, "four\n\nsix\n")
      #expect(
        try place.succeed("journal", "cat", "log", "-k", "me").output
          == "one\ntwo\nthree\nfour\n\nsix\n")
      #expect(
        try place.succeed("journal", "cat", "log", "-k", "me", "--last", "2").output == "\nsix\n")
      #expect(
        try place.succeed("journal", "cat", "log", "-k", "me", "--from", "5").output == "six\n")
      #expect(
        try place.succeed("journal", "cat", "log", "-k", "me", "--since", "2999-01-01").output == ""
      )
      let line = try place.succeed("journal", "cat", "log", "-k", "me", "--json", "--last", "1")
      #expect(line.output.contains(/"number":5,"time":"20[0-9:.T-]+Z".*"value":"six"/))
    }
  }

  @Test func `The tool starts a new file on request, and verifies all files of a journal`() throws {
    try withJournal { place in
      try place.succeed("journal", "rotate", "log", "-r", "recipient")
      try append(place, "four")
      #expect(
        try place.succeed("journal", "verify", "log", "-k", "me").output
          .contains("sound, 4 entries in 2 files"))
      let path = "log/0000000001.journal"
      var bytes = try place.read(path)
      bytes[bytes.count / 2] ^= 1
      try place.write(path, bytes)
      let message = try place.fail(65, "journal", "verify", "log", "-k", "me")
      #expect(message.contains("0000000001.journal"))
    }
  }

  @Test func `Entries that are archives are printed as JSON`() throws {
    try Workplace.with { place in
      let key = try SealKey.create(at: place.url("key").path)
      let journal = try Journal<Visit>.open(at: place.url("log").path, for: .key(key))
      try journal.append(Visit(place: "Berlin", count: 2))
      try journal.close()
      let output = try place.succeed("journal", "cat", "log", "-k", "key").output
      #expect(output == "{\"count\":2,\"place\":\"Berlin\"}\n")
    }
  }

  @Test func `A line above the limit of an entry is refused, and the lines before it are appended`()
    throws
  {
    try withJournal { place in
      for (excess, code) in [(0, 0), (1, 65)] as [(Int, Int32)] {
        let long = Data(repeating: UInt8(ascii: "x"), count: 16 << 20 + excess)
        let result = try Tool.run(
          program: "keepsake", ["journal", "append", "log", "-r", "recipient"],
          in: place.directory, input: Data("before\n".utf8) + long + Data("\nafter\n".utf8))
        #expect(result.exitCode == code)
        #expect(result.error.contains("Line 2 of standard input") == (excess > 0))
      }
      let last = try place.succeed("journal", "cat", "log", "-k", "me", "--from", "5").output
      #expect(last == "after\nbefore\n")
    }
  }

  @Test func `A journal is inspected without a key, and verified with one`() throws {
    try withJournal { place in
      try place.succeed("journal", "rotate", "log", "-r", "recipient")
      for path in ["log", "log/0000000001.journal"] {
        let facts = try place.succeed("inspect", path).output
        #expect(facts.contains("log: a journal, 3 entries in 2 files"))
        #expect(facts.contains("  2: 544 bytes, from entry 3 on"))
        let json = try place.succeed("inspect", path, "--json").output
        #expect(json.contains(/"firstEntry": ?3/), "\(json)")
        let verdict = try place.succeed("verify", path, "-k", "me").output
        #expect(verdict.contains("log: the journal is sound, 3 entries in 2 files"))
      }
      #expect(try place.fail(64, "verify", "log").contains("--key FILE"))
      var bytes = try place.read("log/0000000001.journal")
      bytes[bytes.count / 2] ^= 1
      try place.write("log/0000000001.journal", bytes)
      #expect(try place.fail(65, "verify", "log", "-k", "me").contains("0000000001.journal"))
    }
  }

  @Test func `The error of wrong usage says what to do`() throws {
    try withJournal { place in
      for (code, arguments, said) in [
        (66, ["cat", "nowhere", "-k", "me"], "There is no journal in"),
        (64, ["cat", "log"], "--key FILE"),
        (64, ["cat", "log", "-k", "me", "--since", "soon"], "write it as 2026-11-26"),
        (64, ["cat", "log", "-k", "me", "--since", "2023-02-29"], "write it as 2026-11-26"),
        (64, ["append", "log"], "--key FILE, --recipient RECIPIENT"),
        (66, ["rotate", "nowhere", "-r", "recipient"], "There is no journal in"),
      ] as [(Int32, [String], String)] {
        let result = try Tool.run(
          program: "keepsake", ["journal"] + arguments, in: place.directory)
        #expect(result.exitCode == code, "\(arguments): \(result.error)")
        #expect(result.error.contains(said), "\(arguments): \(result.error)")
      }
      try place.succeed("keygen", "key", "other")
      let message = try place.fail(77, "journal", "cat", "log", "-k", "other")
      #expect(message.contains("none of the given keys"))
    }
  }
}

import Foundation
import Keepsake
import Testing

@Suite struct `The slots of a sealed file` {
  private func withSealed(_ body: (Workplace) throws -> Void) throws {
    try Workplace.with { place in
      let key = try place.makeKey("one")
      try place.makeKey("two")
      _ = try X25519Identity.create(at: place.url("person").path)
      try place.write("plain", "what is sealed")
      try SealedFile.seal(
        Array("what is sealed".utf8).span, to: place.url("sealed").path, for: [.key(key)])
      try body(place)
    }
  }

  private func opens(_ place: Workplace, _ key: String) throws -> Bool {
    let result = try place.run("open", "sealed", "-k", key)
    #expect(result.exitCode == 0 || result.exitCode == 77, "\(result.error)")
    return result.exitCode == 0 && result.output == "what is sealed"
  }

  @Test func `Slots are listed without a key, and can be added and removed`() throws {
    try withSealed { place in
      #expect(try place.succeed("rewrap", "sealed").output.contains("slot 0: raw key"))
      try place.succeed("rewrap", "sealed", "-k", "one", "--add-recipient", "person")
      #expect(try opens(place, "one") && opens(place, "person"))
      let unnamed = try place.fail(77, "rewrap", "sealed", "-k", "one", "--add-key", "two")
      #expect(unnamed.contains("slot 1") && unnamed.contains("--keep-slot"))
      // The command in the message shows what slot 1 is.
      #expect(unnamed.contains("keepsake inspect --header"))
      let header = try place.succeed("inspect", "sealed", "--header").output
      #expect(header.contains("  slot 0: raw key\n  slot 1: X25519\n"), "\(header)")
      try place.succeed("rewrap", "sealed", "-k", "one", "--add-key", "two", "--keep-slot", "1")
      #expect(try opens(place, "one") && opens(place, "person") && opens(place, "two"))
      try place.succeed(
        "rewrap", "sealed", "-k", "one", "--remove-recipient", "person", "--remove-slot", "2")
      #expect(try opens(place, "one"))
      #expect(try !opens(place, "person") && !opens(place, "two"))
      try place.fail(64, "rewrap", "sealed", "-k", "one", "--remove-slot", "7")
      try place.fail(77, "rewrap", "sealed", "-k", "two", "--add-recipient", "person")
    }
  }

  @Test func `Slots that are kept without a named recipient are counted`() throws {
    try withSealed { place in
      let named = try place.succeed("rewrap", "sealed", "-k", "one", "--add-key", "two").output
      #expect(named.hasSuffix("\n  slot 0: raw key\n  slot 1: raw key\n"), "\(named)")
      let kept = try place.succeed(
        "rewrap", "sealed", "-k", "one", "--add-recipient", "person", "--keep-others"
      ).output
      #expect(
        kept.hasSuffix("  slot 2: X25519\n  kept without being named: 1\n"), "\(kept)")
    }
  }

  @Test func `Each option alone changes the slots`() throws {
    try withSealed { place in
      func rewrap(_ arguments: String...) throws {
        let result = try Tool.run(
          program: "keepsake", ["rewrap", "sealed", "-k", "one"] + arguments, in: place.directory)
        #expect(result.exitCode == 0, "\(arguments): \(result.error)")
      }
      try rewrap("--add-key", "person")
      #expect(try opens(place, "person"))
      try rewrap("--remove-key", "person")
      #expect(try !opens(place, "person") && opens(place, "one"))
      try rewrap("--add-recipient", "person")
      #expect(try opens(place, "person"))
      try rewrap("--remove-recipient", "person")
      #expect(try !opens(place, "person"))
      try place.write("words", "some words\n")
      try place.fail(64, "rewrap", "sealed", "-k", "one", "--add-passphrase-file", "words")
      try rewrap("--add-passphrase-file", "words", "--allow-mixed")
      try place.succeed("open", "sealed", "--passphrase-file", "words")
      try rewrap("--remove-slot", "1")
      try place.fail(77, "open", "sealed", "--passphrase-file", "words")
      #expect(try opens(place, "one"))
    }
  }

  @Test func `A resealed file has only the slots of the given keys`() throws {
    try withSealed { place in
      try place.succeed("rewrap", "sealed", "-k", "one", "--add-recipient", "person")
      let before = try place.read("sealed")
      let unnamed = try place.fail(
        77, "reseal", "sealed", "-k", "one", "--add-key", "two", "--remove-key", "one")
      #expect(unnamed.contains("slot 1") && unnamed.contains("--remove-slot"))
      // A slot cannot outlast the data key that it wraps, and "reseal" has no such option.
      #expect(!unnamed.contains("--keep-slot"))
      #expect(try place.read("sealed") == before)
      try place.succeed(
        "reseal", "sealed", "-k", "one", "--add-key", "two", "--remove-key", "one",
        "--add-recipient", "person")
      #expect(try opens(place, "two") && opens(place, "person") && !opens(place, "one"))
      #expect(try place.succeed("rewrap", "sealed").output.contains("slot 1"))
      // Keys that open the file and are not removed stay, and a key that is added joins them.
      try place.succeed(
        "reseal", "sealed", "-k", "two", "--add-key", "one", "--add-recipient", "person")
      #expect(try opens(place, "one") && opens(place, "two") && opens(place, "person"))
      try place.succeed(
        "reseal", "sealed", "-k", "one", "-k", "two", "--remove-key", "one", "--add-recipient",
        "person")
      #expect(try opens(place, "two") && opens(place, "person") && !opens(place, "one"))
    }
  }

  @Test func `An unsigned file is signed only with --sign-unsigned`() throws {
    try withSealed { place in
      try place.succeed("keygen", "signing-key", "signing")
      let refusal = try place.fail(65, "reseal", "sealed", "-k", "one", "--sign", "signing")
      #expect(refusal.contains("is not signed") && refusal.contains("--sign-unsigned"))
      try place.fail(65, "verify", "sealed", "-k", "one", "--any-signer")
      try place.succeed(
        "reseal", "sealed", "-k", "one", "--sign", "signing", "--sign-unsigned")
      try place.succeed("verify", "sealed", "-k", "one", "--any-signer")
      #expect(try opens(place, "one"))
    }
  }

  @Test func `A resealed file keeps its signature unless it is dropped`() throws {
    try withSealed { place in
      try place.succeed("keygen", "signing-key", "signing")
      try place.succeed("seal", "plain", "-k", "one", "--sign", "signing", "-o", "sealed")
      #expect(try place.fail(77, "reseal", "sealed", "-k", "one").contains("--sign"))
      try place.succeed("reseal", "sealed", "-k", "one", "--sign", "signing")
      try place.succeed("verify", "sealed", "-k", "one", "--any-signer")
      try place.succeed("reseal", "sealed", "-k", "one", "--drop-signature")
      try place.fail(65, "verify", "sealed", "-k", "one", "--any-signer")
    }
  }

  @Test func `The passphrase of a sealed file and of a key file can be changed`() throws {
    try withSealed { place in
      try place.write("old", "old words\n")
      try place.write("new", "new words")
      try place.makeKey("locked", under: "old words")
      try place.succeed("seal", "plain", "-k", "locked", "--passphrase-file", "old", "-o", "sealed")
      let change = ["--passphrase-file", "old", "--new-passphrase-file", "new", "--constrained"]
      let asked = try Tool.run(
        program: "keepsake", ["passwd", "locked", "--passphrase-file", "old"],
        under: ["setsid", "-w"],
        in: place.directory)
      #expect(
        asked.exitCode == 77 && asked.error.contains("--new-passphrase-file"), "\(asked.error)")
      func passwd(_ file: String) throws -> Tool.Result {
        try Tool.run(program: "keepsake", ["passwd", file] + change, in: place.directory)
      }
      #expect(try passwd("locked").exitCode == 0)
      #expect(try passwd("locked").exitCode == 77)
      try place.succeed("open", "sealed", "-k", "locked", "--passphrase-file", "new")
      try place.seal("what is sealed", under: "old words", as: "worded")
      #expect(try passwd("worded").exitCode == 0)
      #expect(
        try place.succeed("open", "worded", "--passphrase-file", "new").output == "what is sealed")
      try place.fail(77, "open", "worded", "--passphrase-file", "old")
      #expect(try passwd("one").exitCode == 77)
      #expect(try passwd("sealed").exitCode == 77)
    }
  }
}

import Foundation
import Testing

@Suite struct `A migration by a plan` {
  private static let plan = """
    {"version": "3.0", "steps": [
      {"from": "1.0", "to": "2.0", "summary": "names", "edits": [
        {"edit": "renameKey", "type": "Contact", "key": "nm", "to": "name"},
        {"edit": "removeKey", "type": "Contact", "key": "fax"},
        {"edit": "convertKey", "type": "Contact", "key": "zip", "to": "string"}]},
      {"from": "2.0", "to": "3.0", "edits": [
        {"edit": "moveKey", "type": "Contact", "key": "name", "toScope": ["Person"]},
        {"edit": "setDefault", "type": "Contact", "key": "tags", "value": ["new"]},
        {"edit": "renameType", "type": "Contact", "to": "Friend"}]}]}
    """

  private func withContact(_ body: (Workplace) throws -> Void) throws {
    try Workplace.with { place in
      try place.write("a.json", "{\"nm\": \"Ada\", \"fax\": 1, \"zip\": 8000}")
      try place.succeed("keygen", "key", "key")
      let version = ["--type", "Contact", "--bundle-version", "1.0"]
      for arguments in [["-o", "plain"], ["-k", "key", "-o", "sealed"]] {
        let result = try Tool.run(
          program: "keepsake", ["import", "a.json"] + arguments + version, in: place.directory)
        #expect(result.exitCode == 0, "\(result.error)")
      }
      try place.write("plan", Self.plan)
      try body(place)
    }
  }

  @Test(arguments: ["plain", "sealed"]) func `changes a file in place, and a dry run does not`(
    file: String
  ) throws {
    try withContact { place in
      let before = try place.read(file)
      let dry = try place.succeed("migrate", file, "--plan", "plan", "--dry-run").output
      #expect(dry.contains("Version 1.0 to version 3.0"), "\(dry)")
      #expect(try place.read(file) == before)
      try place.succeed("migrate", file, "--plan", "plan")
      #expect(try place.succeed("get", file, "Person.name").output == "Ada\n")
      #expect(try place.succeed("get", file, "zip", "--json").output == "\"8000\"\n")
      #expect(try place.succeed("get", file, "tags").output == "[\"new\"]\n")
      try place.fail(66, "get", file, "fax")
      let tree = try place.succeed("inspect", file).output
      #expect(tree.contains("Friend") && tree.contains("bundle version 3.0"))
      let again = try place.read(file)
      #expect(
        try place.succeed("migrate", file, "--plan", "plan").output.contains("nothing to migrate"))
      #expect(try place.read(file) == again)
    }
  }

  @Test func `of a signed file is signed, or gives the signature up when told to`() throws {
    try withContact { place in
      let signer = try place.succeed("keygen", "signing-key", "my.sign").output
      let text = try #require(signer.split(whereSeparator: \.isWhitespace).last.map(String.init))
      try place.succeed("open", "sealed", "-k", "key", "-o", "bytes")
      for file in ["one", "other"] {
        try place.succeed("seal", "bytes", "-k", "key", "--sign", "my.sign", "-o", file)
      }
      let before = try place.read("one")
      let refused = try place.fail(77, "migrate", "one", "-k", "key", "--plan", "plan")
      #expect(refused.contains("--sign") && refused.contains("--drop-signature"), "\(refused)")
      #expect(try place.read("one") == before)
      try place.succeed("migrate", "one", "-k", "key", "--plan", "plan", "--sign", "my.sign")
      try place.succeed("verify", "one", "-k", "key", "--signer", text)
      #expect(try place.succeed("get", "one", "-k", "key", "Person.name").output == "Ada\n")
      try place.succeed("migrate", "other", "-k", "key", "--plan", "plan", "--drop-signature")
      try place.fail(65, "verify", "other", "-k", "key", "--any-signer")
    }
  }

  private static let wrong = [
    ("{}", 65), ("[]", 65), ("{\"version\": \"x\", \"steps\": []}", 64),
    ("{\"version\": \"3\", \"steps\": [], \"more\": 1}", 65),
    ("{\"version\": \"0.5\", \"steps\": []}", 3),
    (
      "{\"version\": \"3\", \"steps\": [{\"from\": \"1\", \"to\": \"3\", \"edits\": [{\"edit\": \"x\"}]}]}",
      65
    ),
    (
      "{\"version\": \"3\", \"steps\": [{\"from\": \"1\", \"to\": \"3\", \"edits\": [{\"edit\": "
        + "\"removeKey\", \"type\": \"Contact\"}]}]}", 65
    ),
    (
      "{\"version\": \"3\", \"steps\": [{\"from\": \"1\", \"to\": \"3\", \"edits\": [{\"edit\": "
        + "\"convertKey\", \"type\": \"Contact\", \"key\": \"nm\", \"to\": \"integer\"}]}]}", 3
    ),
  ]

  @Test(arguments: wrong) func `that is no plan or cannot be made changes nothing`(
    plan: String, code: Int
  ) throws {
    try withContact { place in
      try place.write("plan", plan)
      let before = (try place.read("plain"), try place.read("sealed"))
      let said = try place.fail(Int32(code), "migrate", "plain", "--plan", "plan")
      if plan.contains("more") { #expect(said.contains("\"more\" is none of version, steps")) }
      try place.fail(Int32(code), "migrate", "sealed", "--plan", "plan")
      #expect(try place.read("plain") == before.0 && place.read("sealed") == before.1)
    }
  }
}

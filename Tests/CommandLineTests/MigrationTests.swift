import Foundation
import Keepsake
import Testing

@testable import KeepsakeCommand

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

  @Test(arguments: ["plain", "sealed"])
  func `A migration changes a file in place, and a dry run does not`(
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

  @Test func `A migration names each step with its summary, which must be a text`() throws {
    try withContact { place in
      let lines = try place.succeed("migrate", "plain", "--plan", "plan", "--dry-run").output
        .split(separator: "\n")
      #expect(lines.contains("  1.0 -> 2.0: names (1 changed)"), "\(lines)")
      #expect(lines.contains("  2.0 -> 3.0 (1 changed)"), "\(lines)")
      try place.write("plan", Self.plan.replacing("\"names\"", with: "7"))
      let refused = try place.fail(65, "migrate", "plain", "--plan", "plan")
      #expect(refused.contains("in a step, \"summary\" is not a text"), "\(refused)")
    }
  }

  @Test
  func `A migration of a signed file signs the file again, or drops the signature on request`()
    throws
  {
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

  @Test(arguments: wrong)
  func `A migration with an invalid plan, or one that fails, changes nothing`(
    plan: String, code: Int
  ) throws {
    try withContact { place in
      try place.write("plan", plan)
      let before = (try place.read("plain"), try place.read("sealed"))
      let said = try place.fail(Int32(code), "migrate", "plain", "--plan", "plan")
      if plan.contains("more") { #expect(said.contains("\"more\" must be one of version, steps")) }
      try place.fail(Int32(code), "migrate", "sealed", "--plan", "plan")
      #expect(try place.read("plain") == before.0 && place.read("sealed") == before.1)
    }
  }

  // The file holds only zeros, which are no JSON, so a file of the allowed length fails with another error.
  @Test func `A plan is read from a file of at most 16 MiB`() throws {
    try Workplace.with { place in
      try place.write("plan", "")
      let handle = try FileHandle(forWritingTo: place.url("plan"))
      for (length, isTooLong) in [(1 << 24, false), ((1 << 24) + 1, true)] as [(UInt64, Bool)] {
        try handle.truncate(atOffset: length)
        let error = #expect(throws: (any Error).self) {
          try PlanFile.read(at: place.url("plan").path)
        }
        #expect(((error as? FileError)?.code == .limitExceeded) == isTooLong)
      }
    }
  }

  private static func whole(_ number: Int64) -> DynamicValue { .signed(number, bitWidth: 64) }

  private static let conversions: [(name: String, old: DynamicValue, new: DynamicValue?)] = [
    ("string", whole(5), .string("5")), ("string", .bool(true), .string("true")),
    ("string", .string("x"), .string("x")), ("string", .array([.null]), .string("[null]")),
    ("integer", .string("7"), whole(7)), ("integer", .double(2), whole(2)),
    ("integer", .string("1e3"), whole(1_000)), ("integer", .double(2.5), nil),
    ("integer", .string("\(Int64.max)"), whole(.max)), ("integer", .string("x"), nil),
    ("double", whole(3), .double(3)), ("double", .string("0.5"), .double(0.5)),
    ("double", .string("x"), nil), ("double", .string("1e400"), nil),
    ("double", .string("1e-400"), nil), ("integer", .string("1e-400"), nil),
    ("double", .double(-.infinity), .double(-.infinity)), ("bool", .string("true"), .bool(true)),
    ("bool", .string("false"), .bool(false)), ("bool", whole(1), .bool(true)),
    ("bool", whole(0), .bool(false)), ("bool", whole(2), nil), ("bool", .null, .null),
    ("integer", .null, .null),
  ]

  /// Migrates an object of type T by a plan with one edit, and returns its record.
  private func made(_ edit: String, on fields: [DynamicRecord.Field]) throws -> DynamicRecord {
    var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: "1"))
    try writer.writeObject(.init(1), typeName: "T") { $0.encodeFields(of: .init(fields: fields)) }
    let plan = try PlanFile.plan(
      Array(
        "{\"version\": \"2\", \"steps\": [{\"from\": \"1\", \"to\": \"2\", \"edits\": [\(edit)]}]}"
          .utf8),
      from: "it")
    let migrated = try plan.migrate(Archive(writer.finish(root: .init(1))))
    return try Archive(try #require(migrated.bytes)).object(.init(1)).dynamicRecord()
  }

  @Test(arguments: conversions.indices)
  func `A conversion of a plan converts a value or fails`(index: Int) throws {
    let (name, old, new) = Self.conversions[index]
    func convert() throws -> DynamicRecord {
      try made(
        "{\"edit\": \"convertKey\", \"type\": \"T\", \"key\": \"k\", \"to\": \"\(name)\"}",
        on: [.init(key: "k", value: old)])
    }
    if let new {
      #expect(try convert()["k"] == new)
    } else {
      let error = #expect(throws: MigrationError.self) { try convert() }
      #expect(error?.code == .stepFailed && error?.message.hasSuffix("is no \(name)") == true)
    }
  }

  @Test func `Each edit of a plan is made in the scopes that it names`() throws {
    func made(_ members: String) throws -> [String: DynamicValue] {
      let record = try self.made(
        "{\"type\": \"T\", \(members)}",
        on: [
          .init(key: "k", value: .bool(false)),
          .init(scope: ["S", "U"], key: "k", value: .bool(true)),
        ])
      return Dictionary(uniqueKeysWithValues: record.fields.map { ($0.name, $0.value) })
    }
    let scope = "\"scope\": [\"S\", \"U\"]"
    #expect(
      try made("\"edit\": \"renameKey\", \"key\": \"k\", \"to\": \"n\", \(scope)")
        == ["k": .bool(false), "S.U.n": .bool(true)])
    #expect(
      try made("\"edit\": \"moveKey\", \"key\": \"k\", \(scope), \"toScope\": [\"V\"]")
        == ["k": .bool(false), "V.k": .bool(true)])
    #expect(
      try made("\"edit\": \"removeKey\", \"key\": \"k\", \(scope)") == ["k": .bool(false)])
    #expect(
      try made("\"edit\": \"removeKey\", \"key\": \"k\"") == ["S.U.k": .bool(true)])
    #expect(
      try made("\"edit\": \"setDefault\", \"key\": \"n\", \(scope), \"value\": 7")
        == ["k": .bool(false), "S.U.k": .bool(true), "S.U.n": Self.whole(7)])
    #expect(
      try made("\"edit\": \"convertKey\", \"key\": \"k\", \(scope), \"to\": \"string\"")
        == ["k": .bool(false), "S.U.k": .string("true")])
  }

  @Test func `A path of an edit leads to nested records`() throws {
    func made(_ members: String) throws -> [DynamicValue] {
      let habit = DynamicRecord(fields: [.init(key: "k", value: .bool(true))])
      let record = try self.made(
        "{\"type\": \"T\", \"at\": \"list[]\", \(members)}",
        on: [.init(key: "list", value: .array([.record(habit)]))])
      guard case .array(let list)? = record["list"], case .record(let habit)? = list.first else {
        return []
      }
      return habit.fields.flatMap { [.string($0.name), $0.value] }
    }
    #expect(
      try made("\"edit\": \"renameKey\", \"key\": \"k\", \"to\": \"n\"")
        == [.string("n"), .bool(true)])
    #expect(try made("\"edit\": \"removeKey\", \"key\": \"k\"") == [])
    #expect(
      try made("\"edit\": \"convertKey\", \"key\": \"k\", \"to\": \"string\"")
        == [.string("k"), .string("true")])
    #expect(
      try made("\"edit\": \"setDefault\", \"key\": \"n\", \"value\": 7")
        == [.string("k"), .bool(true), .string("n"), Self.whole(7)])
    for place in ["\"at\": \"list[]\", \"scope\": []", "\"at\": \"list[0]\"", "\"at\": 1"] {
      let edit = "{\"type\": \"T\", \"edit\": \"removeKey\", \"key\": \"k\", \(place)}"
      #expect(throws: (any Error).self) { try self.made(edit, on: []) }
    }
  }
}

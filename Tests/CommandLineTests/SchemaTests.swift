import Foundation
import Testing

/// The part of JSON Schema that `Spec/command.schema.json` uses.
private struct Schema {
  private let definitions: [String: Any]
  private static let known: Set<String> = [
    "type", "properties", "required", "additionalProperties", "items", "enum", "const", "minimum",
    "description", "$ref",
  ]

  init() throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let data = try Data(contentsOf: root.appendingPathComponent("Spec/command.schema.json"))
    let document = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    definitions = try #require(document["$defs"] as? [String: Any])
  }

  /// The places where a document breaks the definition of a verb.
  func violations(of data: Data, as verb: String) throws -> [String] {
    let value = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    return violations(of: value, definitions[verb] as? [String: Any] ?? ["no such": verb], verb)
  }

  private func violations(of value: Any, _ rule: [String: Any], _ place: String) -> [String] {
    var found = rule.keys.filter { !Self.known.contains($0) }.map { "\(place): rule \($0)?" }
    if let name = (rule["$ref"] as? String)?.split(separator: "/").last {
      found += violations(of: value, definitions[String(name)] as? [String: Any] ?? [:], place)
    }
    if let types = rule["type"] as? [String] ?? (rule["type"] as? String).map({ [$0] }),
      !types.contains(where: { Self.isOf(value, $0) })
    {
      found.append("\(place) is no \(types)")
    }
    if let least = rule["minimum"] as? Int, (value as? Int ?? least) < least {
      found.append("\(place) is too small")
    }
    if let values = rule["enum"] as? [String], !values.contains(value as? String ?? "") {
      found.append("\(place) is not one of \(values)")
    }
    if let constant = rule["const"] as? Bool, value as? Bool != constant {
      found.append("\(place) is not \(constant)")
    }
    if let rule = rule["items"] as? [String: Any] {
      for value in value as? [Any] ?? [] { found += violations(of: value, rule, place + "[]") }
    }
    let members = value as? [String: Any] ?? [:]
    for name in rule["required"] as? [String] ?? [] where members[name] == nil {
      found.append("\(place).\(name) is missing")
    }
    let rules = rule["properties"] as? [String: Any]
    for (name, value) in members {
      if let rule = rules?[name] as? [String: Any] {
        found += violations(of: value, rule, "\(place).\(name)")
      } else if rule["additionalProperties"] as? Bool == false {
        found.append("\(place).\(name) is not in the schema")
      }
    }
    return found
  }

  private static func isOf(_ value: Any, _ type: String) -> Bool {
    switch type {
    case "string": value is String
    case "integer": value is Int && Swift.type(of: value) != Bool.self
    case "boolean": value is Bool
    case "array": value is [Any]
    case "object": value is [String: Any]
    case "null": value is NSNull
    default: false
    }
  }
}

@Suite struct `JSON of the tool` {
  private func expect(
    _ place: Workplace, _ verb: String, _ arguments: [String], code: Int32 = 0
  ) throws {
    let result = try Tool.run(
      program: "keepsake", arguments + (verb.hasPrefix("export") ? [] : ["--json"]),
      in: place.directory)
    #expect(result.exitCode == code, "\(arguments): \(result.error)")
    let violations = try Schema().violations(of: result.data, as: verb)
    #expect(violations == [], "\(arguments): \(result.output)")
  }

  @Test func `The JSON of every verb follows its schema`() throws {
    try Workplace.with { place in
      try expect(place, "keygen", ["keygen", "key", "key"])
      try expect(place, "keygen", ["keygen", "identity", "identity"])
      try expect(place, "keygen", ["keygen", "signing-key", "signing"])
      try expect(place, "recipient", ["keygen", "recipient", "identity"])
      try expect(place, "signer", ["keygen", "signer", "signing"])
      try place.write("a.json", "{\"nm\": \"Ada\", \"n\": [1, null, {\"x\": 1.5}]}")
      try place.write("b.json", "{\"nm\": \"Bea\", \"m\": true}")
      for name in ["a", "b"] {
        try place.succeed(
          "import", "\(name).json", "-k", "key", "-o", name, "--bundle-version", "1.0", "--sign",
          "signing", "--type", "Contact")
      }
      for options in [[], ["--sizes"], ["--header"]] {
        try expect(place, "inspect", ["inspect", "a"] + options)
      }
      try expect(place, "verify", ["verify", "a", "--any-signer"])
      try expect(place, "rewrap", ["rewrap", "a"])
      try expect(place, "rewrap", ["rewrap", "a", "--add-key", "identity"])
      try expect(
        place, "reseal", ["reseal", "a", "--remove-slot", "1", "--sign", "signing"])
      try expect(place, "diff", ["diff", "a", "a"])
      try expect(place, "diff", ["diff", "a", "b"], code: 1)
      try expect(place, "export", ["export", "a"])
      try expect(place, "exportedObject", ["export", "a", "--format", "lines"])
      try expect(place, "reseal", ["reseal", "b", "--drop-signature"])
      try place.write(
        "plan",
        """
        {"version": "2", "steps": [{"from": "1", "to": "2", "edits": [
          {"edit": "renameKey", "type": "Contact", "key": "nm", "to": "name"}]}]}
        """)
      try expect(place, "migrate", ["migrate", "b", "--plan", "plan", "--dry-run"])
      try place.succeed("import", "a.json", "-o", "plain")
      try expect(place, "inspect", ["inspect", "plain"])
      try expect(place, "verify", ["verify", "plain"])
      try place.succeed("journal", "append", "log", "-k", "key", input: Data("one".utf8))
      try expect(place, "journal", ["journal", "verify", "log", "-k", "key"])
      try expect(place, "journalEntry", ["journal", "cat", "log", "-k", "key"])
      for _ in 0..<2 {
        try expect(
          place, "contacts", ["contacts", "--directory", place.url("app").path, "--save"])
      }
      try expect(
        place, "contacts",
        ["contacts", "--directory", place.url("app").path, "--bundle-version", "12"], code: 3)
      try expect(place, "inspect", ["inspect", "app/state"])
    }
  }

  @Test func `The JSON names the file that was read, and standard input by a hyphen`() throws {
    try Workplace.with { place in
      try place.succeed("keygen", "key", "key")
      try place.write("a.json", "{}")
      try place.succeed("import", "a.json", "-o", "plain")
      try place.succeed("import", "a.json", "-k", "key", "-o", "sealed")
      let sealedOrPlain = ["plain": try place.read("plain"), "sealed": try place.read("sealed")]
      for verb in ["inspect", "verify"] {
        for file in ["plain", "sealed"] {
          for argument in [file, "-"] {
            let key = file == "plain" ? [] : ["-k", "key"]
            let input = argument == "-" ? sealedOrPlain[file] : nil
            let result = try Tool.run(
              program: "keepsake", [verb, argument, "--json"] + key, in: place.directory,
              input: input)
            #expect(result.exitCode == 0, "\(result.error)")
            let document =
              try JSONSerialization.jsonObject(with: result.data) as? [String: Any]
            #expect(document?["file"] as? String == argument, "\(result.output)")
          }
        }
      }
    }
  }

  @Test func `JSON that does not follow the schema is noticed`() throws {
    let schema = try Schema()
    for wrong in [
      "{}", "{\"recipient\": 1}", "{\"recipient\": \"x\", \"more\": 1}", "[]", "\"recipient\"",
    ] {
      #expect(try schema.violations(of: Data(wrong.utf8), as: "recipient") != [], "\(wrong)")
    }
    #expect(try schema.violations(of: Data("{\"recipient\": \"x\"}".utf8), as: "recipient") == [])
  }

  @Test func `The tool reports the public parts of a file without a key`() throws {
    try Workplace.with { place in
      try place.succeed("keygen", "key", "other")
      try place.write("plain", "plain")
      try place.succeed("seal", "plain", "-k", "other", "-o", "sealed")
      for verb in ["inspect", "verify"] {
        try expect(place, verb, [verb, "sealed"], code: 77)
        let text = try place.run(verb, "sealed").output
        #expect(
          text.hasPrefix("sealed: sealed,") && text.hasSuffix("key slots: raw key\n"), "\(text)")
      }
      #expect(try place.run("verify", "sealed", "--quiet").output.isEmpty)
    }
  }
}

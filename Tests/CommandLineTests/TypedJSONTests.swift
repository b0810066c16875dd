import ArgumentParser
import CommandSupport
import Foundation
import Keepsake
import TestSupport
import Testing

@testable import KeepsakeCommand

/// Archives as JSON with all that they hold (Spec/Vectors/README.md, "Values as JSON").
@Suite struct `An archive as JSON` {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Spec/Vectors/archive")

  /// The files of the canonical archives.
  private static func canonicalVectors() throws -> [String] {
    let index = try String(contentsOf: folder.appendingPathComponent("index.tsv"), encoding: .utf8)
    return index.split(separator: "\n").compactMap { line in
      let columns = line.split(separator: "\t")
      return columns[1].hasPrefix("canonical") ? String(columns[0]) : nil
    }
  }

  /// Vectors that JSON does not give back, with the reason.
  private static let exceptions = [
    "a-6-another-minor-version.archive": "the minor version is no value (README of the vectors)"
  ]

  /// The verb that exports an archive, parsed once, since that takes longer than most archives.
  private struct Exporting {
    let place: Workplace
    let command: ExportCommand

    init(_ format: String, in place: Workplace) throws {
      self.place = place
      command = try ExportCommand.parse([
        place.url("given").path, "--format", format, "-o", place.url("exported").path,
      ])
    }

    func callAsFunction(_ archive: Data) throws -> [UInt8] {
      try place.write("given", archive)
      try command.run()
      return Array(try place.read("exported"))
    }
  }

  private static func imported(_ json: [UInt8], _ format: String) throws -> [UInt8] {
    try format == "typed"
      ? TypedJSONReader.archive(json, from: "it")
      : TypedJSONReader.archive(lines: json, from: "it")
  }

  @Test(arguments: ["typed", "typed-lines"])
  func `Every canonical vector is exported and imported to the same bytes`(format: String) throws {
    try Workplace.with { place in
      let export = try Exporting(format, in: place)
      for name in try Self.canonicalVectors() {
        let archive = try Data(contentsOf: Self.folder.appendingPathComponent(name))
        let made = try Self.imported(export(archive), format)
        #expect((Array(archive) == made) == (Self.exceptions[name] == nil), "\(name)")
      }
    }
  }

  /// A value of JSON whose numbers are compared as `Double` compares them.
  private func normalized(_ value: JSONValue) -> JSONValue {
    switch value {
    case .number(let text):
      text.utf8.contains { [0x2E, 0x45, 0x65].contains($0) }
        ? .number("\(Double(text) ?? .nan)") : value
    case .array(let values): .array(values.map(normalized))
    case .object(let members): .object(members.map { .init($0.name, normalized($0.value)) })
    default: value
    }
  }

  @Test func `Export prints the JSON beside a vector, and import makes the vector from it`()
    throws
  {
    try Workplace.with { place in
      let export = try Exporting("typed", in: place)
      var count = 0
      for name in try Self.canonicalVectors() where Self.exceptions[name] == nil {
        let archive = Self.folder.appendingPathComponent(name)
        let json = archive.deletingPathExtension().appendingPathExtension("json")
        guard let stated = try? Data(contentsOf: json) else { continue }
        count += 1
        let printed = try export(Data(contentsOf: archive))
        let depth = TypedJSON.depthLimit
        let (one, other) = (
          JSONValue(try JSONParser.document(printed, from: name, depthLimit: depth)),
          JSONValue(try JSONParser.document(Array(stated), from: name, depthLimit: depth))
        )
        #expect(normalized(one) == normalized(other), "\(name)")
        #expect(
          try Array(Data(contentsOf: archive)) == Self.imported(Array(stated), "typed"), "\(name)")
      }
      #expect(count > 200)
    }
  }

  @Test func `Random archives are exported and imported to the same bytes`() throws {
    try Workplace.with { place in
      for format in ["typed", "typed-lines"] {
        let export = try Exporting(format, in: place)
        for seed in 0..<100 {
          var random = RandomArchive(seed: UInt64(seed))
          let bytes = try random.bytes()
          #expect(try Self.imported(export(Data(bytes)), format) == bytes, "seed \(seed)")
        }
      }
    }
  }

  @Test func `A plain document that looks like an archive is imported as a plain document`() throws
  {
    try Workplace.with { place in
      let text = #"{"format":1,"root":1,"objects":[{"type":"T","values":[]}]}"#
      try place.write("a.json", text)
      try place.succeed("import", "a.json", "-o", "archive")
      #expect(try place.succeed("get", "archive", "format").output == "1\n")
      try place.succeed("import", "a.json", "--format", "typed", "-o", "typed")
      let exported = try place.succeed("export", "typed", "--format", "typed")
      try place.succeed("import", "-", "--format", "typed", "-o", "again", input: exported.data)
      #expect(try place.read("again") == place.read("typed"))
      #expect(try place.read("typed") != place.read("archive"))
    }
  }

  @Test(
    arguments: [
      ("[]", "an object was expected", 1, 1),
      (#"{"root":1,"objects":[]}"#, "\"format\" must be 1", 1, 1),
      (#"{"format":2,"root":1,"objects":[]}"#, "\"format\" must be 1", 1, 1),
      (#"{"format":1,"root":1}"#, "\"objects\" is missing", 1, 1),
      (#"{"format":1,"root":1,"objects":[],"x":1}"#, "\"x\" must be one of", 1, 1),
      (#"{"format":1,"root":1,"objects":[{"type":"T"}]}"#, "a record has", 1, 33),
      ("V{}", "a value is an object with one member", 2, 1),
      (#"V{"int8":1,"int16":2}"#, "a value is an object with one member", 2, 1),
      (#"V{"int7":1}"#, "\"int7\" is not the type", 2, 1),
      (#"V{"int8":128}"#, "a whole number of 8 bits", 2, 1),
      (#"V{"uint8":-1}"#, "a whole number of 8 bits", 2, 1),
      (#"V{"int64":1.0}"#, "a whole number of 64 bits", 2, 1),
      (#"V{"float32":1e300}"#, "a number of 32 bits", 2, 1),
      (#"V{"float16":65520}"#, "a number of 16 bits", 2, 1),
      (#"V{"float64":"0x7ff"}"#, "0x and 16 hexadecimal digits", 2, 1),
      (#"V{"bool":1}"#, "true or false", 2, 1), (#"V{"string":1}"#, "a text in quotes", 2, 1),
      (#"V{"bytes":"0"}"#, "pairs of hexadecimal digits", 2, 1),
      (#"V{"bytes":"0g"}"#, "pairs of hexadecimal digits", 2, 1),
      (#"V{"uuid":"00"}"#, "a UUID with hyphens", 2, 1),
      (#"V{"array":{}}"#, "an array was expected", 2, 1),
      (#"V{"dictionary":[[{"bool":true}]]}"#, "a key and a value", 2, 16),
      (#"V{"enumeration":{"type":"","values":[]}}"#, "has a \"case\"", 2, 16),
      (#"V{"nil":"int7"}"#, "the name or the number of a tag", 2, 1),
      (#"V{"nils":"int"}"#, "is not the type of a value", 2, 1),
      (#"V{"unknown":[200]}"#, "a tag and its bytes", 2, 1),
      (#"V{"unknowns":[200]}"#, "is not the type of a value", 2, 1),
    ])
  func `JSON that is no archive is refused with the place of the mistake`(
    text: String, reason: String, line: Int, column: Int
  ) {
    var text = text
    if text.hasPrefix("V") {
      text =
        #"{"format":1,"root":1,"objects":[{"type":"T","values":[{"key":"k","value":"# + "\n"
        + text.dropFirst() + "}]}]}"
    }
    let failure = refusal { try TypedJSONReader.archive(Array(text.utf8), from: "it") }
    #expect(failure?.status == .damaged)
    #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "none")")
    #expect(
      failure?.message.hasSuffix("(line \(line), column \(column)).") == true,
      "\(failure?.message ?? "none")")
  }

  @Test func `A reference and a root that name no object are refused`() {
    for (root, number) in [(2, 1), (1, 2)] {
      let text =
        "{\"format\":1,\"root\":\(root),\"objects\":[{\"type\":\"T\",\"values\":"
        + "[{\"key\":\"k\",\"value\":{\"reference\":\(number)}}]}]}"
      let error = #expect(throws: ArchiveError.self) {
        try TypedJSONReader.archive(Array(text.utf8), from: "it")
      }
      #expect(error?.code == .unwrittenReference)
    }
  }

  @Test func `Options that contradict an archive as JSON are refused`() throws {
    try Workplace.with { place in
      try place.write("a.json", #"{"format":1,"root":1,"objects":[{"type":"T","values":[]}]}"#)
      try place.succeed("import", "a.json", "--format", "typed", "-o", "archive")
      let given = try place.fail(
        64, "import", "a.json", "--format", "typed", "--type", "U", "-o", "other")
      #expect(given.contains("leave --as, --type and --bundle-version out"), "\(given)")
      let part = try place.fail(64, "export", "archive", "k", "--format", "typed")
      #expect(part.contains("leave the path, --type and --where out"), "\(part)")
    }
  }
}

@Suite struct `A document of JSON that is imported` {
  /// The bytes of the archive that is made from the value in memory.
  private func archiveOfValue(_ text: String, isValue: Bool) throws -> [UInt8] {
    let value = try DynamicValue(JSONParser.parse(Array(text.utf8), from: "it"), from: "it")
    var document = ArchiveDocument()
    if !isValue, case .record(var record) = value {
      record.typeName = "T"
      document.rootID = try document.insert(record.withDictionaries())
    } else {
      let record = DynamicRecord(typeName: "T", fields: [.init(key: "value", value: value)])
      document.rootID = try document.insert(record.withDictionaries())
    }
    return try document.encoded()
  }

  private func archive(_ text: String, isValue: Bool) throws -> [UInt8] {
    try JSONParser.document(Array(text.utf8), from: "it").archive(
      typeName: "T", isValue: isValue, reserved: ReservedValues(), from: "it")
  }

  private struct Maker {
    var random: SeededGenerator

    mutating func value(depth: Int = 0) -> String {
      switch random.below(depth > 3 ? 7 : 11) {
      case 0: return ["null", "true", "false"][random.below(3)]
      case 1: return "\(Int64.random(in: .min ... .max, using: &random) >> Int64(random.below(64)))"
      case 2:
        return ["-0", "18446744073709551615", "-9223372036854775809", "123456789012345678"][
          random.below(4)]
      case 3: return "\(Double(random.below(2_000_000) - 1_000_000) / 1_000)"
      case 4:
        return "\(Double(bitPattern: UInt64(1 + random.below(2_045)) << 52 | random.next() >> 12))"
      case 5:
        return ["9007199254740993.0", "-0.0", "0.1234567890123456789", "1e22", "5e-324"][
          random.below(5)]
      case 6:
        return ["\"\"", "\"text\"", "\"\\n\\u00e9\"", "\"long é text, over 16 bytes\""][
          random.below(4)]
      case 7, 8:
        let isOfNumbers = random.chance(of: 2)
        let values = (0..<random.below(5)).map { _ in
          isOfNumbers
            ? ["1", "0.5", "null", "-7", "9007199254740993"][random.below(5)]
            : value(depth: depth + 1)
        }
        return "[\(values.joined(separator: ","))]"
      default:
        let names = ["a", "b", "c", "a name", "\\u0061b", ""].shuffled(using: &random)
        let members = names.prefix(random.below(5)).map { "\"\($0)\":\(value(depth: depth + 1))" }
        return "{\(members.joined(separator: ", "))}"
      }
    }
  }

  @Test func `A document gives the same archive with and without its value in memory`() throws {
    var maker = Maker(random: SeededGenerator(seed: 48))
    for _ in 0..<3_000 {
      let text = maker.value()
      for isValue in [false, true] {
        #expect(
          try archive(text, isValue: isValue) == archiveOfValue(text, isValue: isValue), "\(text)")
      }
    }
  }

  @Test func `A number that no value holds is refused before anything is written`() {
    for text in ["[1, 1e309]", "{\"a\": {\"b\": 340282366920938463463374607431768211456}}"] {
      #expect(refusal { try archive(text, isValue: false) }?.message.contains("too large") == true)
    }
  }
}

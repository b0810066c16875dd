import Foundation
import Keepsake
import TestSupport
import Testing

// For any file, a verb ends with a documented exit code and one sentence, and changes nothing else.
@Suite struct `Hostile files` {
  /// The number of mutants for each verb; an environment variable raises it.
  private static let count =
    ProcessInfo.processInfo.environment["KEEPSAKE_MUTANTS"].flatMap { Int($0) } ?? 3

  /// A kind of file, and the verbs that read it; `FILE` stands for the mutant.
  private static let kinds: [(name: String, verbs: [[String]])] = [
    (
      "sealed",
      [
        ["inspect", "FILE"], ["inspect", "FILE", "--json"], ["inspect", "FILE", "--header"],
        ["inspect", "FILE", "--sizes"], ["verify", "FILE"], ["open", "FILE", "-o", "out"],
        ["get", "FILE", "people[1].w"], ["export", "FILE"], ["diff", "sealed", "FILE"],
        ["rewrap", "FILE"], ["rewrap", "FILE", "--add-key", "other"], ["reseal", "FILE"],
        ["migrate", "FILE", "--plan", "plan"], ["seal", "-", "-k", "FILE"],
      ]
    ),
    (
      "plain",
      [
        ["inspect", "FILE"], ["inspect", "FILE", "--json"], ["inspect", "FILE", "--sizes"],
        ["verify", "FILE"], ["get", "FILE", "people[1].w"], ["export", "FILE"],
        ["export", "FILE", "--format", "csv", "--type", "Contact"], ["diff", "plain", "FILE"],
        ["migrate", "FILE", "--plan", "plan"], ["inspect", "-"], ["open", "FILE", "-o", "out"],
        ["inspect", "FILE", "--html", "-o", "page"], ["diff", "--html", "plain", "FILE"],
      ]
    ),
    ("key", [["open", "sealed", "-k", "FILE", "-o", "out"], ["passwd", "FILE"]]),
    (
      "identity",
      [["keygen", "recipient", "FILE"], ["seal", "a.json", "-r", "FILE", "-o", "out"]]
    ),
    (
      "locked",
      [["open", "sealed", "-k", "FILE", "--passphrase-file", "words", "-o", "out"]]
    ),
    ("a.json", [["import", "FILE", "-o", "out"]]),
    ("plan", [["migrate", "plain2", "--plan", "FILE", "--dry-run"]]),
  ]

  /// A sound file with a few of its bytes changed, taken away, or put in.
  private func mutant(
    of bytes: Data, _ generator: inout some RandomNumberGenerator
  ) -> Data {
    var bytes = Array(bytes)
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      guard !bytes.isEmpty else { break }
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 1: bytes[place] = .random(in: 0...255, using: &generator)
      case 2: bytes.removeSubrange(place...)
      case 3: bytes.insert(.random(in: 0...255, using: &generator), at: place)
      case 4: bytes[place] = 0xFF
      default:
        let end = min(bytes.count, place + Int.random(in: 1...8, using: &generator))
        bytes.removeSubrange(place..<end)
      }
    }
    return Data(bytes)
  }

  @Test(arguments: kinds.indices)
  func `Every verb ends with an error sentence when its file is hostile`(kind: Int) throws {
    let (name, verbs) = Self.kinds[kind]
    var generator = SeededGenerator(seed: UInt64(kind + 1))
    try Workplace.with { place in
      try place.succeed("keygen", "key", "key")
      try place.succeed("keygen", "key", "other")
      try place.succeed("keygen", "identity", "identity")
      try place.write("words", "words")
      try place.succeed(
        "keygen", "key", "locked", "--passphrase-file", "words", "--constrained")
      try place.write("a.json", "{\"nm\": \"Ada\", \"people\": [{\"n\": 1}, {\"w\": [1.5, null]}]}")
      let common = ["import", "a.json", "--type", "Contact", "--bundle-version", "1"]
      for output in [["-o", "plain"], ["-o", "plain2"], ["-k", "key", "-o", "sealed"]] {
        _ = try Tool.run(program: "keepsake", common + output, in: place.directory)
      }
      try place.write(
        "plan",
        "{\"version\": \"2\", \"steps\": [{\"from\": \"1\", \"to\": \"2\", \"edits\": [{\"edit\": "
          + "\"renameKey\", \"type\": \"Contact\", \"key\": \"nm\", \"to\": \"name\"}]}]}")
      let (sound, others) = (try place.read(name), try place.read("plain2"))
      for verb in verbs {
        for _ in 0..<Self.count {
          let bytes = mutant(of: sound, &generator)
          try place.write("mutant", bytes)
          try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: place.url("mutant").path)
          let result = try Tool.run(
            program: "keepsake", verb.map { $0 == "FILE" ? "mutant" : $0 }, in: place.directory,
            input: bytes)
          let told = "\(verb) \(bytes.base64EncodedString()): \(result.exitCode) \(result.error)"
          #expect([0, 1, 3, 64, 65, 66, 74, 77].contains(result.exitCode), "\(told)")
          if result.exitCode > 1 {
            #expect(
              result.error.hasPrefix("keepsake: ") && result.error.hasSuffix("\n"), "\(told)")
            #expect(
              !result.error.dropLast().unicodeScalars.contains { $0.steersDisplay }, "\(told)")
          }
        }
      }
      #expect(try place.read("plain2") == others)
      #expect(try !place.names().contains { $0.hasSuffix(".sealtmp") })
    }
  }

  @Test func `A file that never ends is refused because of its first bytes`() throws {
    try Workplace.with { place in
      // /dev/zero would fill the memory of a tool that reads a whole file before it checks the start.
      let result = try Tool.run(
        program: "keepsake", ["inspect", "-"],
        under: ["bash", "-c", "ulimit -v 4000000; exec \"$0\" \"$@\" < /dev/zero"],
        in: place.directory)
      #expect(result.exitCode == 65 && result.error.contains("neither"), "\(result.error)")
      try place.write("large", "x")
      let handle = try FileHandle(forWritingTo: place.url("large"))
      try handle.truncate(atOffset: 1 << 30)
      #expect(try place.fail(65, "inspect", "large").contains("neither"))
      #expect(try place.fail(65, "verify", "large").contains("neither"))
    }
  }
}

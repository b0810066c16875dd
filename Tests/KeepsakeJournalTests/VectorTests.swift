import Foundation
import KeepsakeFiles
import KeepsakeSeal
import TestSupport
import Testing

@testable import KeepsakeJournal

/// The outcome of a vector, as Spec/Vectors/README.md describes it.
private struct Expectation: Codable, Equatable {
  struct Entry: Codable, Equatable {
    var number: UInt64
    var time: Int64
    var typeName: String
    var version: Int
    var form: UInt8
    var content: String
  }

  var what: String
  /// The raw key or the X25519 identity that reads the journal, in hexadecimal.
  var key: String?
  var identity: String?
  var context: String
  var entries: [Entry]
  /// The name of the error that ends the reading.
  var error: String?
  /// The numbers of the entries that are read when reading goes on after damage.
  var afterDamage: [UInt64]?
  var pin: String?
}

/// A journal of fixed random values, made anew by each test run.
private struct Case {
  let name: String
  let what: String
  var keys: JournalKeys
  var identity: X25519Identity?
  /// The writers that open the journal one after the other.
  let write: (Sample) throws -> Void
}

/// The journal of a vector while it is made: a clock, and random values that count up.
private struct Sample {
  let path: String
  let keys: JournalKeys
  private let counter = ManualTime()

  init(_ path: String, keys: JournalKeys) {
    self.path = path
    self.keys = keys
  }

  func file(_ number: UInt64) -> String { JournalFiles(path).path(of: number) }

  func open(_ options: JournalOptions = JournalOptions()) throws -> Journal<JournalRecord> {
    var options = options
    let counter = counter
    options.journalID = [UInt8](0xA0..<0xB0)
    options.clock = {
      counter.now += 1_000
      return 1_700_000_000_000 + counter.now
    }
    options.randomness = { recipients throws(SealError) in
      let seed = UInt8(truncatingIfNeeded: counter.now / 1_000)
      func bytes(_ count: Int, _ salt: UInt8) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0) &+ seed &* 16 &+ salt }
      }
      var slots: [(nonce: [UInt8], seed: SecretBytes?)] = []
      for index in recipients.indices {
        let salt = UInt8(3 + 2 * index)
        slots.append((bytes(24, salt), try SecretBytes(copying: bytes(32, salt + 1).span)))
      }
      return SegmentRandomness(
        dataKey: try SecretBytes(copying: bytes(32, 1).span), segmentID: bytes(32, 2),
        slots: slots)
    }
    return try Journal<JournalRecord>.open(at: path, for: keys, as: .records, options: options)
  }

  func edit(_ number: UInt64, _ change: (inout [UInt8]) -> Void) throws {
    var bytes = try contents(of: file(number))
    change(&bytes)
    try TestSupport.write(bytes, to: file(number))
  }
}

@Suite struct `The vectors of journals` {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Spec/Vectors/journal").path

  private static func record(_ text: String, _ version: Int = 0) -> JournalRecord {
    JournalRecord(Array(text.utf8), typeName: text.isEmpty ? "" : "text", version: version)
  }

  private static func cases() throws -> [Case] {
    let key = try SealKey(copying: [UInt8](0x20..<0x40))
    let identity = try X25519Identity(copying: [UInt8](0x40..<0x60))
    let keys = JournalKeys.key(key, context: Array("com.example.notes".utf8))
    var both = keys
    both = JournalKeys(
      recipients: [.key(key), .x25519(identity.recipient)], identities: [.x25519(identity)],
      context: keys.context)
    func plain(
      _ name: String, _ what: String, _ write: @escaping (Sample) throws -> Void
    ) -> Case { Case(name: name, what: what, keys: keys, write: write) }
    func two(_ sample: Sample) throws {
      for text in ["one", "two"] {
        let journal = try sample.open()
        try journal.append(contentsOf: [record(text), record(text + " more", 2)])
        try journal.append(record(""))
        try journal.close()
      }
    }
    return [
      plain("one-entry", "one entry in a closed segment") { sample in
        let journal = try sample.open()
        try journal.append(record("Hello"))
        try journal.close()
      },
      plain("two-segments", "two openings, frames of several entries", two),
      Case(
        name: "two-recipients", what: "slots of a raw key and an X25519 recipient; padding",
        keys: both, identity: identity
      ) { sample in
        let journal = try sample.open(
          JournalOptions(padding: .padme, publicMetadata: Array("notes 1".utf8)))
        try journal.append(record("a text whose length is hidden by padding"))
        try journal.close()
      },
      plain("long-entry", "an entry of three frames between short ones") { sample in
        let journal = try sample.open()
        let long = JournalRecord(bytes(140_000), typeName: "long", version: 1)
        try journal.append(contentsOf: [record("before"), long, record("after")])
        try journal.close()
      },
      plain("rotated", "three files") { sample in
        let journal = try sample.open()
        for text in ["one", "two", "three"] {
          try journal.append(record(text))
          try journal.rotate()
        }
        try journal.close()
      },
      plain("removed-files", "the first of three files was removed, and the record says so") {
        sample in
        let journal = try sample.open(JournalOptions(retention: JournalRetention(files: 2)))
        for text in ["one", "two", "three"] {
          try journal.append(record(text))
          try journal.rotate()
        }
        try journal.close()
      },
      plain("torn-header", "an opening that was torn in its header") { sample in
        try two(sample)
        try sample.edit(1) { $0 = Array($0.dropLast(600)) }
      },
      plain("torn-frame", "a batch that was torn, and a file that goes on after it") { sample in
        try two(sample)
        try sample.edit(1) { $0 = Array($0.dropLast(112 + 30)) }
        let journal = try sample.open()
        try journal.append(record("three"))
        try journal.close()
      },
      plain("zeros", "zeros after the last segment") { sample in
        try two(sample)
        try sample.edit(1) { $0 += [UInt8](repeating: 0, count: 100) }
      },
      plain("damaged-frame", "a changed byte in the first frame") { sample in
        try two(sample)
        try sample.edit(1) { $0[520] ^= 1 }
      },
      plain("damaged-header", "a changed byte in the header of the second segment") { sample in
        try two(sample)
        try sample.edit(1) { $0[$0.count - 500] ^= 1 }
      },
      plain("after-damage", "a file that begins after damage") { sample in
        try two(sample)
        try sample.edit(1) { $0[520] ^= 1 }
        let journal = try sample.open()
        try journal.append(record("three"))
        try journal.close()
      },
      plain("later-version", "version 2") { sample in
        try two(sample)
        try sample.edit(1) { $0[8] = 2 }
      },
      plain("missing-file", "the second of three files is missing") { sample in
        let journal = try sample.open()
        for text in ["one", "two", "three"] {
          try journal.append(record(text))
          try journal.rotate()
        }
        try journal.close()
        try FileManager.default.removeItem(atPath: sample.file(2))
      },
    ]
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func expectation(_ vector: Case, at path: String) -> Expectation {
    func read(_ options: ReadingOptions) -> ([Expectation.Entry], JournalError?) {
      var reader = JournalReader(JournalFiles(path), keys: vector.keys, options: options)
      var entries: [Expectation.Entry] = []
      do throws(JournalError) {
        while case .entries(let found) = try reader.step() {
          entries += found.map {
            Expectation.Entry(
              number: $0.number, time: $0.stored.time, typeName: $0.stored.record.typeName,
              version: $0.stored.record.version, form: $0.stored.record.representation.rawValue,
              content: hex($0.stored.record.content))
          }
        }
        return (entries, nil)
      } catch {
        return (entries, error)
      }
    }
    let (entries, error) = read(ReadingOptions())
    let (passed, lastError) = read(ReadingOptions(skipsDamage: true))
    let pin = try? JournalDirectory(path, with: vector.keys).verify()
    return Expectation(
      what: vector.what, key: vector.identity == nil ? hex([UInt8](0x20..<0x40)) : nil,
      identity: vector.identity == nil ? nil : hex([UInt8](0x40..<0x60)),
      context: hex(vector.keys.context), entries: entries, error: error?.code.rawValue,
      afterDamage: error != nil && lastError == nil ? passed.map(\.number) : nil,
      pin: pin.map { hex($0.bytes) })
  }

  /// The environment variable that names the folder to write new vectors into.
  private static let variable = "KEEPSAKE_JOURNAL_VECTORS"

  @Test func `A writer with the same random values writes the same bytes`() throws {
    let output = ProcessInfo.processInfo.environment[Self.variable]
    for vector in try Self.cases() {
      try withTemporaryDirectory { folder in
        let path = folder + "/" + vector.name
        try vector.write(Sample(path, keys: vector.keys))
        try FileManager.default.removeItem(atPath: path + "/lock")
        let expectation = Self.expectation(vector, at: path)
        if let output {
          let target = output + "/" + vector.name
          try? FileManager.default.removeItem(atPath: target)
          try FileManager.default.copyItem(atPath: path, toPath: target)
          let encoder = JSONEncoder()
          encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
          try write(Array(try encoder.encode(expectation)), to: target + ".json")
        }
        let stored = (output ?? Self.folder) + "/" + vector.name
        #expect(try names(in: stored) == names(in: path), "\(vector.name)")
        for name in try names(in: path) {
          let isSame = try contents(of: stored + "/" + name) == contents(of: path + "/" + name)
          #expect(isSame, "\(vector.name)/\(name)")
        }
        let json = try Data(contentsOf: URL(fileURLWithPath: stored + ".json"))
        #expect(try JSONDecoder().decode(Expectation.self, from: json) == expectation)
      }
    }
  }

  @Test func `Each vector has the outcome that its text says`() throws {
    let outcomes: [String: String] = [
      "damaged-frame": "damaged", "damaged-header": "damaged", "after-damage": "damaged",
      "later-version": "unsupportedVersion", "missing-file": "missingFile",
    ]
    for vector in try Self.cases() {
      let json = try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/\(vector.name).json"))
      let stored = try JSONDecoder().decode(Expectation.self, from: json)
      #expect(stored.error == outcomes[vector.name], "\(vector.name)")
      #expect((stored.pin == nil) == (stored.error != nil), "\(vector.name)")
    }
  }
}

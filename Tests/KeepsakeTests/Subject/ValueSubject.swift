internal import Foundation
internal import Keepsake
internal import KeepsakeTesting

/// A program that adds one to a value under a passphrase: "update" with the lowest cost, "update standard" with the
/// cost of apps.
///
/// "update recipients" adds one to a value that is sealed for two identities; the program opens it by the one whose file
/// has `.identity` after the name of the value's.
///
/// "update journaled" adds one to a journaled value until it is 400, and prints each number that is durable. "update
/// cost" prints how long it takes to change 100 bytes of a value of 10 MB, journaled and saved whole. "update load" prints
/// how long it takes to load 10,000 records, by a store, which notes unknown keys, and without one.
enum ValueSubject {
  struct Counter: Codable, Sendable { var count = 0 }

  static func run(_ path: String, _ mode: String) throws {
    if mode == "update journaled" { return try updateJournaled(path) }
    if mode == "update cost" { return try compareCosts(path) }
    if mode == "update load" { return try compareLoads(path) }
    let isStandard = mode.hasSuffix("standard")
    let cost = isStandard ? PassphraseCost.standard : .forTests
    let store = SealedValueStore(
      path: path,
      key: mode == "update recipients"
        ? try recipientsKey(path) : .passphrase("sesame", cost: cost),
      default: Counter(), patience: .seconds(isStandard ? 5 : 60))
    try store.update { $0.count += 1 }
  }

  private static func recipientsKey(_ path: String) throws -> SealedValueKey {
    let own = try X25519Identity.read(at: path + ".identity")
    let other = try X25519Identity.read(at: path + ".other")
    return .recipients(
      [.x25519(other.recipient), .x25519(own.recipient)], identities: [.x25519(own)])
  }

  private static func updateJournaled(_ path: String) throws {
    let key = try SealKey(copying: [UInt8](repeating: 7, count: 32).span)
    let counter = JournaledValue<Counter, Int>(
      path: path, key: .key(key), default: Counter(), patience: .seconds(60),
      compactionSize: 3_000
    ) { $0.count += $1 }
    while true {
      var isDone = false
      let count = try counter.update { value in
        isDone = value.count >= 400
        return isDone ? [] : [1]
      }.count
      if isDone { return }
      // One write for each line, so that a reader has whole lines only.
      try FileHandle.standardOutput.write(contentsOf: Data("\(count)\n".utf8))
    }
  }

  private struct Book: Codable, Sendable {
    struct Habit: Codable, Sendable {
      var name = "read"
      var goal = 3
      var days = ["monday"]
    }

    var habits: [Habit] = []
  }

  private static func compareLoads(_ path: String) throws {
    let key = SealedValueKey.key(try SealKey(copying: [UInt8](repeating: 7, count: 32).span))
    let store = SealedValueStore(path: path, key: key, default: Book())
    _ = try store.load()
    try store.save(Book(habits: Array(repeating: Book.Habit(), count: 10_000)))
    let clock = ContinuousClock()
    var (noting, plain): (Duration, Duration) = (.seconds(60), .seconds(60))
    for _ in 0..<20 {
      noting = try min(noting, clock.measure { _ = try store.load() })
      plain = try min(
        plain, clock.measure { _ = try SealedValue.load(Book.self, from: path, with: key) })
    }
    print("store \(noting), without \(plain)")
  }

  private struct Texts: Codable, Sendable { var texts: [String] }

  private struct TextChange: Codable, Sendable {
    let index: Int
    let text: String
  }

  private static func compareCosts(_ path: String) throws {
    let key = SealedValueKey.key(try SealKey(copying: [UInt8](repeating: 7, count: 32).span))
    let text = String(repeating: "x", count: 100)
    let value = Texts(texts: Array(repeating: text, count: 100_000))
    let journaled = JournaledValue<Texts, TextChange>(path: path, key: key, default: value) {
      $0.texts[$1.index] = $1.text
    }
    let store = SealedValueStore(path: path + "-whole", key: key, default: value)
    _ = try store.load()
    try journaled.update(TextChange(index: 0, text: text))
    let clock = ContinuousClock()
    var (change, whole): (Duration, Duration) = (.seconds(60), .seconds(60))
    for index in 0..<40 {
      let text = text + "\(index)"
      change = try min(
        change, clock.measure { try journaled.update(TextChange(index: index, text: text)) })
      if index % 4 == 0 { whole = try min(whole, clock.measure { try store.save(value) }) }
    }
    print("change \(change), whole \(whole), \(Int(whole / change)) times")
  }
}

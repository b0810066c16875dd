internal import Foundation
internal import Keepsake
internal import KeepsakeTesting

/// A program that adds one to a value under a passphrase: "update" with the lowest cost, "update standard" with the
/// cost of apps.
///
/// "update journaled" adds one to a journaled value until it is 400, and prints each number that is durable.
enum ValueSubject {
  struct Counter: Codable, Sendable { var count = 0 }

  static func run(_ path: String, _ mode: String) throws {
    if mode == "update journaled" { return try updateJournaled(path) }
    let isStandard = mode == "update standard"
    let store = SealedValueStore(
      path: path, key: .passphrase("sesame", cost: isStandard ? .standard : .forTests),
      default: Counter(), patience: .seconds(isStandard ? 5 : 60))
    try store.update { $0.count += 1 }
  }

  private static func updateJournaled(_ path: String) throws {
    let key = try SealKey(copying: [UInt8](repeating: 7, count: 32))
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
}

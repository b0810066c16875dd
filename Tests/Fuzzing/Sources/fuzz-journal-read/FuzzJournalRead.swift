internal import Foundation
internal import FuzzDriver

@testable internal import KeepsakeJournal
@testable internal import KeepsakeSeal

/// Reads journals that a holder of the key has forged: in order, over damage, by number, from a time on, and by a writer.
///
/// Reading ends with a typed error or at the end. Numbers grow. A reader that continues after damage has all entries of a
/// reader that stops there. A writer refuses a journal, or appends an entry that such a reader finds, unless an entry
/// before it has its number.
@main struct FuzzJournalRead {
  static func main() throws {
    let key = try SealKey(copying: [UInt8](repeating: 7, count: 32).span)
    let place =
      (FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : "/tmp")
      + "/keepsake-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
    let target = FuzzTarget(
      seeds: { seeds },
      body: { input in
        guard let script = try? JournalScript(input, key: key) else {
          broken("no journal was made")
        }
        do {
          try write(script, to: place)
        } catch {
          broken("a journal cannot be written to \(place): \(error)")
        }
        check(JournalFiles(place), .key(key))
        try? FileManager.default.removeItem(atPath: place)
      })
    try target.run()
  }

  private static func write(_ script: JournalScript, to place: String) throws {
    try? FileManager.default.removeItem(atPath: place)
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let files = JournalFiles(place)
    for (index, bytes) in script.files.enumerated() where !bytes.isEmpty {
      try Data(bytes).write(to: URL(fileURLWithPath: files.path(of: UInt64(index + 1))))
    }
    if let retention = script.retention {
      try Data(retention).write(to: URL(fileURLWithPath: files.retentionPath))
    }
  }

  private static func check(_ files: JournalFiles, _ keys: JournalKeys) {
    let strict = read(files, keys, ReadingOptions())
    let patient = read(files, keys, ReadingOptions(skipsDamage: true))
    guard strict.elementsEqual(patient.prefix(strict.count)) else {
      broken("a reader that goes on after damage has other entries before it")
    }
    let quick = read(files, keys, ReadingOptions(verifiesChain: false))
    guard strict.elementsEqual(quick.prefix(strict.count)) else {
      broken("a reader without the chain lacks entries")
    }
    let directory = JournalDirectory(files.directory, with: keys)
    _ = try? directory.count()
    _ = try? directory.last(3, as: .records)
    for number in Set(patient.map(\.number)).union([0, 1, 5, UInt64.max]) {
      for _ in 0..<2 {
        if let found = try? directory.entry(number, as: .records), found.number != number {
          broken("another entry was found")
        }
      }
      _ = read(files, keys, ReadingOptions(from: number, skipsDamage: true))
    }
    _ = read(files, keys, ReadingOptions(since: 100))
    append(to: files, keys, after: patient.last?.number)
  }

  /// The parts of an entry that are equal in two readings of it.
  private struct Found: Equatable {
    let number: UInt64
    let content: [UInt8]
  }

  private static func read(
    _ files: JournalFiles, _ keys: JournalKeys, _ options: ReadingOptions
  ) -> [Found] {
    var reader = JournalReader(files, keys: keys, options: options)
    var found: [Found] = []
    do throws(JournalError) {
      while case .entries(let entries) = try reader.step() {
        for entry in entries {
          if entry.number < options.from { broken("an entry before the first one") }
          found.append(Found(number: entry.number, content: entry.record.content))
        }
        if found.count > 100_000 { broken("reading does not end") }
      }
    } catch {
      guard !error.description.isEmpty else { broken("no sentence") }
    }
    return found
  }

  private static func append(to files: JournalFiles, _ keys: JournalKeys, after last: UInt64?) {
    let content = Array("the entry of an honest writer".utf8)
    let number: UInt64
    do throws(JournalError) {
      let journal = try Journal<[UInt8]>.open(at: files.directory, for: keys, as: .bytes())
      number = try journal.append(content)
      try journal.close()
    } catch {
      guard !error.description.isEmpty else { broken("no sentence") }
      return
    }
    // A header after damage can be forged with a number that was handed out before it (Spec/journal.md, section 6).
    if let last, number <= last { return }
    guard
      read(files, keys, ReadingOptions(skipsDamage: true)).last?.content == content
        || !canRead(files, keys)
    else { broken("an entry that was appended is not found") }
  }

  /// True when a reader that continues after damage reaches the end.
  private static func canRead(_ files: JournalFiles, _ keys: JournalKeys) -> Bool {
    var reader = JournalReader(files, keys: keys, options: ReadingOptions(skipsDamage: true))
    do throws(JournalError) {
      while case .entries = try reader.step() {}
      return true
    } catch {
      return false
    }
  }

  /// Two files with a long entry, ends, and damage.
  private static let seeds: [[UInt8]] = [
    [0, 0, 0, 0, 0, 5, 0, 0, 0, 0]
      + [2, 1, 4, 1, 2, 3, 4, 0, 0, 0, 0, 3, 9, 9, 9, 0, 0, 0, 0, 0, 0]
      + [8, 0, 0, 0, 9, 0] + [1, 0, 0, 0, 0, 9, 0, 0] + [2, 0, 2, 1, 1, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 5, 0, 0] + [5, 130, 0, 0, 0, 0, 0, 0] + [7, 2, 0, 0] + [10, 0, 2, 3, 4]
      + [2, 0, 2, 1, 1, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 5, 0, 0] + [8, 0, 0, 0, 9, 0] + [1, 0, 0, 0, 0, 9, 0, 0] + [11, 0]
      + [2, 0, 2, 1, 1, 0, 0, 0, 0, 0, 0] + [10, 1, 1, 0],
  ]
}

import Foundation
import Keepsake
import Testing

/// A script for a journal (Subject/JournalOperation.swift), and the journal from which it starts.
struct JournalCase: Sendable, CustomTestStringConvertible {
  /// The journal that the script finds.
  enum Start: Sendable {
    case nothing
    /// Files of three entries each, all closed.
    case closed(files: Int)
    /// A file whose writer was killed after three entries.
    case killed
    /// A file whose writer was killed in the middle of its second batch.
    case torn
    /// A file with a changed byte in the second of three entries, and an open segment.
    case damaged
  }

  let testDescription: String
  let start: Start
  let script: String
  let options: [String]

  static let all = [
    create, append, batch, long, bySize, byHand, atOnce, retention, afterKill, afterTear,
    afterDamage, reopening,
  ]

  static let create = JournalCase("create a journal", .nothing, "open,100,pin,close")
  static let append = JournalCase(
    "append to a journal", .closed(files: 1), "open,100,pin,100,100,pin,close")
  /// The calls take one frame, two frames, and several frames with long entries.
  static let batch = JournalCase(
    "append batches", .closed(files: 1), "open,3x100,2x40000,2x70000,pin,close")
  static let long = JournalCase("append a long entry", .killed, "open,200000,100,close")
  static let bySize = JournalCase(
    "rotate by size", .closed(files: 1), "open,900,900,pin,900,900,close", ["--size=2200"])
  static let byHand = JournalCase(
    "rotate by hand", .closed(files: 1), "open,100,rotate,100,pin,rotate,rotate,100,close")
  static let atOnce = JournalCase(
    "begin a file at once", .closed(files: 1), "open,begin,100,begin,pin,close")
  static let retention = JournalCase(
    "remove old files", .closed(files: 4), "open,rotate,100,rotate,100,100,close", ["--files=2"])
  static let afterKill = JournalCase(
    "open after a kill", .killed, "open,100,pin,100,close")
  static let afterTear = JournalCase(
    "open after a torn batch", .torn, "open,100,2x100,pin,close")
  static let afterDamage = JournalCase("open after damage", .damaged, "open,100,100,close")
  static let reopening = JournalCase(
    "open again and again", .nothing, "open,100,close,open,100,pin,close,open,close,open,100,close")
  /// Four threads, whose appends share batches.
  static let threads = JournalCase(
    "append in four threads", .closed(files: 1), "open,4x8x300,pin,close", ["--size=4000"])

  /// Fills several files, and continues after failures.
  static let filling = JournalCase(
    "fill a disk", .closed(files: 1),
    "open" + String(repeating: ",900,2x3000", count: 12) + ",rotate,100,20000,pin,close",
    ["--size=16000"])
  /// Ends after the pin, with an entry that may not be acknowledged.
  static let pinning = JournalCase("state a pin", .nothing, "open,100,pin")
  static let reading = JournalCase("read a journal", .closed(files: 2), "read")
  /// One of two writers; see `operation(firstSeed:)`.
  static let writing = JournalCase(
    "write beside another writer", .closed(files: 1), "open,100,rotate,2x100,close")

  private init(_ name: String, _ start: Start, _ script: String, _ options: [String] = []) {
    testDescription = name
    (self.start, self.script, self.options) = (start, script, options)
  }

  /// The first seed of the entries that the script appends; the seeds of the start are below it.
  static let firstSeed = 100

  var operation: FaultOperation { operation() }

  /// The script with other seeds, and further options.
  func operation(
    firstSeed: Int = JournalCase.firstSeed, options further: [String] = []
  ) -> FaultOperation {
    FaultOperation(
      testDescription, ["journal", "%/journal", script, "\(firstSeed)"] + options + further,
      from: [:], to: [:])
  }

  /// True when bytes are damaged from the start: reading has to continue after them.
  var isDamaged: Bool { if case .damaged = start { true } else { false } }

  /// True when the script removes old files.
  var removesFiles: Bool { options.contains { $0.hasPrefix("--files") } }

  /// Makes the journal from which the script starts.
  func prepare(_ path: String, key: SealKey) throws {
    if case .nothing = start { return }
    let source = path + ".source"
    let journal = try Journal<[UInt8]>.open(
      at: source, for: .key(key), as: .bytes())
    var fileCount = 1
    if case .closed(let files) = start { fileCount = files }
    for file in 0..<fileCount {
      if file > 0 { try journal.rotate() }
      for index in 0..<3 { try journal.append(JournalFinding.entry(UInt8(3 * file + index), 40)) }
    }
    if case .torn = start {
      try journal.append(contentsOf: [50, 51].map { JournalFinding.entry($0, 50_000) })
    }
    if case .closed = start { try journal.close() }
    try DurableFile.createDirectory(at: path)
    for name in try FileManager.default.contentsOfDirectory(atPath: source) where name != "lock" {
      var bytes = try DurableFile.read(at: source + "/" + name, upTo: 1 << 22)
      if case .torn = start { bytes.removeLast(30_000) }
      // The byte is in the sealed payload of the second frame.
      if case .damaged = start { bytes[650] ^= 1 }
      try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    }
    try? journal.close()
    try FileManager.default.removeItem(atPath: source)
  }
}

/// The entries that a reader finds in a journal.
struct JournalFinding {
  struct Entry: Hashable {
    let number: UInt64
    let seed: UInt8
  }

  private(set) var entries: [Entry] = []
  /// The entries that differ from what any program wrote.
  private(set) var wrong: [UInt64] = []

  /// Reads a journal; skips damage on request.
  init(_ path: String, key: SealKey, skippingDamage: Bool) async throws {
    let directory = JournalDirectory(path, with: .key(key))
    let found = directory.entries(
      as: JournalForm<[UInt8]>.bytes(), skippingDamage: skippingDamage)
    for try await entry in found {
      let seed = entry.value.first ?? 0
      if entry.value == Self.entry(seed, entry.value.count) {
        entries.append(Entry(number: entry.number, seed: seed))
      } else {
        wrong.append(entry.number)
      }
    }
  }

  /// An entry that states its length, as the subject makes it.
  static func entry(_ seed: UInt8, _ length: Int) -> [UInt8] {
    let stated = (0..<3).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    return [seed] + stated + [UInt8](repeating: seed, count: max(0, length - 4))
  }

  /// The numbers of frames that are sealed twice under one data key, in any file of a journal.
  ///
  /// Frames are found by their marks, whether a reader accepts them or not.
  static func repeatedFrames(in path: String) throws -> [String] {
    var (seen, repeated): (Set<[UInt8]>, [String]) = ([], [])
    for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    where name.hasSuffix(".journal") {
      let bytes = try DurableFile.read(at: path + "/" + name, upTo: 1 << 24)
      var rest = bytes[...]
      while let start = rest.firstIndex(of: 0xB7) {
        rest = rest[(start + 1)...]
        // Section 3: the mark and the kind; then the segment and the index.
        guard bytes.count - start >= 32, bytes[start..<start + 4].elementsEqual(mark),
          (1...4).contains(bytes[start + 4]), bytes[start + 5..<start + 8].allSatisfy({ $0 == 0 })
        else { continue }
        if !seen.insert(Array(bytes[start + 16..<start + 32])).inserted {
          repeated.append("\(name) at \(start)")
        }
      }
    }
    return repeated
  }

  private static let mark: [UInt8] = [0xB7, 0x4B, 0x4A, 0x46]
}

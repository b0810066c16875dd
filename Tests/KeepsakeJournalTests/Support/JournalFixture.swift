import Foundation
import KeepsakeFiles
import KeepsakeSeal
import Synchronization
import TestSupport
import Testing

@testable import KeepsakeJournal

/// A journal of bytes in a directory of its own.
struct JournalFixture {
  let path: String
  let key: SealKey
  var keys: JournalKeys { .key(key) }
  var directory: JournalDirectory { JournalDirectory(path, with: keys) }

  init(in folder: String) throws {
    path = folder + "/journal"
    key = try SealKey(copying: [UInt8](repeating: 7, count: 32).span)
  }

  static func with<Result>(_ body: (JournalFixture) throws -> Result) throws -> Result {
    try withTemporaryDirectory { try body(try JournalFixture(in: $0)) }
  }

  static func with<Result>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (JournalFixture) async throws -> Result
  ) async throws -> Result {
    try await withTemporaryDirectory { try await body(try JournalFixture(in: $0)) }
  }

  func open(_ options: JournalOptions = JournalOptions()) throws -> Journal<[UInt8]> {
    try Journal<[UInt8]>.open(at: path, for: keys, as: .bytes(), options: options)
  }

  /// Opens the journal, appends each entry by itself, and closes it unless told otherwise.
  func append(_ entries: [[UInt8]], closing: Bool = true) throws {
    let journal = try open()
    for entry in entries { try journal.append(entry) }
    if closing { try journal.close() } else { Abandoned.keep(journal) }
  }

  func file(_ number: UInt64) -> String { JournalFiles(path).path(of: number) }

  /// All entries that can be read, and the error that ends the reading.
  func read(
    _ options: ReadingOptions = ReadingOptions()
  ) -> (entries: [[UInt8]], numbers: [UInt64], error: JournalError?) {
    var reader = JournalReader(JournalFiles(path), keys: keys, options: options)
    var (entries, numbers): ([[UInt8]], [UInt64]) = ([], [])
    do throws(JournalError) {
      while case .entries(let found) = try reader.step() {
        entries += found.map(\.record.content)
        numbers += found.map(\.number)
      }
      return (entries, numbers, nil)
    } catch {
      return (entries, numbers, error)
    }
  }
}

/// Copies of a journal as a killed writer leaves it: with its last segment open.
enum Abandoned {
  private static let journals = Mutex<[Journal<[UInt8]>]>([])

  /// Keeps a journal from being closed; its lock stays with it.
  static func keep(_ journal: Journal<[UInt8]>) { journals.withLock { $0.append(journal) } }
}

extension JournalFixture {
  /// The journal as a killed writer leaves it, in another directory: its last segment is open.
  func killed(in folder: String) throws -> JournalFixture {
    let copy = try JournalFixture(in: folder)
    try FileManager.default.createDirectory(
      atPath: copy.path, withIntermediateDirectories: true)
    for name in try names(in: path) where name != "lock" {
      try write(try contents(of: path + "/" + name), to: copy.path + "/" + name)
    }
    return copy
  }
}

/// The error that a call throws; nil when it returns.
func journalError<Result>(_ body: () throws(JournalError) -> Result) -> JournalError? {
  do throws(JournalError) {
    _ = try body()
    return nil
  } catch {
    return error
  }
}

/// `count` bytes that differ from those of other seeds.
func bytes(_ count: Int, seed: UInt8 = 1) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) ^ seed }
}

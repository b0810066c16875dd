import Foundation
import KeepsakeFiles
import KeepsakeSeal
import TestSupport
import Testing

@testable import KeepsakeJournal

/// The files of a directory as an object store has them: they do not grow, and some that are listed cannot be opened.
private struct ClosedStorage: JournalStorage {
  let directory: DirectoryStorage
  /// Names of files that were removed after the names were listed.
  var removed: Set<String> = []
  /// The error of each read; nil when reads succeed.
  var failure: JournalError?
  var grows: Bool { false }

  func names() throws(JournalError) -> [String] { try directory.names() }

  func open(_ name: String) throws(JournalError) -> (any StoredFile)? {
    if removed.contains(name) { return nil }
    if let failure, name.hasSuffix(".journal") { return FailingFile(failure: failure) }
    return try directory.open(name)
  }
}

private struct FailingFile: StoredFile {
  let failure: JournalError

  func size() -> UInt64 { 1_000 }

  func read(upTo count: Int, at offset: UInt64) throws(JournalError) -> [UInt8] { throw failure }
}

@Suite struct `The directory of a journal` {
  /// A journal of three files with one entry each.
  private func writeThreeFiles(_ fixture: JournalFixture, _ options: JournalOptions) throws {
    let journal = try fixture.open(options)
    for index in 0..<3 {
      try journal.append([UInt8(index)])
      try journal.rotate()
    }
    try journal.close()
  }

  private func closed(_ fixture: JournalFixture) -> ClosedStorage {
    ClosedStorage(directory: DirectoryStorage(directory: fixture.path))
  }

  @Test func `A directory is found by its own path and by that of each file of the journal`() throws
  {
    try JournalFixture.with { fixture in
      #expect(try JournalDirectory.directory(at: fixture.path) == nil)
      try fixture.open().close()
      // It has a lock, and no file with entries yet.
      #expect(try JournalDirectory.directory(at: fixture.path) == nil)
      try writeThreeFiles(fixture, JournalOptions())
      for path in [fixture.path, fixture.file(1), fixture.file(3)] {
        #expect(try JournalDirectory.directory(at: path) == fixture.path)
      }
      #expect(try JournalDirectory.directory(at: fixture.path + "/lock") == nil)
    }
  }

  @Test func `A file of a journal has a number of ten digits as its name`() {
    #expect(JournalDirectory.name(ofFile: 1) == "0000000001.journal")
    #expect(JournalDirectory.name(ofFile: 9_999_999_999) == "9999999999.journal")
    #expect(JournalDirectory.number(ofFile: "0000000012.journal") == 12)
    #expect(JournalDirectory.number(ofFile: "9999999999.journal") == 9_999_999_999)
    for name in [
      "0000000000.journal", "000000001.journal", "00000000001.journal", "+000000001.journal",
      "000000000a.journal", "0000000001.journal2", "0000000001", "0000000001journal", ".journal",
    ] {
      #expect(JournalDirectory.number(ofFile: name) == nil, "\(name)")
    }
  }

  @Test func `The files of a journal are listed with their places, sizes and dates`() throws {
    try JournalFixture.with { fixture in
      var options = JournalOptions()
      options.clock = { 1_500 }
      try writeThreeFiles(fixture, options)
      let files = try fixture.directory.files()
      #expect(files.map(\.number) == [1, 2, 3] && files.map(\.firstEntry) == [0, 1, 2])
      #expect(files.map(\.path) == [1, 2, 3].map { fixture.file($0) })
      #expect(files.allSatisfy { $0.date == Date(timeIntervalSince1970: 1.5) })
      for file in files { #expect(file.byteCount == (try contents(of: file.path).count)) }
    }
  }

  @Test func `A file that is removed after it was listed is left out`() throws {
    try JournalFixture.with { fixture in
      try writeThreeFiles(fixture, JournalOptions())
      var storage = closed(fixture)
      storage.removed = [JournalDirectory.name(ofFile: 1)]
      let directory = JournalDirectory(at: fixture.path, in: storage, with: fixture.keys)
      #expect(try directory.files().map(\.number) == [2, 3])
    }
  }

  @Test func `All files but the last one are closed, and the record of removed ones is read`()
    throws
  {
    try JournalFixture.with { fixture in
      try writeThreeFiles(fixture, JournalOptions())
      let directory = fixture.directory
      var (files, retention) = try directory.closedFiles()
      #expect(files.map(\.number) == [1, 2] && retention == nil)
      #expect(files.map(\.path) == [fixture.file(1), fixture.file(2)])
      #expect(files.map(\.name) == ["0000000001.journal", "0000000002.journal"])
      let journal = try fixture.open(JournalOptions(retention: JournalRetention(files: 2)))
      try journal.rotate()
      try journal.append([3])
      (files, retention) = try directory.closedFiles()
      #expect(files.map(\.number) == [3])
      #expect(try retention == contents(of: fixture.path + "/retention"))
      let id = try #require(try headers(in: fixture.file(3), number: 3).first).fields.journalID
      #expect(try directory.journalID(ofFile: 3) == id)
      #expect(try directory.journalID(ofFile: 1) == nil)
    }
  }

  @Test func `A sequence of files that do not grow ends, although it follows the journal`()
    async throws
  {
    try await JournalFixture.with { fixture in
      try writeThreeFiles(fixture, JournalOptions())
      let directory = JournalDirectory(
        at: "s3://bucket/journal", in: closed(fixture), with: fixture.keys)
      var found: [[UInt8]] = []
      for try await entry in directory.entries(as: .bytes(), following: true) {
        found.append(entry.value)
      }
      #expect(found == [[0], [1], [2]])
      #expect(directory.path == "s3://bucket/journal")
    }
  }

  @Test func `The error of a storage keeps the path that it has`() throws {
    try JournalFixture.with { fixture in
      try writeThreeFiles(fixture, JournalOptions())
      for path in ["s3://bucket/object", nil] {
        var storage = closed(fixture)
        storage.failure = JournalError(
          SealError(.sourceFailed, path: path, detail: "it is offline"))
        let directory = JournalDirectory(at: "journal", in: storage, with: fixture.keys)
        let error = journalError { () throws(JournalError) in try directory.files() }
        #expect(error?.code.rawValue == "sourceFailed")
        #expect(error?.path == path ?? "journal/0000000001.journal")
      }
    }
  }

  // Spec/journal.md, section 9.2.
  @Test(arguments: [0, 1, 9_999_999_999, 10_000_000_000] as [UInt64])
  func `A record of removed files names a file that a journal can have`(number: UInt64) throws {
    try JournalFixture.with { fixture in
      try fixture.append([[1]])
      var fields = try #require(try headers(in: fixture.file(1)).first).fields
      fields.fileNumber = number
      try write(RetentionRecord(keepingFrom: fields).bytes(), to: fixture.path + "/retention")
      let error = fixture.read().error
      switch number {
      case 1: #expect(error == nil)
      case 9_999_999_999: #expect(error?.code == .missingFile)
      default: #expect(error?.code == .malformedRetention)
      }
    }
  }
}

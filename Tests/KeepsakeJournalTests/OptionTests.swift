import Foundation
import KeepsakeFiles
import KeepsakeSeal
import TestSupport
import Testing

@testable import KeepsakeJournal

@Suite struct `Options of a journal` {
  @Test func `A file is full at the size of the rule, and not one byte before`() throws {
    try JournalFixture.with { fixture in
      try fixture.append([[1]], closing: false)
      let size = try contents(of: fixture.file(1)).count
      for (limit, count) in [(size, 2), (size + 1, 1)] {
        try withTemporaryDirectory { folder in
          let other = try JournalFixture(in: folder)
          let journal = try other.open(JournalOptions(rotation: JournalRotation(size: limit)))
          try journal.append([1])
          try journal.append([2])
          #expect(try other.directory.files().count == count)
        }
      }
    }
  }

  @Test func `Files stay up to the size and the age of the rule, and go beyond them`() throws {
    try JournalFixture.with { fixture in
      let clock = ManualTime()
      var options = JournalOptions()
      options.clock = { clock.now }
      let journal = try fixture.open(options)
      for time in [0, 1_000, 2_000] as [Int64] {
        clock.now = time
        try journal.rotate()
        try journal.append([1])
      }
      try journal.close()
      let files = try fixture.directory.files()
      // The next file has a header alone when the rule is applied.
      let size = files.reduce(432) { $0 + $1.byteCount }
      // The last entry of the first file is no later than the second file, which begins at 1,000.
      for (rule, count) in [
        (JournalRetention(size: size), 4), (JournalRetention(size: size - 1), 3),
        (JournalRetention(age: .milliseconds(1_500)), 4),
        (JournalRetention(age: .milliseconds(1_499)), 3),
        (JournalRetention(files: 4), 4), (JournalRetention(files: 3), 3),
        (JournalRetention(files: 0), 1), (JournalRetention(), 4),
      ] {
        try withTemporaryDirectory { folder in
          let copy = try fixture.killed(in: folder)
          var options = JournalOptions(retention: rule)
          options.clock = { 2_500 }
          let journal = try copy.open(options)
          try journal.rotate()
          try journal.append([2])
          #expect(try copy.directory.files().count == count, "\(rule)")
        }
      }
    }
  }

  @Test func `Public metadata and a context of 64 KiB are stored, and longer ones are refused`()
    throws
  {
    try JournalFixture.with { fixture in
      let longest = [UInt8](repeating: 3, count: 65_536)
      let keys = JournalKeys.key(fixture.key, context: longest)
      func open(
        _ keys: JournalKeys, _ metadata: [UInt8]
      ) throws(JournalError) -> Journal<[UInt8]> {
        try Journal<[UInt8]>.open(
          at: fixture.path, for: keys, as: .bytes(),
          options: JournalOptions(publicMetadata: metadata))
      }
      for (keys, metadata) in [
        (keys, longest + [3]), (JournalKeys.key(fixture.key, context: longest + [3]), longest),
      ] {
        let error = journalError { () throws(JournalError) in try open(keys, metadata) }
        #expect(error?.code == .invalidOptions)
      }
      let journal = try open(keys, longest)
      try journal.append([1])
      #expect(try journal.entry(0)?.value == [1])
      #expect(try headers(in: fixture.file(1)).map(\.fields.publicMetadata) == [longest])
    }
  }

  @Test func `Entries have the time of the system's clock by default`() throws {
    try JournalFixture.with { fixture in
      let journal = try fixture.open()
      try journal.append([1])
      let date = try #require(try journal.entry(0)).date
      #expect(abs(date.timeIntervalSinceNow) < 3_600)
    }
  }

  @Test func `Dates and durations are whole milliseconds, rounded down and within 64 bits`() {
    #expect(Date(timeIntervalSince1970: 1.5).milliseconds == 1_500)
    #expect(Date(timeIntervalSince1970: 0.0015).milliseconds == 1)
    #expect(Date(timeIntervalSince1970: -0.0015).milliseconds == -2)
    #expect(Date(timeIntervalSince1970: 1e300).milliseconds == .max)
    #expect(Date(timeIntervalSince1970: -1e300).milliseconds == .min)
    #expect(Duration.microseconds(2_900).milliseconds == 2)
    #expect(Duration.seconds(3).milliseconds == 3_000)
    #expect(Duration.seconds(Int64.max).milliseconds == .max)
    #expect(Duration.seconds(Int64.min).milliseconds == .min)
  }

  @Test func `A journal that was closed refuses all that would change or pin it`() throws {
    try JournalFixture.with { fixture in
      let journal = try fixture.open()
      #expect(try journal.pin() == nil)
      try journal.beginFile()
      #expect(try fixture.directory.files().isEmpty)
      try journal.append([1])
      try journal.beginFile()
      #expect(try fixture.directory.files().map(\.firstEntry) == [0, 1])
      try journal.close()
      let errors = [
        journalError { () throws(JournalError) in try journal.rotate() },
        journalError { () throws(JournalError) in try journal.beginFile() },
        journalError { () throws(JournalError) in try journal.pin() },
        journalError { () throws(JournalError) in try journal.append([2]) },
      ]
      #expect(errors.allSatisfy { $0?.code == .closed && $0?.path == fixture.path })
      try journal.close()
      #expect(fixture.read().entries == [[1]])
    }
  }

  @Test func `A call without an entry is refused`() async throws {
    try await JournalFixture.with { fixture in
      let journal = try fixture.open()
      let error = await #expect(throws: JournalError.self) {
        try await journal.append(contentsOf: [])
      }
      let other = journalError { () throws(JournalError) in try journal.append(contentsOf: []) }
      #expect(error?.code == .entryNotStorable && error == other)
      #expect(error?.path == fixture.path)
    }
  }
}

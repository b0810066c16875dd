import Foundation
import KeepsakeArchive
import KeepsakeFiles
import KeepsakeSeal
import TestSupport
import Testing

@testable import KeepsakeJournal

private struct Event: Codable, Equatable, Sendable {
  var name: String
  var amount = 1
}

private struct Point: ArchiveRecord, Equatable {
  static let archiveTypeName = "Point"
  var x = 0

  init(x: Int) { self.x = x }

  func encode(to coder: inout ObjectEncoder) { coder.encode(x, forKey: "x") }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    x = try coder.decode(Int.self, forKey: "x")
  }
}

private struct NotANumber: Error {}

@Suite struct `A journal` {
  @Test func `Entries are read in their order, with numbers from 0`() throws {
    try JournalFixture.with { fixture in
      let journal = try fixture.open()
      #expect(try journal.count() == 0)
      #expect(try journal.append([1]) == 0)
      #expect(try journal.append(contentsOf: [[2], [], [3, 4]]) == 1..<4)
      #expect(try journal.count() == 4)
      let found = fixture.read()
      #expect(found.entries == [[1], [2], [], [3, 4]] && found.numbers == [0, 1, 2, 3])
      #expect(found.error == nil)
    }
  }

  @Test func `Each opening continues after the entries of the last one`() throws {
    try JournalFixture.with { fixture in
      for round in 0..<5 { try fixture.append([[UInt8(round)], [UInt8(round), 1]]) }
      let found = fixture.read()
      #expect(found.entries == (0..<5).flatMap { [[UInt8($0)], [UInt8($0), 1]] })
      #expect(try names(in: fixture.path) == ["0000000001.journal", "lock"])
      #expect(try fixture.directory.verify() != nil)
    }
  }

  @Test func `An opening without an entry writes nothing`() throws {
    try JournalFixture.with { fixture in
      try fixture.open().close()
      #expect(try names(in: fixture.path) == ["lock"])
      #expect(try fixture.directory.count() == 0)
    }
  }

  @Test func `Entries are found by number, from the end and by time`() throws {
    try JournalFixture.with { fixture in
      var options = JournalOptions()
      let clock = ManualTime()
      options.clock = { clock.now }
      let journal = try fixture.open(options)
      for index in 0..<10 {
        // The clock jumps back once.
        clock.now = index == 6 ? 5_500 : Int64(1_000 * index)
        try journal.append([UInt8(index)])
      }
      #expect(try journal.entry(7)?.value == [7])
      #expect(try journal.last(3).map(\.value) == [[7], [8], [9]])
      #expect(try journal.last(100).count == 10)
      #expect(try journal.last(0).isEmpty)
      #expect(fixture.read(ReadingOptions(since: 5_501)).numbers == [7, 8, 9])
      #expect(fixture.read(ReadingOptions(since: 5_000)).numbers == [5, 6, 7, 8, 9])
      let absent = journalError { () throws(JournalError) in try journal.entry(10) }
      #expect(absent?.code == .entryAbsent && absent?.entry == 10)
      #expect(try journal.entry(9)?.date == Date(timeIntervalSince1970: 9))
    }
  }

  @Test(arguments: [0, 1, 65_515, 65_516, 65_517, 131_052, 131_053, 1_000_000])
  func `An entry of every length is read back, between others`(length: Int) throws {
    try JournalFixture.with { fixture in
      let entries = [bytes(3), bytes(length, seed: 2), bytes(5, seed: 3)]
      let journal = try fixture.open()
      try journal.append(contentsOf: entries)
      try journal.append(contentsOf: entries)
      try journal.close()
      #expect(fixture.read().entries == entries + entries)
      #expect(fixture.read(ReadingOptions(from: 2)).entries == [entries[2]] + entries)
      #expect(try fixture.directory.verify() != nil)
    }
  }

  @Test func `The largest entry is stored, and a larger one is refused`() throws {
    try JournalFixture.with { fixture in
      let journal = try fixture.open()
      let largest = [UInt8](repeating: 5, count: JournalFormat.maximumContentLength)
      try journal.append(largest)
      let error = journalError { () throws(JournalError) in try journal.append(largest + [1]) }
      #expect(error?.code == .entryTooLarge)
      try journal.append([9])
      #expect(fixture.read().entries == [largest, [9]])
    }
  }

  @Test func `Padding hides lengths, and entries are read back`() throws {
    try JournalFixture.with { fixture in
      let journal = try fixture.open(JournalOptions(padding: .padme))
      var sizes: Set<UInt64> = []
      for length in 1_030...1_040 {
        let before = try fixture.directory.files().first?.byteCount ?? 0
        try journal.append(bytes(length))
        let after = try #require(try fixture.directory.files().first).byteCount
        if length > 1_030 { sizes.insert(UInt64(after - before)) }
      }
      try journal.append(bytes(100_000))
      #expect(sizes.count == 1)
      #expect(fixture.read().entries == (1_030...1_040).map { bytes($0) } + [bytes(100_000)])
    }
  }
}

@Suite struct `Forms of entries` {
  @Test func `A Codable entry is read by a later version of its type`() async throws {
    try await JournalFixture.with { fixture in
      let journal = try await Journal<Event>.open(at: fixture.path, for: fixture.keys)
      try await journal.append(Event(name: "first"))
      try await journal.append(Event(name: "second", amount: 2))
      var found: [Event] = []
      for try await entry in journal.entries() { found.append(entry.value) }
      #expect(found == [Event(name: "first"), Event(name: "second", amount: 2)])
      let later = try fixture.directory.last(
        1, as: JournalForm<Event>.codable(named: "Event", version: 3))
      #expect(later.map(\.value) == [Event(name: "second", amount: 2)])
    }
  }

  @Test func `An entry of another type is refused, migrated or skipped`() throws {
    try JournalFixture.with { fixture in
      let journal = try Journal<Event>.open(
        at: fixture.path, for: fixture.keys, as: .codable(named: "old", version: 2))
      try journal.append(Event(name: "a"))
      try journal.close()
      let directory = fixture.directory
      for form in [
        JournalForm<Event>.codable(named: "new"), .codable(named: "old", version: 1),
        // A name that the stored one begins with is another name.
        .codable(named: "ol", version: 2),
      ] {
        let error = journalError { () throws(JournalError) in try directory.entry(0, as: form) }
        #expect(error?.code == .entryUnreadable && error?.entry == 0)
        let last = journalError { () throws(JournalError) in try directory.last(1, as: form) }
        #expect(last?.code == .entryUnreadable && last?.path == directory.path)
      }
      let migrating = JournalForm<Event>.codable(named: "new") { record in
        record.typeName == "old" ? Event(name: "from version \(record.version)") : nil
      }
      #expect(try directory.entry(0, as: migrating)?.value == Event(name: "from version 2"))
      let skipping = JournalForm<Event>.codable(named: "new") { _ in nil }
      #expect(try directory.entry(0, as: skipping) == nil)
      let record = try directory.entry(0, as: .records)?.value
      #expect(record?.typeName == "old" && record?.version == 2)
      #expect(record?.representation == .archive)
    }
  }

  @Test func `A record is stored as an archive`() throws {
    try JournalFixture.with { fixture in
      let journal = try Journal<Point>.open(at: fixture.path, for: fixture.keys, as: .record())
      try journal.append(Point(x: 4))
      #expect(try journal.entry(0)?.value == Point(x: 4))
      let record = try fixture.directory.entry(0, as: .records)?.value
      #expect(record?.typeName == "Point" && record?.version == 0)
    }
  }

  @Test func `An entry of the own type and version is not migrated, and an earlier one is`() throws
  {
    try JournalFixture.with { fixture in
      let journal = try Journal<Event>.open(
        at: fixture.path, for: fixture.keys, as: .codable(version: 2))
      try journal.append(Event(name: "a"))
      for (version, name) in [(2, "a"), (3, "migrated"), (1, "migrated")] {
        let form = JournalForm<Event>.codable(version: version) { _ in Event(name: "migrated") }
        #expect(try fixture.directory.entry(0, as: form)?.value.name == name)
      }
    }
  }

  @Test func `Bytes are no archive, also under the name of its type`() throws {
    try JournalFixture.with { fixture in
      let journal = try Journal<[UInt8]>.open(
        at: fixture.path, for: fixture.keys, as: .bytes(named: "Event", version: 4))
      try journal.append([1, 2])
      let directory = fixture.directory
      let record = try directory.entry(0, as: .records)?.value
      #expect(record == JournalRecord([1, 2], typeName: "Event", version: 4))
      for version in 4...5 {
        let error = journalError { () throws(JournalError) in
          try directory.entry(0, as: JournalForm<Event>.codable(version: version))
        }
        #expect(error?.code == .entryUnreadable)
        #expect(error?.description.contains("(it is Event, version 4)") == true)
      }
      // A form of bytes reads every entry.
      try journal.close()
      let other = try Journal<Event>.open(at: fixture.path, for: fixture.keys)
      try other.append(Event(name: "a"))
      let content = try directory.entry(1, as: .bytes(named: "other"))?.value
      #expect(try content == directory.entry(1, as: .records)?.value.content)
    }
  }

  @Test func `An archive of another type than its entry states is not decoded`() throws {
    try JournalFixture.with { fixture in
      let journal = try Journal<JournalRecord>.open(
        at: fixture.path, for: fixture.keys, as: .records)
      var writer = ArchiveWriter()
      let id = writer.nextObjectID
      try writer.writeObjects([Point(x: 4)], typeName: "Place")
      let content = try writer.finish(root: id)
      try journal.append(JournalRecord(content, typeName: "Point", representation: .archive))
      let error = journalError { () throws(JournalError) in
        try fixture.directory.entry(0, as: JournalForm<Point>.record())
      }
      #expect(error?.code == .entryUnreadable && error?.path == fixture.path)
    }
  }

  @Test func `An entry that cannot be encoded is not appended, and the error says why`() throws {
    try JournalFixture.with { fixture in
      let journal = try Journal<Double>.open(
        at: fixture.path, for: fixture.keys,
        as: JournalForm(
          encode: { _ in throw NotANumber() },
          decode: { _ in nil }))
      let error = journalError { () throws(JournalError) in try journal.append(.nan) }
      #expect(error?.code == .entryNotStorable && error?.path == fixture.path)
      #expect(error?.description.contains("NotANumber") == true)
      #expect(try journal.count() == 0)
    }
  }

  @Test func `The limits of a form bound the entries that it writes and reads`() throws {
    try JournalFixture.with { fixture in
      var narrow = ArchiveLimits()
      narrow.byteCount = 200
      let long = Event(name: String(repeating: "n", count: 300))
      let events = try Journal<Event>.open(
        at: fixture.path, for: fixture.keys, as: .codable(limits: narrow))
      #expect(
        journalError { () throws(JournalError) in try events.append(long) }?.code
          == .entryNotStorable)
      try events.close()
      let wide = try Journal<Event>.open(at: fixture.path, for: fixture.keys)
      try wide.append(long)
      #expect(
        journalError { () throws(JournalError) in
          try fixture.directory.entry(0, as: JournalForm<Event>.codable(limits: narrow))
        }?.code == .entryUnreadable)
      try wide.close()
      narrow.byteCount = 40
      let points = try Journal<Point>.open(
        at: fixture.path, for: fixture.keys, as: .record(limits: narrow))
      #expect(
        journalError { () throws(JournalError) in try points.append(Point(x: 1)) }?.code
          == .entryNotStorable)
      try points.close()
      try Journal<Point>.open(at: fixture.path, for: fixture.keys, as: .record()).append(
        Point(x: 1))
      #expect(
        journalError { () throws(JournalError) in
          try fixture.directory.entry(1, as: JournalForm<Point>.record(limits: narrow))
        }?.code == .entryUnreadable)
    }
  }

  @Test func `A record with a version or a name that cannot be stored is refused`() throws {
    try JournalFixture.with { fixture in
      let journal = try Journal<JournalRecord>.open(
        at: fixture.path, for: fixture.keys, as: .records)
      let longest = String(repeating: "n", count: 1_024)
      let largest = JournalRecord([1], typeName: longest, version: Int(Int32.max))
      try journal.append(largest)
      let refused: [(JournalRecord, JournalError.Code)] = [
        (JournalRecord([], typeName: longest + "n"), .entryTooLarge),
        (JournalRecord([], version: -1), .entryNotStorable),
        (JournalRecord([], version: 1 << 31), .entryNotStorable),
      ]
      for (record, code) in refused {
        let error = journalError { () throws(JournalError) in try journal.append(record) }
        #expect(error?.code == code)
      }
      #expect(try journal.entry(0)?.value == largest)
      #expect(try journal.count() == 1)
    }
  }
}

/// A clock that a test sets.
final class ManualTime: Sendable {
  private let time = Monitor<Int64>(0)

  var now: Int64 {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }
}

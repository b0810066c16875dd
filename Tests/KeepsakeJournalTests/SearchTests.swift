import Foundation
import KeepsakeFiles
import TestSupport
import Testing

@testable import KeepsakeJournal

@Suite struct `Reading a journal by number` {
  /// Sizes of entries that differ much: small ones that share frames, ones of a frame, and ones of several.
  private static let sizes = [1, 40, 900, 20_000, 65_000, 70_000, 200_000, 3]

  private func entry(_ number: Int) -> [UInt8] {
    bytes(Self.sizes[number % Self.sizes.count], seed: UInt8(truncatingIfNeeded: number))
  }

  /// A journal of 96 entries in three files, of which the first one has several segments.
  private func write(_ fixture: JournalFixture, closing: Bool = true) throws {
    for part in 0..<6 {
      let journal = try fixture.open()
      if part == 3 { try journal.rotate() }
      for batch in 0..<4 {
        let first = part * 16 + batch * 4
        try journal.append(contentsOf: (first..<first + 4).map { entry($0) })
      }
      if part == 4 { try journal.rotate() }
      if closing || part < 5 { try journal.close() } else { Abandoned.keep(journal) }
    }
  }

  @Test(arguments: [true, false])
  func `Each entry is found by its number, in closed and open files`(closing: Bool) throws {
    try JournalFixture.with { fixture in
      try write(fixture, closing: closing)
      let directory = fixture.directory
      #expect(try directory.count() == 96)
      for number in (0..<96).map({ $0 * 37 % 96 }) {
        let found = try directory.entry(UInt64(number), as: .bytes())
        #expect(found?.value == entry(number), "entry \(number)")
        #expect(found?.missingBefore == 0)
      }
      #expect(try directory.last(5, as: .bytes()).map(\.number) == [91, 92, 93, 94, 95])
      let absent = journalError { () throws(JournalError) in try directory.entry(96, as: .bytes()) }
      #expect(absent?.code == .entryAbsent)
    }
  }

  @Test func `Reading that starts at an entry gives all later ones`() throws {
    try JournalFixture.with { fixture in
      try write(fixture)
      for first in stride(from: 0, through: 96, by: 5) {
        let found = fixture.read(ReadingOptions(from: UInt64(first)))
        #expect(found.error == nil && found.numbers == (UInt64(first)..<96).map { $0 })
      }
    }
  }

  /// A closed file of 10,000 entries of like sizes.
  private func writeMany(_ fixture: JournalFixture) throws {
    let journal = try fixture.open()
    for batch in 0..<10 {
      try journal.append(
        contentsOf: (0..<1_000).map { bytes(180 + $0 % 41, seed: UInt8(batch)) })
    }
    try journal.close()
  }

  // The first two reads are of the header and the end of the file.
  @Test func `An entry of a closed file is found and read in four reads of the file`() throws {
    try JournalFixture.with { fixture in
      try writeMany(fixture)
      for number in stride(from: UInt64(0), to: 10_000, by: 37) {
        let file = try #require(try JournalFiles(fixture.path).open(1))
        var search = try #require(try EntrySearch(file, number: 1, for: number))
        let place = try #require(try search.place())
        var window = search.window
        #expect(try window.frame(at: place.offset)?.header.first == place.entry)
        #expect(window.readCount <= 4, "entry \(number)")
        #expect(place.entry <= number && number - place.entry < 400)
      }
    }
  }

  @Test func `The number of entries of an open file is found at its end`() throws {
    try JournalFixture.with { fixture in
      let journal = try fixture.open()
      for batch in 0..<40 {
        try journal.append(contentsOf: (0..<100).map { bytes(200 + $0, seed: UInt8(batch)) })
      }
      let window = try #require(try JournalFiles(fixture.path).open(1))
      var search = try #require(try EntrySearch(window, number: 1, for: .max))
      let place = try #require(try search.place())
      #expect(place.entry >= 3_900)
      #expect(search.window.readCount <= 6)
      #expect(try fixture.directory.count() == 4_000)
      try journal.close()
    }
  }

  @Test func `An entry after damage is read, and a reader that reaches the damage reports it`()
    throws
  {
    try JournalFixture.with { fixture in
      try writeMany(fixture)
      var file = try contents(of: fixture.file(1))
      file[1_000] ^= 1
      try TestSupport.write(file, to: fixture.file(1))
      #expect(try fixture.directory.entry(9_020, as: .bytes())?.value.count == 180 + 20 % 41)
      let error = journalError { () throws(JournalError) in
        try fixture.directory.entry(5, as: .bytes())
      }
      #expect(error?.code == .damaged && error?.offset == 432)
      #expect(fixture.read().error?.code == .damaged)
    }
  }

  // Frames of a segment that are copied into the public metadata of a later header are genuine, but not in their place.
  @Test func `Frames in the public metadata of a header are not taken for those of the file`()
    throws
  {
    try JournalFixture.with { fixture in
      try fixture.append((0..<6).map { bytes(20, seed: UInt8($0)) })
      let copied = try contents(of: fixture.file(1))
      for round in 0..<30 {
        let journal = try fixture.open(JournalOptions(publicMetadata: copied + copied))
        try journal.append(contentsOf: (0..<20).map { bytes(200 * round, seed: UInt8($0)) })
        try journal.close()
      }
      let directory = fixture.directory
      for number in 0..<606 {
        let found = try directory.entry(UInt64(number), as: .bytes())?.value
        let seed = UInt8(number < 6 ? number : (number - 6) % 20)
        #expect(found == bytes(number < 6 ? 20 : 200 * ((number - 6) / 20), seed: seed))
      }
      #expect(fixture.read(ReadingOptions(from: 300)).error == nil)
    }
  }

  @Test func `Marks of a replaced journal are forgotten`() throws {
    try JournalFixture.with { fixture in
      try writeMany(fixture)
      let directory = fixture.directory
      for number in stride(from: UInt64(0), to: 10_000, by: 1_250) {
        _ = try directory.entry(number, as: .bytes())
      }
      // Another journal replaces it at the same path.
      try FileManager.default.removeItem(atPath: fixture.path)
      let journal = try fixture.open()
      for index in 0..<20 {
        try journal.append(contentsOf: (0..<500).map { _ in bytes(90 + 3 * index) })
      }
      try journal.close()
      for number in stride(from: UInt64(100), to: 10_000, by: 1_249) {
        let found = try directory.entry(number, as: .bytes())
        #expect(found?.value.count == 90 + 3 * Int(number / 500))
      }
    }
  }

  @Test func `An index forgets its marks when the frame of one is damaged`() throws {
    try JournalFixture.with { fixture in
      try writeMany(fixture)
      let index = JournalIndex()
      func read(_ number: UInt64) throws {
        var reader = JournalReader(
          JournalFiles(fixture.path), keys: fixture.keys, options: ReadingOptions(from: number),
          index: index)
        _ = try reader.step()
      }
      for number in [2_000, 5_000, 8_000] as [UInt64] { try read(number) }
      #expect(index.count == 3)
      let mark = try #require(index.around(5_000).low)
      var file = try contents(of: fixture.file(1))
      file[Int(mark.offset) + JournalFormat.framePrefixLength] ^= 1
      try TestSupport.write(file, to: fixture.file(1))
      _ = try? read(5_000)
      #expect(index.count == 0)
    }
  }

  @Test
  func `A mark that states something else than its frame is forgotten, and the entry is found`()
    throws
  {
    try JournalFixture.with { fixture in
      try writeMany(fixture)
      func read(_ number: UInt64, _ index: JournalIndex) throws -> UInt64? {
        var reader = JournalReader(
          JournalFiles(fixture.path), keys: fixture.keys, options: ReadingOptions(from: number),
          index: index)
        guard case .entries(let found) = try reader.step() else { return nil }
        return found.first?.number
      }
      let index = JournalIndex()
      #expect(try read(5_000, index) == 5_000)
      let mark = try #require(index.around(5_000).low)
      func changed(entry: UInt64 = 0, index: UInt64 = 0) -> JournalIndex.Mark {
        JournalIndex.Mark(
          entry: mark.entry + entry, file: mark.file, offset: mark.offset,
          headerOffset: mark.headerOffset, index: mark.index + index, tag: mark.tag)
      }
      let wrong = JournalIndex()
      wrong.add(changed(entry: 1))
      #expect(try read(mark.entry + 1, wrong) == mark.entry + 1)
      #expect(wrong.count == 0)
      // The search reads the frame itself, and so corrects its index.
      wrong.add(changed(index: 1))
      #expect(try read(mark.entry, wrong) == mark.entry)
      #expect(wrong.around(mark.entry).low == mark)
      // A mark of another file says nothing about this one.
      let other = JournalIndex()
      other.add(
        JournalIndex.Mark(
          entry: 9_000, file: 2, offset: 500, headerOffset: 0, index: 0, tag: mark.tag))
      other.add(
        JournalIndex.Mark(
          entry: 4_000, file: 2, offset: mark.offset, headerOffset: 0, index: mark.index,
          tag: mark.tag))
      #expect(try read(5_000, other) == 5_000)
      #expect(other.around(5_000).low?.file == 1)
    }
  }

  @Test func `An index finds the marks around an entry`() {
    let index = JournalIndex()
    func mark(_ entry: UInt64, offset: UInt64) -> JournalIndex.Mark {
      JournalIndex.Mark(
        entry: entry, file: 1, offset: offset, headerOffset: 0, index: entry, tag: 1)
    }
    for entry in [30, 10, 20] as [UInt64] { index.add(mark(entry, offset: 1)) }
    for (entry, low, high): (UInt64, UInt64?, UInt64?) in [
      (9, nil, 10), (10, 10, 20), (19, 10, 20), (20, 20, 30), (30, 30, nil), (31, 30, nil),
    ] {
      let found = index.around(entry)
      #expect(found.low?.entry == low && found.high?.entry == high)
    }
    // Another mark of an entry replaces the one before.
    index.add(mark(20, offset: 2))
    #expect(index.count == 3 && index.around(20).low?.offset == 2)
    index.clear()
    #expect(index.count == 0)
    let limit = JournalIndex.maximumCount
    for entry in 0..<UInt64(limit) { index.add(mark(entry, offset: 1)) }
    #expect(index.count == limit)
    index.add(mark(UInt64(limit), offset: 1))
    #expect(index.count == limit / 2 + 1)
    #expect(index.around(2).low?.entry == 2 && index.around(2).high?.entry == 4)
  }

  @Test func `An index keeps a bounded number of marks, in order`() {
    let index = JournalIndex()
    for entry in (0..<20_000 as Range<UInt64>).map({ $0 * 7_919 % 20_000 }) {
      index.add(
        JournalIndex.Mark(
          entry: entry, file: 1, offset: entry * 100, headerOffset: 0, index: entry, tag: 1))
      #expect(index.count <= JournalIndex.maximumCount)
    }
    for entry in stride(from: UInt64(0), to: 20_000, by: 111) {
      let (low, high) = index.around(entry)
      #expect(low?.entry ?? 0 <= entry && high?.entry ?? .max > entry)
    }
  }

  @Test func `A search by time skips closed segments with only earlier entries`() throws {
    try JournalFixture.with { fixture in
      let clock = ManualTime()
      var options = JournalOptions()
      options.clock = { clock.now }
      // The clock is set back once, in the third segment.
      let times: [Int64] = [10, 20, 5, 30, 40, 50]
      for (index, time) in times.enumerated() {
        clock.now = time
        let journal = try fixture.open(options)
        if index == 4 { try journal.rotate() }
        try journal.append(contentsOf: [[UInt8(index)], [UInt8(index + 100)]])
        try journal.close()
      }
      for since in 0...60 as ClosedRange<Int64> {
        let found = fixture.read(ReadingOptions(since: since))
        var expected: [UInt64] = []
        for (index, time) in times.enumerated() where time >= since {
          let first = UInt64(2 * index)
          expected += [first, first + 1]
        }
        #expect(found.numbers == expected && found.error == nil, "since \(since)")
      }
      // A search does not find damage in a segment that it skips.
      var file = try contents(of: fixture.file(1))
      file[500] ^= 1
      try TestSupport.write(file, to: fixture.file(1))
      #expect(fixture.read(ReadingOptions(since: 35)).error == nil)
      #expect(fixture.read(ReadingOptions(since: 8)).error?.code == .damaged)
    }
  }
}

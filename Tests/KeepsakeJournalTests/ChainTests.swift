import Foundation
import KeepsakeFiles
import KeepsakeSeal
import TestSupport
import Testing

@testable import KeepsakeJournal

@Suite struct `Frames of a journal` {
  // Spec/journal.md, section 7.1: the tag of a frame covers all of it but its check.
  @Test(arguments: [true, false])
  func `A reader that skips the chain refuses the same bytes as others, except a changed check`(
    isClosed: Bool
  ) throws {
    try JournalFixture.with { fixture in
      let entries = (0..<6).map { bytes(20, seed: UInt8($0)) }
      try fixture.append(Array(entries[..<3]))
      try fixture.append(Array(entries[3...]))
      let file = try contents(of: fixture.file(1)).dropLast(isClosed ? 0 : JournalFormat.endLength)
      // A frame has a header of 48 bytes, a check of 16, and an entry of 40 with its tag.
      let checks = [0, 432 + 3 * 120 + 112].flatMap { segment in
        (0..<3).map { segment + 432 + 120 * $0 + 48 }
      }
      for offset in file.indices {
        var changed = Array(file)
        changed[offset] ^= 1 << UInt8(offset % 8)
        try write(changed, to: fixture.file(1))
        let strict = fixture.read()
        let quick = fixture.read(ReadingOptions(verifiesChain: false))
        if checks.contains(where: { ($0..<$0 + 16).contains(offset) }) {
          #expect(strict.entries.count < 6, "byte \(offset)")
          #expect(quick.error == nil && quick.entries == entries, "byte \(offset)")
        } else {
          #expect(quick.entries == strict.entries, "byte \(offset)")
          #expect(quick.error?.code == strict.error?.code, "byte \(offset)")
          #expect(quick.error?.offset == strict.error?.offset, "byte \(offset)")
        }
      }
    }
  }

  // With this number of frames, threads share the work.
  @Test(arguments: [true, false])
  func `Many large frames are sealed and opened together, and one that is changed is damage`(
    verifiesChain: Bool
  ) throws {
    try JournalFixture.with { fixture in
      let entries = (0..<40).map { bytes(60_000, seed: UInt8($0)) } + [bytes(3_000_000), [1]]
      let journal = try fixture.open()
      try journal.append(contentsOf: entries)
      try journal.close()
      let options = ReadingOptions(verifiesChain: verifiesChain)
      let found = fixture.read(options)
      #expect(found.error == nil && found.entries == entries)
      #expect(try fixture.directory.verify()?.count == 42)
      for frame in [0, 1, 15, 16, 20, 39] {
        var changed = try contents(of: fixture.file(1))
        let place = 432 + frame * (64 + 60_020 + 16) + 30_000
        changed[place] ^= 1
        try write(changed, to: fixture.file(1))
        let stopped = fixture.read(options)
        #expect(stopped.error?.code == .damaged && stopped.entries.count == frame)
        var skipping = options
        skipping.skipsDamage = true
        let all = fixture.read(skipping)
        #expect(all.numbers == (0..<42).filter { $0 != UInt64(frame) } && all.error == nil)
        changed[place] ^= 1
        try write(changed, to: fixture.file(1))
      }
    }
  }

  // A sequence reads several frames at a time, and the damage is within them.
  @Test func `A sequence hands out the entries before damage, and then throws its error`()
    async throws
  {
    try await JournalFixture.with { fixture in
      let entries = (0..<40).map { bytes(60_000, seed: UInt8($0)) }
      let journal = try fixture.open()
      try await journal.append(contentsOf: entries)
      try journal.close()
      var changed = try contents(of: fixture.file(1))
      changed[432 + 20 * (64 + 60_020 + 16) + 30_000] ^= 1
      try write(changed, to: fixture.file(1))
      var iterator = fixture.directory.entries(as: .bytes()).makeAsyncIterator()
      for entry in entries.prefix(20) { #expect(try await iterator.next()?.value == entry) }
      let error = await #expect(throws: JournalError.self) { _ = try await iterator.next() }
      #expect(error?.code == .damaged && error?.entry == 20)
    }
  }

  // A holder of the key can seal any index. Holds [J-11].
  @Test(arguments: [UInt64.max - 1, .max])
  func `A frame with the greatest index is damage, and the one before it is read`(
    index: UInt64
  ) throws {
    try JournalFixture.with { fixture in
      try fixture.append([[1]])
      let header = try #require(try headers(in: fixture.file(1)).first)
      let cipher = try fixture.keys.cipher(of: header, path: fixture.path)
      var file = header.bytes + [0]
      for next in [index, .max] {
        var entry = EncodedEntries(at: 0)
        try entry.append(JournalRecord([7]), reserving: 1)
        let fields = FrameHeader(
          kind: .whole, count: 1, length: entry.bytes.count + JournalFormat.tagLength,
          segment: header.tag, index: next, first: next == .max ? 6 : 5, mark: 1)
        file += try SoundFrame(fields, sealing: entry.bytes[...], with: cipher).bytes
      }
      try write(file, to: fixture.file(1))
      #expect(fixture.read().error?.code == .damaged)
      let found = fixture.read(ReadingOptions(skipsDamage: true))
      #expect(found.numbers == (index == .max ? [] : [5]) && found.error == nil)
      let byNumber = journalError { () throws(JournalError) in
        try fixture.directory.entry(6, as: .bytes())
      }
      #expect(byNumber?.code == .damaged)
    }
  }
}

@Suite struct `A journal that writers share in turn` {
  private let id = [UInt8](repeating: 5, count: 16)

  private func append(
    _ entry: [UInt8], to journal: inout SharedJournal, _ fixture: JournalFixture
  ) throws {
    try journal.open(with: fixture.keys, options: JournalOptions(), journalID: id)
    try journal.append(journal.encoded([entry], as: .bytes()))
  }

  private func next(
    from number: UInt64, in journal: inout SharedJournal, _ fixture: JournalFixture
  ) throws -> [[UInt8]?] {
    try journal.next(from: number, with: fixture.keys, as: .bytes()).map(\.entry)
  }

  @Test func `A reader of a removed file continues with the first file that is kept`() throws {
    try JournalFixture.with { fixture in
      var (first, second) = (SharedJournal(fixture.path), SharedJournal(fixture.path))
      try FileManager.default.createDirectory(
        atPath: fixture.path, withIntermediateDirectories: true)
      try append([0], to: &first, fixture)
      #expect(try next(from: 0, in: &second, fixture) == [[0]])
      // The second one has read only the first file, and removes it and the file after it.
      try append([1], to: &second, fixture)
      try second.beginFile()
      let removed = try contents(of: fixture.file(1))
      for _ in 0..<2 {
        try second.removeFiles(before: 2)
        let left = try names(in: fixture.path).filter { $0.hasSuffix("l") }
        #expect(left == ["0000000003.journal"])
        // A writer that was killed after it had recorded the removal leaves the file.
        try write(removed, to: fixture.file(1))
      }
      try second.removeFiles(before: 2)
      var isAtEnd = first.isAtEnd()
      #expect(!isAtEnd)
      #expect(try next(from: 2, in: &first, fixture) == [])
      try append([2], to: &first, fixture)
      isAtEnd = second.isAtEnd()
      #expect(!isAtEnd)
      #expect(try next(from: 2, in: &second, fixture) == [[2]])
    }
  }

  @Test func `A call that throws drops the reading position`() throws {
    try JournalFixture.with { fixture in
      try FileManager.default.createDirectory(
        atPath: fixture.path, withIntermediateDirectories: true)
      var (writer, reader) = (SharedJournal(fixture.path), SharedJournal(fixture.path))
      try append([0], to: &writer, fixture)
      #expect(try next(from: 0, in: &reader, fixture) == [[0]])
      try append([1], to: &writer, fixture)
      try append([2], to: &writer, fixture)
      let file = try contents(of: fixture.file(1))
      var changed = file
      changed[432 + 101 + 70] ^= 1
      try write(changed, to: fixture.file(1))
      #expect(throws: JournalError.self) { try next(from: 1, in: &reader, fixture) }
      #expect(reader.point == nil)
      try write(file, to: fixture.file(1))
      #expect(try next(from: 1, in: &reader, fixture) == [[1]])
    }
  }

  @Test func `A failure to begin a file closes the open segment`() throws {
    try JournalFixture.with { fixture in
      try FileManager.default.createDirectory(
        atPath: fixture.path, withIntermediateDirectories: true)
      let draws = Monitor(0)
      var options = JournalOptions()
      options.randomness = { recipients throws(SealError) in
        let count = draws.withLock { draws in
          draws += 1
          return draws
        }
        // A key of no bytes is refused.
        if count > 1 { _ = try SealKey(copying: [UInt8]().span) }
        return try SegmentRandomness(freshFor: recipients)
      }
      var journal = SharedJournal(fixture.path)
      try journal.open(with: fixture.keys, options: options, journalID: id)
      try journal.append(journal.encoded([[0]], as: .bytes()))
      #expect(journal.isOpen)
      #expect(throws: JournalError.self) { try journal.beginFile() }
      #expect(!journal.isOpen)
      #expect(try next(from: 0, in: &journal, fixture) == [[0]])
    }
  }

  @Test func `The extent of a journal changes with each append and each new file`() throws {
    try JournalFixture.with { fixture in
      try FileManager.default.createDirectory(
        atPath: fixture.path, withIntermediateDirectories: true)
      let reader = SharedJournal(fixture.path)
      var writer = SharedJournal(fixture.path)
      #expect(try reader.isAbsent() && writer.point == nil)
      var extents = [try reader.extent()]
      for round in 0..<3 as Range<UInt8> {
        for _ in 0..<2 {
          try append([round], to: &writer, fixture)
          extents.append(try reader.extent())
        }
        #expect(try reader.extent() == SharedJournal(fixture.path).extent())
        #expect(writer.fileCount == Int(round) + 1)
        try writer.beginFile()
        extents.append(try reader.extent())
      }
      #expect(Set(extents).count == extents.count)
      #expect(try !reader.isAbsent())
      #expect(writer.point?.journalID == id && writer.point?.nextEntry == 6)
      try writer.removeFiles(before: 3)
      #expect(writer.fileCount == 3)
      try writer.removeFiles(before: 4)
      #expect(writer.fileCount == 2)
    }
  }

  @Test func `Entries are read with their numbers and lengths, and skipped ones without a value`()
    throws
  {
    try JournalFixture.with { fixture in
      try FileManager.default.createDirectory(
        atPath: fixture.path, withIntermediateDirectories: true)
      var (writer, reader) = (SharedJournal(fixture.path), SharedJournal(fixture.path))
      try writer.open(with: fixture.keys, options: JournalOptions(), journalID: id)
      let encoded = try writer.encoded([[7], [1, 2, 3], [8, 8]], as: .bytes())
      #expect(encoded.byteCount == 3 * JournalFormat.entryHeaderLength + 6)
      let first = try writer.append(encoded)
      #expect(first == 0)
      let form = JournalForm<[UInt8]>(
        encode: { JournalRecord($0) }, decode: { $0.content.count == 3 ? nil : $0.content })
      let found = try reader.next(from: 1, with: fixture.keys, as: form)
      #expect(found.map(\.number) == [1, 2] && found.map(\.byteCount) == [3, 2])
      #expect(found.map(\.entry) == [nil, [8, 8]])
    }
  }

  @Test func `A journal that is not open is neither appended to nor cut`() throws {
    try JournalFixture.with { fixture in
      var journal = SharedJournal(fixture.path)
      let encoded = try journal.encoded([[1]], as: .bytes())
      let isAtEnd = journal.isAtEnd()
      #expect(!isAtEnd && !journal.isOpen)
      #expect(throws: JournalError.self) { try journal.append(encoded) }
      #expect(throws: JournalError.self) { try journal.beginFile() }
      #expect(throws: JournalError.self) { try journal.removeFiles(before: 1) }
    }
  }
}

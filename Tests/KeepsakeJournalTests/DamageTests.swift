import Foundation
import KeepsakeFiles
import KeepsakeSeal
import TestSupport
import Testing

@testable import KeepsakeJournal

@Suite struct `Damage of a journal` {
  private static let entries = (0..<6).map { bytes(20, seed: UInt8($0)) }

  /// A file of two closed segments with three entries each, and the offset at which the second one begins.
  private func twoSegments(_ fixture: JournalFixture) throws -> (file: [UInt8], second: Int) {
    try fixture.append(Array(Self.entries[..<3]))
    let second = try contents(of: fixture.file(1)).count
    try fixture.append(Array(Self.entries[3...]))
    return (try contents(of: fixture.file(1)), second)
  }

  // The test flips one bit of each byte of a small file.
  @Test func `A changed byte changes no entry, and is reported if an entry is lost`() throws {
    try JournalFixture.with { fixture in
      let (file, second) = try twoSegments(fixture)
      for offset in file.indices {
        var damaged = file
        damaged[offset] ^= 1 << UInt8(offset % 8)
        try write(damaged, to: fixture.file(1))
        let found = fixture.read()
        #expect(Self.entries.starts(with: found.entries), "byte \(offset)")
        // A broken header or end of the last segment, without anything after it, may be an unfinished one.
        let isInLastEnd = offset >= file.count - JournalFormat.endLength
        let isWhole = found.entries.count == 6
        #expect(
          found.error != nil || isWhole && isInLastEnd,
          "byte \(offset), second segment at \(second)")
      }
    }
  }

  // The test changes each byte of two files, whose last segment is open, and of the record of removed files. Holds
  // [J-108].
  @Test func `A changed byte makes no entry wrong, for readers that continue and for writers`()
    throws
  {
    try JournalFixture.with { fixture in
      let journal = try fixture.open(JournalOptions(retention: JournalRetention(files: 2)))
      for index in 0..<3 {
        if index > 0 { try journal.rotate() }
        try journal.append(contentsOf: [[UInt8(index), 0], [UInt8(index), 1]])
        try journal.append([UInt8(index), 2])
      }
      Abandoned.keep(journal)
      let numbered = (0..<3).flatMap { index in (0..<3).map { [UInt8(index), UInt8($0)] } }
      let all = try names(in: fixture.path).filter { $0 != "lock" }
      #expect(all.count == 3)
      for name in all {
        let whole = try contents(of: fixture.path + "/" + name)
        for offset in whole.indices {
          var changed = whole
          changed[offset] ^= [0x01, 0x80, 0xFF][offset % 3]
          try write(changed, to: fixture.path + "/" + name)
          for options in [ReadingOptions(), ReadingOptions(skipsDamage: true)] {
            let found = fixture.read(options)
            let isRight = zip(found.numbers, found.entries).allSatisfy {
              $0 < numbered.count && numbered[Int(clamping: $0)] == $1
            }
            #expect(isRight, "byte \(offset) of \(name)")
            #expect(found.numbers == Array(Set(found.numbers)).sorted(), "byte \(offset)")
          }
          if offset % 29 == 0 {
            try expectThatAWriterContinues(in: fixture, numbered, "byte \(offset) of \(name)")
          }
        }
        try write(whole, to: fixture.path + "/" + name)
      }
    }
  }

  /// Appends to a copy of a damaged journal.
  ///
  /// The copy keeps all its bytes, even if the writer refuses it.
  private func expectThatAWriterContinues(
    in fixture: JournalFixture, _ numbered: [[UInt8]], _ comment: String
  ) throws {
    try withTemporaryDirectory { folder in
      let copy = try fixture.killed(in: folder)
      let skipping = ReadingOptions(skipsDamage: true)
      let before = copy.read(skipping)
      let files = try names(in: copy.path).map { ($0, try contents(of: copy.path + "/" + $0)) }
      let refusal = journalError { () throws(JournalError) in
        let journal = try Journal<[UInt8]>.open(at: copy.path, for: copy.keys, as: .bytes())
        try journal.append([99])
        try journal.close()
      }
      for (name, bytes) in files {
        #expect(try contents(of: copy.path + "/" + name).starts(with: bytes), "\(comment)")
      }
      let after = copy.read(skipping)
      if let refusal {
        let expected: [JournalError.Code] = [
          .unsupportedVersion, .unsupportedSuite, .unsupportedFlags, .malformedRetention,
          .missingFile, .wrongFile,
        ]
        #expect(expected.contains(refusal.code), "\(comment): \(refusal)")
        #expect(after.entries == before.entries)
      } else if after.error == nil {
        #expect(after.entries == before.entries + [[99]], "\(comment)")
        #expect(after.numbers.last ?? 0 >= UInt64(numbered.count) - 2, "\(comment)")
      }
    }
  }

  @Test func `A file that was cut at any length has the entries before the cut`() throws {
    try JournalFixture.with { fixture in
      let (file, _) = try twoSegments(fixture)
      for length in file.indices {
        try write(Array(file[..<length]), to: fixture.file(1))
        let found = fixture.read()
        #expect(Self.entries.starts(with: found.entries))
        // The first header was durable before the file had its name.
        #expect((found.error == nil) == (length >= 432), "length \(length)")
      }
    }
  }

  // Holds [J-107].
  @Test func `A writer continues after a cut of any length, and destroys nothing`() throws {
    try JournalFixture.with { fixture in
      let (file, _) = try twoSegments(fixture)
      for length in stride(from: 432, to: file.count, by: 7) {
        try withTemporaryDirectory { folder in
          let copy = try JournalFixture(in: folder)
          try FileManager.default.createDirectory(
            atPath: copy.path, withIntermediateDirectories: true)
          try write(Array(file[..<length]), to: copy.file(1))
          let before = copy.read()
          try copy.append([[1], [2]])
          try copy.append([[3]])
          let after = copy.read()
          #expect(after.entries == before.entries + [[1], [2], [3]], "length \(length)")
          #expect(after.numbers == (0..<UInt64(after.entries.count)).map { $0 })
          #expect(after.error == nil)
          #expect(try contents(of: copy.file(1)).starts(with: file[..<length]))
        }
      }
    }
  }

  @Test(arguments: [1, 20, 300, 70_000])
  func `Zeros after the last batch are taken for an unfinished batch`(count: Int) throws {
    try JournalFixture.with { fixture in
      let (file, _) = try twoSegments(fixture)
      try write(file + [UInt8](repeating: 0, count: count), to: fixture.file(1))
      #expect(fixture.read().entries == Self.entries && fixture.read().error == nil)
      try fixture.append([[9]])
      #expect(try contents(of: fixture.file(1)).count == file.count + count)
      #expect(fixture.read().entries == Self.entries + [[9]])
      #expect(try fixture.directory.verify() != nil)
    }
  }

  @Test func `A long entry without its last frame is left out`() throws {
    try JournalFixture.with { fixture in
      try fixture.append([[1], bytes(200_000)], closing: false)
      let file = try contents(of: fixture.file(1))
      try withTemporaryDirectory { folder in
        let copy = try fixture.killed(in: folder)
        // Two whole frames of the entry are left.
        try write(Array(file[..<(file.count - 80_000)]), to: copy.file(1))
        #expect(copy.read().entries == [[1]])
        try copy.append([[2]])
        #expect(copy.read().entries == [[1], [2]] && copy.read().error == nil)
        #expect(try copy.directory.verify() != nil)
      }
    }
  }

  // Holds [J-108].
  @Test func `Reading continues after damage on request, and entries keep their numbers`() throws {
    try JournalFixture.with { fixture in
      let (file, second) = try twoSegments(fixture)
      var damaged = file
      damaged[500] ^= 1
      damaged[second + 600] ^= 1
      try write(damaged, to: fixture.file(1))
      try fixture.append([[7], [8]])
      let stopped = fixture.read()
      #expect(stopped.error?.code == .damaged && stopped.error?.path == fixture.file(1))
      #expect(stopped.error?.offset == 432 && stopped.error?.entry == 0)
      let found = fixture.read(ReadingOptions(skipsDamage: true))
      #expect(found.error == nil)
      #expect(found.numbers == [1, 2, 3, 5, 6, 7])
      #expect(found.entries == [1, 2, 3, 5].map { Self.entries[$0] } + [[7], [8]])
    }
  }

  @Test func `A sequence says how many entries are missing before each one`() async throws {
    try await JournalFixture.with { fixture in
      let (file, _) = try twoSegments(fixture)
      var damaged = file
      for offset in 500..<600 { damaged[offset] ^= 0xFF }
      try write(damaged, to: fixture.file(1))
      var missing: [UInt64] = []
      for try await entry in fixture.directory.entries(as: .bytes(), skippingDamage: true) {
        missing.append(entry.missingBefore)
      }
      #expect(missing.first == 2 && missing.dropFirst().allSatisfy { $0 == 0 })
      #expect(missing.count == 4)
    }
  }

  @Test func `A damaged open segment is never cut, and its entries keep their numbers`() throws {
    try JournalFixture.with { fixture in
      try fixture.append(Self.entries, closing: false)
      try withTemporaryDirectory { folder in
        let copy = try fixture.killed(in: folder)
        var file = try contents(of: copy.file(1))
        file[500] ^= 4
        try write(file, to: copy.file(1))
        #expect(copy.read().error?.code == .damaged)
        try copy.append([[9]])
        #expect(try contents(of: copy.file(1)) == file)
        let found = copy.read(ReadingOptions(skipsDamage: true))
        #expect(found.numbers == [1, 2, 3, 4, 5, 6])
        #expect(found.entries == Self.entries[1...] + [[9]])
      }
    }
  }

  // Each byte breaks another rule of a header (Spec/journal.md, section 2).
  @Test(
    arguments: [
      (0, JournalError.Code.notJournal), (11, .malformedHeader), (30, .damagedHeader),
    ])
  func `A file without a sound header is damage, and a new file begins after it`(
    byte: Int, code: JournalError.Code
  ) throws {
    try JournalFixture.with { fixture in
      let journal = try fixture.open()
      try journal.append(contentsOf: [[1], [2]])
      try journal.rotate()
      try journal.append([3])
      try journal.close()
      var file = try contents(of: fixture.file(2))
      file[byte] ^= 1
      try write(file, to: fixture.file(2))
      #expect(fixture.read().error?.code == code)
      try fixture.append([[9]])
      let found = fixture.read(ReadingOptions(skipsDamage: true))
      #expect(found.error == nil)
      #expect(found.entries == [[1], [2], [9]] && found.numbers == [0, 1, 3])
    }
  }

  @Test func `Reading from an entry on passes over files before it that are damaged`() throws {
    try JournalFixture.with { fixture in
      let journal = try fixture.open()
      for index in 0..<6 as Range<UInt8> {
        try journal.append(contentsOf: [[2 * index], [2 * index + 1]])
        try journal.rotate()
      }
      try journal.close()
      for damaged in 0..<6 as Range<UInt64> {
        let whole = try contents(of: fixture.file(damaged + 1))
        var file = whole
        file[30] ^= 1
        try write(file, to: fixture.file(damaged + 1))
        for first in 0..<12 as Range<UInt64> {
          let stopped = fixture.read(ReadingOptions(from: first))
          #expect((stopped.error == nil) == (damaged < first / 2), "\(damaged), from \(first)")
          let found = fixture.read(ReadingOptions(from: first, skipsDamage: true))
          let expected = (first..<12).filter { $0 / 2 != damaged }
          #expect(found.error == nil && found.numbers == expected, "\(damaged), from \(first)")
        }
        try write(whole, to: fixture.file(damaged + 1))
      }
    }
  }

  // Anyone can write an end, because its check takes no key.
  @Test(
    arguments: [
      (frames: UInt64.max, header: UInt64(432)), (.max - 431, 432), (.max, .max), (0, .max),
      (300, 432), (301, 432),
    ])
  func `An end that states impossible lengths is damage`(
    lengths: (frames: UInt64, header: UInt64)
  ) throws {
    try JournalFixture.with { fixture in
      try fixture.append([bytes(199)])
      let file = try contents(of: fixture.file(1))
      #expect(file.count == 432 + 299 + JournalFormat.endLength)
      var end = try #require(try SegmentEnd(parsing: Array(file.suffix(JournalFormat.endLength))))
      (end.framesLength, end.headerLength) = lengths
      let changed = try Array(file.dropLast(JournalFormat.endLength)) + end.bytes()
      try write(changed, to: fixture.file(1))
      for options in [ReadingOptions(), ReadingOptions(since: 0), ReadingOptions(since: .max)] {
        #expect(fixture.read(options).error?.code == .damaged)
      }
      #expect(try fixture.directory.count() == 1)
    }
  }

  @Test(
    arguments: [
      (8, JournalError.Code.unsupportedVersion), (9, .unsupportedSuite), (10, .unsupportedFlags),
    ])
  func `A journal of a later version is not appended to, and not passed over`(
    byte: Int, code: JournalError.Code
  ) throws {
    try JournalFixture.with { fixture in
      try fixture.append([[1]])
      var file = try contents(of: fixture.file(1))
      file[byte] = 2
      try write(Array(file.dropLast(20)), to: fixture.file(1))
      let error = journalError { () throws(JournalError) in
        try Journal<[UInt8]>.open(at: fixture.path, for: fixture.keys, as: .bytes())
      }
      #expect(error?.code == code)
      for options in [ReadingOptions(), ReadingOptions(skipsDamage: true)] {
        #expect(fixture.read(options).error?.code == code)
      }
      #expect(try names(in: fixture.path) == ["0000000001.journal", "lock"])
    }
  }

  @Test func `A hostile file that looks like frames everywhere is damage`() throws {
    try JournalFixture.with { fixture in
      let (file, _) = try twoSegments(fixture)
      var header = FrameHeader(
        kind: .begin, count: 1, length: 65_552, segment: 1, index: 0, first: 0, mark: 0
      ).bytes
      header += [UInt8](repeating: 0, count: 16)
      let tail = Array(repeatElement(header, count: 8_000).joined())
      try write(file + [1] + tail, to: fixture.file(1))
      #expect(fixture.read().entries == Self.entries)
      #expect(fixture.read().error?.code == .damaged)
    }
  }
}

import Foundation
import KeepsakeFiles
import KeepsakeSeal
import TestSupport
import Testing

@testable import KeepsakeJournal

@Suite struct `The files of a journal` {
  private func journals(_ fixture: JournalFixture) throws -> [String] {
    try names(in: fixture.path).filter { $0.hasSuffix(".journal") }
  }

  // Holds [J-109] and [J-110].
  @Test func `A new file begins at a size, at an age and on request`() throws {
    try JournalFixture.with { fixture in
      let clock = ManualTime()
      var options = JournalOptions(rotation: JournalRotation(size: 2_000, age: .seconds(60)))
      options.clock = { clock.now }
      let journal = try fixture.open(options)
      try journal.append(bytes(1_500))
      #expect(try journals(fixture).count == 1)
      try journal.append([1])
      #expect(try journals(fixture).count == 2)
      clock.now = 59_999
      try journal.append([2])
      #expect(try journals(fixture).count == 2)
      clock.now = 60_000
      try journal.append([3])
      #expect(try journals(fixture).count == 3)
      // A clock that was set back begins no file.
      clock.now = -1_000_000
      try journal.append([4])
      #expect(try journals(fixture).count == 3)
      try journal.rotate()
      try journal.rotate()
      try journal.append([5])
      #expect(try journals(fixture).count == 4)
      try journal.close()
      #expect(fixture.read().entries == [bytes(1_500), [1], [2], [3], [4], [5]])
      #expect(try fixture.directory.files().map(\.firstEntry) == [0, 1, 3, 5])
      #expect(try fixture.directory.verify() != nil)
    }
  }

  // Holds [J-111].
  @Test func `Old files are removed by number, size and age, and the newest stays`() throws {
    try JournalFixture.with { fixture in
      let clock = ManualTime()
      var options = JournalOptions(retention: JournalRetention(files: 2))
      options.clock = { clock.now }
      var journal = try fixture.open(options)
      for index in 0..<5 {
        try journal.append([UInt8(index)])
        try journal.rotate()
      }
      #expect(try journals(fixture) == ["0000000004.journal", "0000000005.journal"])
      #expect(fixture.read().numbers == [3, 4])
      try journal.close()
      options.retention = JournalRetention(size: 1)
      journal = try fixture.open(options)
      try journal.rotate()
      try journal.append([5])
      #expect(try journals(fixture) == ["0000000006.journal"])
      try journal.close()
      options.retention = JournalRetention(age: .seconds(10))
      journal = try fixture.open(options)
      for seconds in [5, 10, 21] {
        clock.now = Int64(seconds * 1_000)
        try journal.rotate()
        try journal.append([UInt8(seconds)])
      }
      #expect(try journals(fixture).count == 2)
      #expect(fixture.read().entries == [[10], [21]])
      #expect(try fixture.directory.verify() != nil)
      #expect(try journal.count() == 9)
    }
  }

  @Test func `The first entry after removed files says how many are missing`() async throws {
    try await JournalFixture.with { fixture in
      let journal = try fixture.open(JournalOptions(retention: JournalRetention(files: 1)))
      for index in 0..<3 {
        try await journal.append([UInt8(index)])
        try journal.rotate()
      }
      var found: [UInt64] = []
      for try await entry in journal.entries() { found += [entry.number, entry.missingBefore] }
      #expect(found == [2, 2])
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `A file that is missing without a record is an error`(number: UInt64) throws {
    try JournalFixture.with { fixture in
      let journal = try fixture.open()
      for index in 0..<4 {
        try journal.append([UInt8(index)])
        try journal.rotate()
      }
      try FileManager.default.removeItem(atPath: fixture.file(number))
      let error = fixture.read().error
      #expect(error?.code == .missingFile && error?.path == fixture.file(number))
    }
  }

  @Test func `A record of removed files that was changed is refused`() throws {
    try JournalFixture.with { fixture in
      let journal = try fixture.open(JournalOptions(retention: JournalRetention(files: 1)))
      for index in 0..<3 {
        try journal.append([UInt8(index)])
        try journal.rotate()
      }
      let path = fixture.path + "/retention"
      let record = try contents(of: path)
      for offset in record.indices {
        var changed = record
        changed[offset] ^= 0x10
        try write(changed, to: path)
        #expect(fixture.read().error?.code == .malformedRetention)
      }
      for length in [0, 111, 113] {
        try write(Array((record + [0]).prefix(length)), to: path)
        #expect(fixture.read().error?.code == .malformedRetention)
      }
    }
  }

  @Test func `Files of another journal, or under another name, are refused`() throws {
    try JournalFixture.with { fixture in
      try withTemporaryDirectory { folder in
        let other = try JournalFixture(in: folder)
        for journal in [try fixture.open(), try other.open()] {
          for index in 0..<3 {
            try journal.append([UInt8(index)])
            try journal.rotate()
          }
        }
        let own = try contents(of: fixture.file(2))
        try write(try contents(of: other.file(2)), to: fixture.file(2))
        #expect(fixture.read().error?.code == .damaged)
        try write(try contents(of: fixture.file(3)), to: fixture.file(2))
        #expect(fixture.read().error != nil)
        try write(own, to: fixture.file(2))
        #expect(fixture.read().entries == [[0], [1], [2]])
      }
    }
  }

  @Test func `A file of another journal is not read from its middle`() throws {
    try JournalFixture.with { fixture in
      try withTemporaryDirectory { folder in
        let other = try JournalFixture(in: folder)
        let options = JournalOptions(retention: JournalRetention(files: 2))
        for journal in [try fixture.open(options), try other.open(options)] {
          for index in 0..<40 as Range<UInt8> {
            if index % 8 == 0 { try journal.rotate() }
            try journal.append([index])
          }
          try journal.close()
        }
        let last = try #require(fixture.directory.files().last?.number)
        #expect(fixture.read(ReadingOptions(from: 36)).numbers == [36, 37, 38, 39])
        try write(try contents(of: other.file(last)), to: fixture.file(last))
        let found = fixture.read(ReadingOptions(from: 36))
        #expect(found.entries.isEmpty && found.error?.code == .wrongFile)
      }
    }
  }

  @Test func `A pin is valid after later appends, and detects an older copy`() throws {
    try JournalFixture.with { fixture in
      let journal = try fixture.open()
      try journal.append(contentsOf: [[1], [2]])
      let early = try #require(try journal.pin())
      let old = try contents(of: fixture.file(1))
      try journal.append([3])
      try journal.rotate()
      try journal.append([4])
      let late = try #require(try journal.pin())
      try journal.close()
      let directory = fixture.directory
      #expect(try directory.verify(expecting: early) != nil)
      #expect(try directory.verify(expecting: late)?.pin.segment == 1)
      #expect(try directory.verify(expecting: JournalPin(bytes: late.bytes)) != nil)
      try FileManager.default.removeItem(atPath: fixture.file(2))
      let stale = journalError { () throws(JournalError) in try directory.verify(expecting: late) }
      #expect(stale?.code == .stalePin)
      try write(old, to: fixture.file(1))
      #expect(try directory.verify(expecting: early)?.pin == early)
      // A person with the recipients' keys can put another end there.
      try FileManager.default.removeItem(atPath: fixture.file(1))
      try fixture.append([[1], [2]])
      let forged = journalError { () throws(JournalError) in
        try directory.verify(expecting: early)
      }
      #expect(forged?.code == .stalePin)
      let short = journalError { () throws(JournalError) in try JournalPin(bytes: [1]) }
      #expect(short?.code == .invalidPin)
    }
  }

  @Test func `A pin of the last removed segment is valid for the remaining files`() throws {
    try JournalFixture.with { fixture in
      let journal = try fixture.open(JournalOptions(retention: JournalRetention(files: 2)))
      var pins: [JournalPin] = []
      for index in 0..<4 {
        try journal.append([UInt8(index)])
        pins.append(try #require(try journal.pin()))
        try journal.rotate()
      }
      try journal.close()
      #expect(try fixture.directory.files().map(\.number) == [3, 4])
      for (index, pin) in pins.enumerated() {
        let error = journalError { () throws(JournalError) in
          try fixture.directory.verify(expecting: pin)
        }
        #expect(error?.code == (index == 0 ? .stalePin : nil), "pin \(index)")
      }
      // Each part of the pin is compared with the first header.
      for byte in [0, 16, 24, 32] {
        var other = pins[1].bytes
        other[byte] ^= 3
        let pin = try JournalPin(bytes: other)
        let error = journalError { () throws(JournalError) in
          try fixture.directory.verify(expecting: pin)
        }
        #expect(error?.code == .stalePin, "byte \(byte)")
      }
    }
  }

  @Test func `A copy of a journal that is being written can be read`() throws {
    try JournalFixture.with { fixture in
      let journal = try fixture.open()
      for index in 0..<20 {
        try journal.append([UInt8(index)])
        try withTemporaryDirectory { folder in
          let copy = try fixture.killed(in: folder)
          #expect(copy.read().entries == (0...index).map { [UInt8($0)] })
          #expect(copy.read().error == nil)
        }
      }
    }
  }
}

@Suite(.timeLimit(.minutes(30))) struct `Following a journal` {
  @Test func `A sequence waits for entries across files and openings`() async throws {
    try await JournalFixture.with { fixture in
      let directory = fixture.directory
      let reader = Task {
        var found: [[UInt8]] = []
        for try await entry in directory.entries(as: .bytes(), following: true) {
          found.append(entry.value)
          if found.count == 40 { break }
        }
        return found
      }
      for round in 0..<4 {
        let journal = try await Journal<[UInt8]>.open(
          at: fixture.path, for: fixture.keys, as: .bytes(),
          options: JournalOptions(rotation: JournalRotation(size: 900)))
        for index in 0..<10 { try await journal.append([UInt8(10 * round + index)]) }
        try journal.close()
      }
      #expect(try await reader.value == (0..<40).map { [UInt8($0)] })
    }
  }

  @Test func `A sequence that waits ends when its task is cancelled`() async throws {
    try await JournalFixture.with { fixture in
      try fixture.append([[1]])
      let directory = fixture.directory
      let (seen, continuation) = AsyncStream.makeStream(of: Void.self)
      let reader = Task {
        var count = 0
        for try await _ in directory.entries(as: .bytes(), following: true) {
          count += 1
          continuation.yield()
        }
        return count
      }
      for await _ in seen { break }
      reader.cancel()
      #expect(try await reader.value == 1)
    }
  }

  @Test func `A reader whose next files were removed continues with the first remaining one`()
    throws
  {
    try JournalFixture.with { fixture in
      let journal = try fixture.open(JournalOptions(retention: JournalRetention(files: 1)))
      try journal.append([0])
      var reader = JournalReader(
        JournalFiles(fixture.path), keys: fixture.keys, options: ReadingOptions())
      func read() throws -> [UInt64] {
        var found: [UInt64] = []
        while case .entries(let entries) = try reader.step() {
          found += entries.flatMap { [$0.number, $0.missingBefore] }
        }
        return found
      }
      #expect(try read() == [0, 0])
      for index in 1..<5 {
        try journal.rotate()
        try journal.append([UInt8(index)])
      }
      #expect(try read() == [4, 3])
      try journal.rotate()
      try journal.append([5])
      #expect(try read() == [5, 0])
      // A removal that was not recorded is an error.
      for _ in 0..<2 { try journal.rotate(); try journal.append([6]) }
      try FileManager.default.removeItem(atPath: fixture.path + "/retention")
      #expect(journalError { () throws(JournalError) in try reader.step() }?.code == .missingFile)
      try journal.close()
    }
  }

  @Test func `A reader that sees a half-written batch reads it later`() throws {
    try JournalFixture.with { fixture in
      try fixture.append([[1], [2], [3]], closing: false)
      let file = try contents(of: fixture.file(1))
      try withTemporaryDirectory { folder in
        let copy = try fixture.killed(in: folder)
        var reader = JournalReader(
          JournalFiles(copy.path), keys: copy.keys, options: ReadingOptions())
        var found: [UInt8] = []
        for length in 432...file.count {
          try write(Array(file[..<length]), to: copy.file(1))
          while case .entries(let entries) = try reader.step() {
            found += entries.flatMap(\.record.content)
          }
        }
        #expect(found == [1, 2, 3])
      }
    }
  }
}

import Foundation
import KeepsakeFiles
import KeepsakeSeal
import TestSupport
import Testing

@testable import KeepsakeJournal

/// The headers of a file, in order.
func headers(in path: String, number: UInt64 = 1) throws -> [SegmentHeader] {
  let (file, _) = try FileLocation(path).openRegularFile()
  var scanner = FileScanner(FileWindow(file, path: path), number: number)
  var found: [SegmentHeader] = []
  while true {
    switch try scanner.next() {
    case .header(let header): found.append(header)
    case .frame, .end: break
    case .nothing, .broken: return found
    }
  }
}

@Suite struct `The writer of a journal` {
  // Holds [J-101] and [J-104].
  @Test func `Each opening has a segment id, a commitment and slots of its own`() throws {
    try JournalFixture.with { fixture in
      for _ in 0..<4 { try fixture.append([[1]]) }
      let headers = try headers(in: fixture.file(1))
      #expect(headers.count == 4)
      #expect(Set(headers.map(\.segmentID)).count == 4)
      #expect(Set(headers.map { Array($0.bytes[160..<432]) }).count == 4)
      #expect(Set(headers.map(\.fields.journalID)).count == 1)
      // Each segment has a header, a frame with its payload, and an end.
      let file = try contents(of: fixture.file(1))
      #expect(file.count == 4 * (432 + 64 + 37 + 112))
    }
  }

  // Holds [J-102].
  @Test func `A writer with recipients alone appends, and cannot read`() throws {
    try JournalFixture.with { fixture in
      let identity = try X25519Identity.generate()
      let writing = JournalKeys(recipients: [.x25519(identity.recipient)])
      for round in 0..<3 {
        let journal = try Journal<[UInt8]>.open(at: fixture.path, for: writing, as: .bytes())
        try journal.append([UInt8(round)])
        #expect(try journal.count() == UInt64(round + 1))
        let error = journalError { () throws(JournalError) in try journal.last(1) }
        #expect(error?.code == .noMatchingKey)
      }
      let reading = JournalKeys(recipients: [], identities: [.x25519(identity)])
      let found = try JournalDirectory(fixture.path, with: reading).last(5, as: .bytes())
      #expect(found.map(\.value) == [[0], [1], [2]])
      // The recipients are those of the caller: the next segment is for another key.
      try fixture.append([[3]])
      let error = journalError { () throws(JournalError) in
        try JournalDirectory(fixture.path, with: reading).entry(3, as: .bytes())
      }
      #expect(error?.code == .noMatchingKey)
    }
  }

  @Test func `A header takes 192 bytes more for each further recipient`() throws {
    try JournalFixture.with { fixture in
      let identity = try X25519Identity.generate()
      let keys = JournalKeys(
        recipients: [.key(fixture.key), .x25519(identity.recipient)],
        identities: [.x25519(identity)])
      let journal = try Journal<[UInt8]>.open(at: fixture.path, for: keys, as: .bytes())
      try journal.append([1])
      #expect(try headers(in: fixture.file(1)).map(\.length) == [432 + 192])
      #expect(try journal.entry(0)?.value == [1])
      #expect(fixture.read().entries == [[1]])
    }
  }

  @Test func `A passphrase, an empty list and a repeated recipient are refused`() throws {
    try JournalFixture.with { fixture in
      let passphrase = try SealPassphrase("a long passphrase")
      for recipients: [SealRecipient] in [
        [], [.passphrase(passphrase)], [.key(fixture.key), .key(fixture.key)],
      ] {
        let error = journalError { () throws(JournalError) in
          try Journal<[UInt8]>.open(
            at: fixture.path, for: JournalKeys(recipients: recipients), as: .bytes())
        }
        #expect(error?.code.rawValue == "invalidKeys")
      }
    }
  }

  @Test func `A second writer fails, and can append after the first one has closed`() throws {
    try JournalFixture.with { fixture in
      let first = try fixture.open()
      try first.append([1])
      let error = journalError { () throws(JournalError) in
        try Journal<[UInt8]>.open(at: fixture.path, for: fixture.keys, as: .bytes())
      }
      #expect(error?.code == .journalInUse)
      try first.close()
      try fixture.append([[2]])
      let closed = journalError { () throws(JournalError) in try first.append([3]) }
      #expect(closed?.code == .closed)
      #expect(fixture.read().entries == [[1], [2]])
    }
  }

  @Test func `A second writer that has patience waits for the first one`() async throws {
    try await JournalFixture.with { fixture in
      let first = try fixture.open()
      try await first.append([1])
      async let second = Journal<[UInt8]>.open(
        at: fixture.path, for: fixture.keys, as: .bytes(),
        options: JournalOptions(patience: .seconds(60)))
      try await first.append([2])
      try first.close()
      try await second.append([3])
      #expect(fixture.read().entries == [[1], [2], [3]])
    }
  }

  @Test func `A journal that is released can be opened again`() throws {
    try JournalFixture.with { fixture in
      do { try fixture.open().append([1]) }
      try fixture.append([[2]])
      #expect(fixture.read().entries == [[1], [2]])
    }
  }

  // Holds [J-105].
  @Test func `Appends at the same time share batches, and each has its number`() async throws {
    try await JournalFixture.with { fixture in
      let journal = try fixture.open()
      let numbers = try await withThrowingTaskGroup(of: (UInt64, [UInt8]).self) { group in
        for index in 0..<300 {
          let entry = [UInt8(index % 256), UInt8(index / 256)]
          group.addTask { (try await journal.append(entry), entry) }
        }
        return try await group.reduce(into: [UInt64: [UInt8]]()) { $0[$1.0] = $1.1 }
      }
      #expect(numbers.count == 300)
      let found = fixture.read()
      #expect(found.numbers == (0..<300).map { UInt64($0) })
      #expect(found.entries == (0..<300).map { numbers[UInt64($0)] })
      #expect(try fixture.directory.verify() != nil)
    }
  }

  @Test func `Threads that append at the same time lose no entry`() throws {
    try JournalFixture.with { fixture in
      let journal = try fixture.open()
      WorkerThreads.perform(8) {
        for _ in 0..<40 { _ = try? journal.append(bytes(100)) }
      }
      #expect(fixture.read().entries.count == 320 && fixture.read().error == nil)
    }
  }

  @Test func `All frames of a batch have the mark of its start`() throws {
    try JournalFixture.with { fixture in
      let journal = try fixture.open()
      for count in [1, 3, 2] {
        try journal.append(contentsOf: Array(repeating: bytes(60_000), count: count))
      }
      let (file, _) = try FileLocation(fixture.file(1)).openRegularFile()
      var scanner = FileScanner(FileWindow(file, path: ""), number: 1)
      var (marks, batches): ([UInt64], [UInt64]) = ([], [])
      while true {
        let start = scanner.offset - scanner.framesStart
        let found = try scanner.next()
        if case .nothing = found { break }
        guard case .frame(let frame) = found else { continue }
        marks.append(frame.header.mark)
        if frame.header.mark == start { batches.append(start) }
      }
      #expect(marks.count == 6 && Set(marks).count == 3)
      #expect(Set(marks) == Set(batches))
    }
  }

  @Test func `A journal does not open with another context or another key`() throws {
    try JournalFixture.with { fixture in
      try fixture.append([[1]])
      let other = JournalDirectory(fixture.path, with: .key(fixture.key, context: [1]))
      let error = journalError { () throws(JournalError) in try other.entry(0, as: .bytes()) }
      #expect(error?.code == .contextMismatch)
      let stranger = JournalDirectory(fixture.path, with: .key(try SealKey.generate()))
      let wrong = journalError { () throws(JournalError) in try stranger.entry(0, as: .bytes()) }
      #expect(wrong?.code == .noMatchingKey)
    }
  }

  @Test func `A journal file is refused as a sealed file`() throws {
    try JournalFixture.with { fixture in
      try fixture.append([[1]])
      let error = #expect(throws: SealError.self) {
        try SealedFile.open(fixture.file(1), with: [.key(fixture.key)])
      }
      #expect(error?.code == .notSealedFile)
    }
  }

  // The latest time of a segment tells readers whether they may pass it over. Its writer's clock may be set back.
  @Test(arguments: [[10, 5], [5, 10], [10, 5, 7]] as [[Int64]])
  func `A closed segment has the latest time of its entries`(times: [Int64]) throws {
    try JournalFixture.with { fixture in
      let clock = ManualTime()
      var options = JournalOptions()
      options.clock = { clock.now }
      let journal = try fixture.open(options)
      for time in times {
        clock.now = time
        try journal.append([UInt8(time)])
      }
      try journal.close()
      for since in 0...12 as ClosedRange<Int64> {
        let found = fixture.read(ReadingOptions(since: since))
        #expect(found.entries == times.filter { $0 >= since }.map { [UInt8($0)] })
      }
      var batch = EncodedEntries(at: times[0])
      for time in times.dropFirst() {
        var other = EncodedEntries(at: time)
        try other.append(JournalRecord([1]), reserving: 1)
        batch.append(other)
      }
      #expect(batch.latestTime == 10 && batch.lengths.count == times.count - 1)
    }
  }
}

import Foundation
import TestSupport
import Testing

@testable import KeepsakeJournal

/// States that a power cut can leave: a file system may keep any of the blocks and names that were not synchronized.
@Suite struct `A journal after a power cut` {
  /// A write to the last file of a journal, and the size of the blocks that are kept or lost.
  enum Write: CaseIterable, Sendable {
    case header, end, smallBatch, frame, severalFrames, longEntry

    var entries: [[UInt8]] {
      switch self {
      case .header, .end: []
      case .smallBatch: [[7], [8]]
      case .frame: (0..<5).map { bytes(3_000, seed: $0) }
      case .severalFrames: (0..<4).map { bytes(25_000, seed: $0) }
      case .longEntry: [bytes(200_000)]
      }
    }

    var blockLength: Int {
      switch self {
      case .header: 100
      case .end, .smallBatch: 32
      case .frame: 4_096
      case .severalFrames: 20_000
      case .longEntry: 40_000
      }
    }
  }

  /// The file before a write, which is durable, and after it.
  private func contents(around write: Write, in fixture: JournalFixture) throws -> (
    before: [UInt8], after: [UInt8]
  ) {
    if write == .header {
      try fixture.append([[1], [2]])
      let before = try TestSupport.contents(of: fixture.file(1))
      try fixture.append([[3]], closing: false)
      let after = try TestSupport.contents(of: fixture.file(1))
      return (before, Array(after[..<(before.count + 432)]))
    }
    let journal = try fixture.open()
    try journal.append(contentsOf: [[1], [2]])
    let before = try TestSupport.contents(of: fixture.file(1))
    if write == .end { try journal.close() } else { try journal.append(contentsOf: write.entries) }
    let after = try TestSupport.contents(of: fixture.file(1))
    Abandoned.keep(journal)
    return (before, after)
  }

  /// The file with each choice of its blocks that were not durable, up to the end of each.
  private func states(_ before: [UInt8], _ after: [UInt8], blockLength: Int) -> [[UInt8]] {
    let blocks = Array(before.count / blockLength...(after.count - 1) / blockLength)
    var states: [[UInt8]] = []
    for choice in 0..<(1 << blocks.count) {
      var state = before + [UInt8](repeating: 0, count: after.count - before.count)
      for (index, block) in blocks.enumerated() where choice >> index & 1 == 1 {
        let range =
          max(block * blockLength, before.count)..<min((block + 1) * blockLength, after.count)
        state.replaceSubrange(range, with: after[range])
      }
      states.append(state)
      // The file may be shorter, if its size was lost too.
      let end = max(before.count, (blocks[0] + choice % blocks.count) * blockLength)
      states.append(Array(state[..<end]))
    }
    return states
  }

  // Holds [J-107].
  @Test(arguments: Write.allCases)
  func `No choice of lost blocks is damage or loses a durable entry`(
    write: Write
  ) throws {
    try JournalFixture.with { fixture in
      let (before, after) = try contents(around: write, in: fixture)
      let whole = [[1], [2]] + write.entries
      let states = states(before, after, blockLength: write.blockLength)
      #expect(states.count > 16)
      for (index, state) in states.enumerated() {
        try withTemporaryDirectory { folder in
          let copy = try JournalFixture(in: folder)
          try FileManager.default.createDirectory(
            atPath: copy.path, withIntermediateDirectories: true)
          try TestSupport.write(state, to: copy.file(1))
          let found = copy.read()
          #expect(found.error == nil && found.entries.count >= 2, "state \(index)")
          #expect(whole.starts(with: found.entries), "state \(index)")
          if state == after { #expect(found.entries == whole) }
          guard index % 5 == 0 else { return }
          try copy.append([[9]])
          #expect(copy.read().entries == found.entries + [[9]] && copy.read().error == nil)
          #expect(try copy.directory.verify() != nil)
        }
      }
    }
  }

  // Holds [J-111].
  @Test func `Any choice of removed files that reappear is ignored`() throws {
    try JournalFixture.with { fixture in
      var journal = try fixture.open()
      for index in 0..<4 {
        try journal.append([UInt8(index)])
        try journal.rotate()
      }
      try journal.close()
      let removed = try (1...3).map { try TestSupport.contents(of: fixture.file($0)) }
      journal = try fixture.open(JournalOptions(retention: JournalRetention(files: 2)))
      try journal.rotate()
      try journal.append([4])
      try journal.close()
      for choice in 0..<8 {
        try withTemporaryDirectory { folder in
          let copy = try fixture.killed(in: folder)
          for index in 0..<3 where choice >> index & 1 == 1 {
            try TestSupport.write(removed[index], to: copy.file(UInt64(index + 1)))
          }
          #expect(copy.read().numbers == [3, 4] && copy.read().error == nil, "choice \(choice)")
          try copy.append([[5]])
          #expect(copy.read().numbers == [3, 4, 5])
          // The next removal takes them too.
          let last = try copy.open(JournalOptions(retention: JournalRetention(files: 1)))
          try last.rotate()
          try last.append([6])
          try last.close()
          #expect(
            try names(in: copy.path).filter { $0.hasSuffix(".journal") } == ["0000000006.journal"])
          #expect(copy.read().numbers == [6])
        }
      }
    }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `A journal is whole and in order whatever the clock shows`(seed: UInt64) throws {
    try JournalFixture.with { fixture in
      let clock = ManualTime()
      var random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
      var options = JournalOptions(
        rotation: JournalRotation(size: nil, age: .seconds(60)),
        retention: JournalRetention(age: .seconds(100_000)))
      options.clock = { clock.now }
      var times: [Int64] = []
      var journal = try fixture.open(options)
      for index in 0..<40 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let jumps: [Int64] = [1, 30_000, 70_000, -70_000, -200_000_000, .max, .min, 50_000_000]
        let jump = jumps[Int(random >> 61)]
        clock.now = jump == .min || jump == .max ? jump : clock.now &+ jump
        try journal.append([UInt8(index)])
        times.append(clock.now)
        if index % 13 == 12 {
          try journal.close()
          journal = try fixture.open(options)
        }
      }
      try journal.close()
      let found = fixture.read()
      #expect(found.error == nil && found.entries.last == [39])
      // A clock that jumped ahead removes old files from the first one on, and never the newest.
      let first = try #require(found.numbers.first)
      #expect(found.numbers == (first..<40).map { $0 })
      #expect(found.entries == (first..<40).map { [UInt8($0)] })
      #expect(try fixture.directory.verify() != nil)
      let since = fixture.read(ReadingOptions(since: 0))
      #expect(since.numbers == (first..<40).filter { times[Int($0)] >= 0 })
    }
  }
}

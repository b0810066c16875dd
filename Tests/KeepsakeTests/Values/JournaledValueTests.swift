import Foundation
import TestSupport
import Testing

@testable import Keepsake

@Suite(.timeLimit(.minutes(30))) struct `A journaled value` {
  @Test
  func `A value is the default at first, and each change is read after a restart`() async throws {
    try await LedgerFixture.with { fixture in
      #expect(try await fixture.open().load() == Ledger())
      #expect(!FileManager.default.fileExists(atPath: fixture.path))
      let ledger = fixture.open()
      #expect(try await ledger.update(.add(3, to: "a")).sums == ["a": 3])
      try await ledger.update(.rename("second"))
      #expect(try await ledger.load() == Ledger(name: "second", sums: ["a": 3]))
      #expect(try await fixture.open().load() == Ledger(name: "second", sums: ["a": 3]))
      #expect(try permissions(of: fixture.path) == 0o700)
    }
  }

  @Test func `An update writes only the bytes of its change`() throws {
    try LedgerFixture.with { fixture in
      let names = (0..<20_000).map { "account \($0)" }
      let large = Ledger(sums: Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }))
      let ledger = fixture.open(default: large)
      try ledger.update(.add(1, to: "account 7"))
      let (snapshot, before) = (
        try contents(of: fixture.snapshot), try contents(of: fixture.file(1)).count
      )
      for _ in 0..<10 { try ledger.update(.add(1, to: "account 7")) }
      let added = try contents(of: fixture.file(1)).count - before
      #expect(snapshot.count > 200_000 && added < 10 * 300)
      #expect(try contents(of: fixture.snapshot) == snapshot)
      #expect(try fixture.open(default: large).load().sums["account 7"] == 12)
    }
  }

  @Test func `A closure gets the newest value, and may return no changes`() async throws {
    try await LedgerFixture.with { fixture in
      let (ledger, other) = (fixture.open(), fixture.open())
      try await ledger.update(.add(5, to: "a"))
      let doubled: @Sendable (Ledger) -> [LedgerChange] = { ledger in
        ledger.sums.map { .add($0.value, to: $0.key) } + [.rename("doubled")]
      }
      #expect(try await other.update(doubled) == Ledger(name: "doubled", sums: ["a": 10]))
      let size = try contents(of: fixture.file(2)).count
      #expect(try await other.update { _ in [] }.sums == ["a": 10])
      #expect(try contents(of: fixture.file(2)).count == size)
      #expect(try await ledger.load().sums == ["a": 10])
    }
  }

  @Test func `Two writers that take turns lose no change, and each sees the changes of the other`()
    throws
  {
    try LedgerFixture.with { fixture in
      let ledgers = [fixture.open(), fixture.open(), fixture.open()]
      for round in 1...30 {
        let sums = try ledgers[round % 2].update(.add(1, to: "a")).sums
        #expect(sums == ["a": round])
        // The third one only reads.
        #expect(try ledgers[2].load().sums == ["a": round])
      }
      try ledgers[0].compact()
      #expect(try fixture.files().count == 1)
      #expect(try ledgers.map { try $0.load().sums["a"] } == [30, 30, 30])
      try ledgers[1].update(.add(1, to: "a"))
      #expect(try fixture.open().load().sums == ["a": 31])
    }
  }

  @Test func `Simultaneous updates of one instance are all counted`() async throws {
    try await LedgerFixture.with { fixture in
      let ledger = fixture.open(compactionSize: 1_000)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<40 {
          group.addTask { try await ledger.update(.add(1, to: "\(index % 4)")) }
        }
        try await group.waitForAll()
      }
      ledger.waitForCompaction()
      #expect(try await ledger.load().sums == ["0": 10, "1": 10, "2": 10, "3": 10])
      #expect(try await fixture.open().load().sums.values.reduce(0, +) == 40)
    }
  }

  @Test func `A change that cannot be stored changes nothing`() throws {
    try LedgerFixture.with { fixture in
      let ledger = fixture.open()
      try ledger.update(.rename("kept"))
      let before = try contents(of: fixture.file(1))
      let error = keepsakeError { () throws(KeepsakeError) in
        try ledger.update(.rename(String(repeating: "x", count: 17 << 20)))
      }
      #expect(error?.code == .valueNotStorable)
      #expect(try contents(of: fixture.file(1)) == before)
      #expect(try ledger.load().name == "kept")
      try ledger.update(.rename("next"))
      #expect(try fixture.open().load().name == "next")
    }
  }

  @Test func `The default of a later program changes nothing that was saved`() throws {
    try LedgerFixture.with { fixture in
      try fixture.open().update(.add(1, to: "a"))
      let other = fixture.open(default: Ledger(name: "another default", sums: ["b": 5]))
      #expect(try other.load() == Ledger(sums: ["a": 1]))
    }
  }

  // Spec/state.md, section 7, rule 3.
  @Test func `A snapshot without a number of changes has none`() throws {
    struct Snapshot: Codable {
      var journal: [UInt8]
      var value: Ledger
    }
    try LedgerFixture.with { fixture in
      try FileManager.default.createDirectory(
        atPath: fixture.path, withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
      let snapshot = Snapshot(
        journal: [UInt8](repeating: 4, count: 16), value: Ledger(name: "stored"))
      try SealedValue.save(snapshot, to: fixture.snapshot, for: .key(fixture.key))
      let ledger = fixture.open()
      #expect(try ledger.load().name == "stored")
      try ledger.update(.add(1, to: "a"))
      #expect(try fixture.open().load() == Ledger(name: "stored", sums: ["a": 1]))
    }
  }

  @Test func `A writer and a reader fail while the lock of the journal is held`() throws {
    try LedgerFixture.with { fixture in
      let ledger = fixture.open()
      try ledger.update(.add(1, to: "a"))
      let lock = try FileLock(at: fixture.path + "/lock")
      let errors = [
        keepsakeError { () throws(KeepsakeError) in try ledger.update(.add(1, to: "a")) },
        keepsakeError { () throws(KeepsakeError) in try ledger.load() },
      ]
      #expect(errors.map { $0?.code } == [.stateInUse, .stateInUse])
      withExtendedLifetime(lock) {}
    }
  }

  @Test func `The sequence has a value for each change, and none for a compaction`() async throws {
    try await LedgerFixture.with { fixture in
      let (ledger, other) = (fixture.open(), fixture.open())
      var values = ledger.values.makeAsyncIterator()
      #expect(try await values.next() == Ledger())
      try await ledger.update(.rename("one"))
      #expect(try await values.next()?.name == "one")
      try await ledger.compact()
      try await other.update(.rename("two"))
      #expect(try await values.next()?.name == "two")
      let source = fixture.open()
      let task = Task {
        var count = 0
        for try await _ in source.values { count += 1 }
        return count
      }
      task.cancel()
      #expect(try await task.value <= 1)
    }
  }
}

@Suite(.timeLimit(.minutes(30))) struct `The compaction of a journaled value` {
  @Test func `A compaction replaces changes by a snapshot, and removes their files`() async throws {
    try await LedgerFixture.with { fixture in
      let ledger = fixture.open()
      try await ledger.compact()
      #expect(!FileManager.default.fileExists(atPath: fixture.path))
      for _ in 0..<50 { try await ledger.update(.add(1, to: "a")) }
      try await ledger.compact()
      #expect(try fixture.files() == ["0000000002.journal"])
      let after = try contents(of: fixture.snapshot)
      #expect(try await fixture.open().load().sums == ["a": 50])
      try await ledger.compact()
      #expect(try contents(of: fixture.snapshot) == after, "nothing is new")
      try await ledger.update(.add(1, to: "a"))
      #expect(try await fixture.open().load().sums == ["a": 51])
      let context = try SealedFile.inspect(fixture.snapshot).statedContext
      #expect(
        try SealedFile.open(fixture.snapshot, with: [.key(fixture.key)], context: context).read()
          .isEmpty == false)
    }
  }

  @Test func `Compaction begins in the background when changes outgrow the snapshot`() throws {
    try LedgerFixture.with { fixture in
      let ledger = fixture.open(compactionSize: 2_000)
      let first = try ledger.update(.add(1, to: "a"))
      let snapshot = try contents(of: fixture.snapshot)
      #expect(first.sums == ["a": 1])
      for _ in 0..<60 { try ledger.update(.add(1, to: "a")) }
      ledger.waitForCompaction()
      #expect(try contents(of: fixture.snapshot) != snapshot)
      #expect(try !fixture.files().contains("0000000001.journal"))
      #expect(ledger.compactionFailure == nil)
      #expect(try fixture.open().load().sums == ["a": 61])
    }
  }

  @Test func `Compaction begins in the background when updates have made many files`() throws {
    try LedgerFixture.with { fixture in
      let ledgers = [fixture.open(compactionSize: 1 << 20), fixture.open(compactionSize: 1 << 20)]
      for round in 0..<100 {
        try ledgers[round % 2].update(.add(1, to: "a"))
        for ledger in ledgers { ledger.waitForCompaction() }
      }
      #expect(try fixture.files().count <= JournaledLedger.fileCountLimit)
      #expect(try fixture.open().load().sums == ["a": 100])
    }
  }

  // A kill between the new file of changes and the new snapshot leaves the same files.
  @Test func `A failed compaction keeps the value, is reported, and succeeds later`() throws {
    try LedgerFixture.with { fixture in
      let ledger = fixture.open(compactionSize: 3_000)
      for _ in 0..<3 { try ledger.update(.add(1, to: "a")) }
      try ledger.update { _ in [.setBroken(true), .rename(String(repeating: "x", count: 6_000))] }
      ledger.waitForCompaction()
      #expect(ledger.compactionFailure?.code == .valueNotStorable)
      #expect(try fixture.files().count == 2)
      #expect(try fixture.open().load().sums == ["a": 3])
      try ledger.update(.setBroken(false))
      try ledger.compact()
      #expect(try fixture.files().count == 1)
      try ledger.update(.add(1, to: "a"))
      #expect(try fixture.open().load().sums == ["a": 4])
    }
  }

  @Test func `A new snapshot with older files counts each change once`() throws {
    try LedgerFixture.with { fixture in
      let ledger = fixture.open()
      for _ in 0..<5 { try ledger.update(.add(1, to: "a")) }
      let before = try fixture.copy(to: "before")
      try ledger.compact()
      // The process was killed after the snapshot, and before the record of the files to remove.
      try write(try contents(of: fixture.snapshot), to: before + "/snapshot")
      let unremoved = fixture.open(before)
      #expect(try unremoved.load().sums == ["a": 5])
      #expect(try unremoved.update(.add(1, to: "a")).sums == ["a": 6])
      try unremoved.compact()
      #expect(try names(in: before).filter { $0.hasSuffix(".journal") }.count == 1)
      #expect(try fixture.open(before).load().sums == ["a": 6])
    }
  }

  @Test func `Files whose removal was recorded but not done are skipped`() throws {
    try LedgerFixture.with { fixture in
      let ledger = fixture.open()
      try ledger.update(.add(1, to: "a"))
      let old = try contents(of: fixture.file(1))
      try ledger.compact()
      try write(old, to: fixture.file(1))
      #expect(try fixture.open().load().sums == ["a": 1])
      try ledger.update(.add(1, to: "a"))
      try ledger.compact()
      #expect(try fixture.files() == ["0000000003.journal"])
      #expect(try fixture.open().load().sums == ["a": 2])
    }
  }

  @Test func `A first snapshot without its changes is read, and updates continue`() throws {
    try LedgerFixture.with { fixture in
      try fixture.open().update(.add(1, to: "a"))
      try FileManager.default.removeItem(atPath: fixture.file(1))
      let ledger = fixture.open()
      #expect(try ledger.load() == Ledger())
      try ledger.update(.add(2, to: "a"))
      #expect(try fixture.open().load().sums == ["a": 2])
    }
  }
}

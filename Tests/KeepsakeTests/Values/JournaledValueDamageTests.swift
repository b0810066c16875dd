import Foundation
import TestSupport
import Testing

@testable import Keepsake

@Suite(.timeLimit(.minutes(30))) struct `A journaled value whose files do not fit together` {
  /// Expects that neither loading nor updating works, and that no file is changed.
  private func expectRefused(
    _ fixture: LedgerFixture, _ directory: String, _ code: KeepsakeError.Code, _ words: String = "",
    location: SourceLocation = #_sourceLocation
  ) throws {
    try? FileManager.default.removeItem(atPath: directory + "/lock")
    let before = try names(in: directory).map { try contents(of: directory + "/" + $0) }
    for isUpdate in [false, true] {
      let ledger = fixture.open(directory)
      let error = keepsakeError { () throws(KeepsakeError) in
        try isUpdate ? ledger.update(.add(1, to: "a")) : ledger.load()
      }
      #expect(error?.code == code, "\(String(describing: error))", sourceLocation: location)
      #expect(words.isEmpty || error?.message.contains(words) == true, sourceLocation: location)
    }
    try? FileManager.default.removeItem(atPath: directory + "/lock")
    let after = try names(in: directory).map { try contents(of: directory + "/" + $0) }
    #expect(before == after, sourceLocation: location)
  }

  @Test func `A snapshot is refused if changes after it were removed`() throws {
    try LedgerFixture.with { fixture in
      let ledger = fixture.open()
      for _ in 0..<4 { try ledger.update(.add(1, to: "a")) }
      let old = try contents(of: fixture.snapshot)
      try ledger.compact()
      try ledger.update(.add(1, to: "a"))
      let copy = try fixture.copy(to: "copy")
      try write(old, to: copy + "/snapshot")
      try expectRefused(fixture, copy, .damaged, "from 0 to 3 are missing")
    }
  }

  @Test func `Changes that are older than the snapshot are refused`() throws {
    try LedgerFixture.with { fixture in
      let ledger = fixture.open()
      for _ in 0..<2 { try ledger.update(.add(1, to: "a")) }
      let copy = try fixture.copy(to: "copy")
      try ledger.update(.add(1, to: "a"))
      try ledger.compact()
      try write(try contents(of: fixture.snapshot), to: copy + "/snapshot")
      try expectRefused(fixture, copy, .damaged, "do not fit")
    }
  }

  @Test func `Changes without their snapshot are refused`() throws {
    try LedgerFixture.with { fixture in
      try fixture.open().update(.add(1, to: "a"))
      let copy = try fixture.copy(to: "copy")
      try FileManager.default.removeItem(atPath: copy + "/snapshot")
      try expectRefused(fixture, copy, .damaged, "snapshot is missing")
    }
  }

  @Test func `A snapshot of another journal, or another value, is refused`() throws {
    try LedgerFixture.with { fixture in
      try fixture.open().update(.add(1, to: "a"))
      try fixture.open(fixture.folder + "/other").update(.add(1, to: "a"))
      let copy = try fixture.copy(to: "copy")
      try write(try contents(of: fixture.folder + "/other/snapshot"), to: copy + "/snapshot")
      try expectRefused(fixture, copy, .damaged, "do not fit")
      try SealedValue.save(Ledger(), to: copy + "/snapshot", for: .key(fixture.key))
      try expectRefused(fixture, copy, .valueUnreadable, "not a snapshot")
    }
  }

  @Test func `A batch that was cut short anywhere is left out, and updates continue`() throws {
    try LedgerFixture.with { fixture in
      let ledger = fixture.open()
      try ledger.update(.add(1, to: "a"))
      let durable = try contents(of: fixture.file(1)).count
      try ledger.update(.add(1, to: "a"))
      let file = try contents(of: fixture.file(1))
      for length in stride(from: durable, to: file.count, by: 13) {
        let copy = try fixture.copy(to: "copy \(length)")
        try write(Array(file[..<length]), to: copy + "/0000000001.journal")
        let cut = fixture.open(copy)
        #expect(try cut.load().sums == ["a": 1])
        #expect(try cut.update(.add(5, to: "a")).sums == ["a": 6])
        #expect(try fixture.open(copy).load().sums == ["a": 6])
        try cut.compact()
        #expect(try fixture.open(copy).load().sums == ["a": 6])
      }
    }
  }

  @Test func `Damage is reported with its place, and nothing is written after it`() throws {
    try LedgerFixture.with { fixture in
      let ledger = fixture.open()
      for _ in 0..<3 { try ledger.update(.add(1, to: "a")) }
      let copy = try fixture.copy(to: "copy")
      var file = try contents(of: copy + "/0000000001.journal")
      let headerLength = 192 + 192 + 17 + 48
      let frame = (file.count - headerLength) / 3
      file[headerLength + frame + 80] ^= 1
      try write(file, to: copy + "/0000000001.journal")
      try expectRefused(fixture, copy, .damaged, "at byte")
      let error = keepsakeError { () throws(KeepsakeError) in try fixture.open(copy).load() }
      let journalError = error?.underlyingError as? JournalError
      #expect(journalError?.entry == 1 && error?.path == copy + "/0000000001.journal")
      var snapshot = try contents(of: fixture.snapshot)
      snapshot[snapshot.count - 1] ^= 1
      try write(snapshot, to: copy + "/snapshot")
      try expectRefused(fixture, copy, .damaged)
    }
  }

  @Test func `A value whose directory was removed begins again in each instance that has it open`()
    throws
  {
    try LedgerFixture.with { fixture in
      let (ledger, reader) = (fixture.open(), fixture.open())
      try ledger.update(.add(1, to: "a"))
      #expect(try reader.load().sums == ["a": 1])
      try FileManager.default.removeItem(atPath: fixture.path)
      #expect(try reader.load() == Ledger())
      #expect(try ledger.update(.add(2, to: "a")).sums == ["a": 2])
      #expect(try reader.load().sums == ["a": 2])
    }
  }

  @Test func `A wrong key, another purpose and a passphrase each have their own error`() throws {
    try LedgerFixture.with { fixture in
      try fixture.open().update(.add(1, to: "a"))
      let keys: [(SealedValueKey, KeepsakeError.Code)] = [
        (.key(try SealKey.generate()), .keyWrong),
        (.key(fixture.key).forPurpose("other"), .wrongPurpose),
        (.passphrase("sesame"), .keyUnavailable),
      ]
      for (key, code) in keys {
        let ledger = JournaledLedger(
          path: fixture.path, key: key, default: Ledger(), apply: LedgerChange.apply)
        let errors = [
          keepsakeError { () throws(KeepsakeError) in try ledger.load() },
          keepsakeError { () throws(KeepsakeError) in try ledger.update(.add(1, to: "a")) },
        ]
        #expect(errors.map { $0?.code } == [code, code])
      }
      #expect(try fixture.open().load().sums == ["a": 1])
    }
  }
}

@Suite struct `A journaled value of another program's version` {
  /// The changes of a program that no longer knows `rename`.
  private enum NewChange: Codable, Sendable { case add(Int, to: String) }

  private static let apply: @Sendable (inout Ledger, NewChange) -> Void = { ledger, change in
    if case .add(let amount, let name) = change { ledger.sums[name, default: 0] += amount }
  }

  @Test func `A change that no longer decodes is an error, unless the form migrates or skips it`()
    throws
  {
    try LedgerFixture.with { fixture in
      try fixture.open().update { _ in [.add(1, to: "a"), .rename("x"), .add(1, to: "a")] }
      func ledger(
        _ form: JournalForm<NewChange>
      ) -> JournaledValue<Ledger, NewChange> {
        JournaledValue(
          path: fixture.path, key: .key(fixture.key), default: Ledger(), changes: form,
          apply: Self.apply)
      }
      let before = try contents(of: fixture.file(1))
      let strict = ledger(.codable(named: "LedgerChange"))
      for _ in 0..<2 {
        let error = keepsakeError { () throws(KeepsakeError) in try strict.update(.add(1, to: "a"))
        }
        #expect(error?.code == .valueUnreadable)
        #expect(error?.message.contains("Entry 1 ") == true)
      }
      #expect(try contents(of: fixture.file(1)) == before)
      let lenient = ledger(
        .codable(named: "LedgerChange", version: 1) { record in
          try? ArchiveDecoder().decode(NewChange.self, from: record.content)
        })
      #expect(try lenient.load().sums == ["a": 2])
      try lenient.update(.add(1, to: "a"))
      try lenient.compact()
      #expect(try lenient.load().sums == ["a": 3])
    }
  }

  @Test func `An older snapshot is migrated, and one of a later version is refused`() throws {
    try LedgerFixture.with { fixture in
      let old = fixture.open()
      try old.update(.rename("n"))
      try old.compact()
      try old.update(.add(1, to: "a"))
      let migrations = [
        ValueMigration { record in
          try record.convertValue(forKey: "name", from: String.self) { $0 + "!" }
        }
      ]
      let new = fixture.open(migrations: migrations)
      #expect(try new.load() == Ledger(name: "n!", sums: ["a": 1]))
      #expect(try fixture.open().load().name == "n", "reading migrates no file")
      try new.compact()
      let error = keepsakeError { () throws(KeepsakeError) in try fixture.open().load() }
      #expect(error?.code == .migrationRefused)
      #expect(try fixture.open(migrations: migrations).load().name == "n!")
    }
  }

  /// A newer form of the ledger.
  private struct NewLedger: Codable, Sendable {
    var name = "first"
    var sums: [String: Int] = [:]
    var owner = "me"
  }

  @Test func `Keys that an older program does not know stay through its compaction`() throws {
    try LedgerFixture.with { fixture in
      let newer = JournaledValue<NewLedger, LedgerChange>(
        path: fixture.path, key: .key(fixture.key), default: NewLedger(owner: "you")
      ) { ledger, change in
        if case .add(let amount, let name) = change { ledger.sums[name, default: 0] += amount }
      }
      try newer.update(.add(1, to: "a"))
      let older = fixture.open()
      try older.update(.add(1, to: "a"))
      try older.compact()
      try older.update(.add(1, to: "a"))
      try older.compact()
      let found = try newer.load()
      #expect(found.owner == "you" && found.sums == ["a": 3])
    }
  }
}

@Suite(.timeLimit(.minutes(30))) struct `Processes that update a journaled value` {
  private struct Counter: Codable, Sendable { var count = 0 }

  private func start(_ path: String) throws -> (Process, Pipe) {
    let folder = try #require(Bundle.main.executableURL).deletingLastPathComponent()
    let program = try #require(
      [folder, folder.deletingLastPathComponent()].map { $0.path + "/saver-subject" }
        .first(where: FileManager.default.isExecutableFile))
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [path, "update journaled"]
    process.standardOutput = output
    try process.run()
    return (process, output)
  }

  /// The numbers that a process prints until it ends; it is killed after `count` of them.
  private func numbers(
    _ process: Process, _ output: Pipe, killingAfter count: Int = .max
  ) -> [Int] {
    var bytes = Data()
    while true {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      bytes += more
      if bytes.count(where: { $0 == UInt8(ascii: "\n") }) >= count {
        kill(process.processIdentifier, SIGKILL)
      }
    }
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
  }

  private func value(_ fixture: LedgerFixture) -> JournaledValue<Counter, Int> {
    JournaledValue(
      path: fixture.path, key: .key(fixture.key), default: Counter(), compactionSize: nil
    ) { $0.count += $1 }
  }

  @Test func `Each acknowledged update survives a kill`() throws {
    try LedgerFixture.with { fixture in
      var last = 0
      for round in 0..<8 {
        let (process, output) = try start(fixture.path)
        last = max(last, numbers(process, output, killingAfter: 20 + 7 * round).last ?? 0)
        let found = try value(fixture).load().count
        // One update may be durable and not yet printed.
        #expect(found == last || found == last + 1)
      }
      #expect(last > 100)
      try value(fixture).compact()
      #expect(try fixture.files().count == 1)
    }
  }

  @Test func `Three processes at once lose no update of each other`() throws {
    try LedgerFixture.with { fixture in
      let running = try (0..<3).map { _ in try start(fixture.path) }
      let found = running.map { numbers($0.0, $0.1) }
      #expect(found.joined().sorted() == Array(1...400))
      #expect(try value(fixture).load().count == 400)
    }
  }
}

import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeMigration
import TestSupport
import Testing

@Suite struct `A migration` {
  /// A chain of steps from 1 to `count` + 1, each adding one to the number under "n".
  private func chain(_ count: Int) throws -> MigrationPlan {
    let steps = try (1...count).map { number in
      MigrationStep(
        from: try version("\(number)"), to: try version("\(number + 1)"),
        edits: [
          .convertKey("n", ofType: "T") { value in
            guard case .signed(let old, _) = value else { return .null }
            return .signed(old * 10 + Int64(number), bitWidth: 64)
          }
        ])
    }
    return try MigrationPlan(
      programVersion: try version("\(count + 1)"), steps: steps.shuffled())
  }

  @Test(arguments: 1...10)
  func `A migration makes the steps of a chain in order`(count: Int) throws {
    let plan = try chain(count)
    for start in 1...count + 1 {
      var writer = ArchiveWriter(reserved: .init(bundleVersion: "\(start)"))
      try writer.writeObject(.init(1), typeName: "T") { $0.encode(0, forKey: "n") }
      let archive = try Archive(writer.finish(root: .init(1)))
      let migrated = try plan.migrate(archive)
      #expect(migrated.report.isRewritten == (start <= count))
      let result = try migrated.bytes.map { try Archive($0) } ?? archive
      let expected = (start...count + 1).dropLast().reduce(Int64(0)) { $0 * 10 + Int64($1) }
      #expect(try result.object(.init(1)).decode(Int64.self, forKey: "n") == expected)
      #expect(result.reserved.bundleVersion == "\(count + 1)")
    }
  }

  @Test func `A migration leaves everything that no step changes as it was, in its place`() throws {
    let archive = try Contacts().archive()
    let migrated = try plan(.renameKey("nm", to: "name", ofType: "Contact")).migrate(archive)
    let result = try Archive(try #require(migrated.bytes))
    try result.requireCanonical()
    let (before, after) = (try records(of: archive), try records(of: result))
    #expect(before.count == after.count)
    for index in [0, 4] { #expect(before[index] == after[index]) }
    for index in 1...3 { #expect(before[index].references == after[index].references) }
    var reserved = archive.reserved
    reserved.bundleVersion = "11.0"
    #expect(result.reserved == reserved)
    #expect(result.rootID == archive.rootID)
    // Steps that find nothing to do change only the version.
    let idle = try plan(.renameKey("nm", to: "name", ofType: "Nobody")).migrate(archive)
    var expected = Contacts()
    expected.version = "11.0"
    #expect(idle.bytes == (try expected.bytes()))
  }

  @Test
  func `A migration keeps references in a circle when objects are added and removed`() throws {
    var contacts = Contacts()
    contacts.count = 50
    let migrated = try migrate(
      contacts,
      .splitKeys(["nm"], intoObjectOfType: "Name", under: "name", ofType: "Contact"),
      .renameKey("knows", to: "a friend", ofType: "Contact"),
      .editDocument("drop the settings") { document in
        let settings = try document.objectIDs(ofType: "Settings")
        try document.remove(settings[0], replacingReferencesWith: nil)
      })
    #expect(migrated.count == 101)
    guard case .array(let list)? = migrated[0]["contacts"] else {
      Issue.record("the list has no contacts")
      return
    }
    var current = list[0]
    for index in 0..<50 {
      #expect(current == list[index])
      guard case .reference(let id?) = current else { break }
      let contact = migrated[Int(id.rawValue) - 1]
      guard case .reference(let name?)? = contact["name"] else { break }
      #expect(migrated[Int(name.rawValue) - 1]["nm"] == .string("Person \(index)"))
      current = try #require(contact["a friend"])
    }
    #expect(current == list[0])
    #expect(migrated[0]["settings"] == .reference(nil))
  }

  @Test func `A failed migration changes nothing and names the step, edit, object and key`() throws
  {
    struct NoNumber: Error, CustomStringConvertible {
      var description: String { "the age is no number" }
    }
    let bytes = try Contacts().bytes()
    let error = migrationError {
      _ = try plan(
        .renameKey("nm", to: "name", ofType: "Contact"),
        .convertKey("age", ofType: "Contact") { value in
          if value == .string("31") { throw NoNumber() }
          return value
        }
      ).migrate(Archive(bytes))
    }
    #expect(error?.code == .stepFailed && error?.objectID == ArchiveObjectID(3))
    #expect(error?.keyPath == ["age"])
    #expect(
      error?.description
        == "The migration step 10 -> 11 (convert key age of Contact) failed at object #3, key path "
        + "age: the age is no number. The saved state is unchanged; mend the step, or start fresh.")
    #expect(try Contacts().bytes() == bytes)
  }

  @Test func `The error of a migration names objects by their old numbers`() throws {
    let error = migrationError {
      _ = try plan(
        .splitKeys(["nm"], intoObjectOfType: "Name", under: "name", ofType: "Contact"),
        .editObjects("pass through") { _ in },
        .editDocument("look") { document in _ = document.objectCount },
        .editObjects("stop at the settings") { record in
          if record.typeName == "Settings" { try record.renameKey("offsets", to: "x") }
          if record["x"] != nil { throw ArchiveError(.invalidValue, "enough") }
        }
      ).migrate(Contacts().archive())
    }
    #expect(error?.objectID == ArchiveObjectID(5))
    #expect(error?.message == "enough")
  }

  @Test func `A migration of single types raises their schema, in nested values too`() throws {
    let schema = [
      SchemaMigrationStep(ofType: "Contact", from: 1, to: 2) { try $0.renameKey("nm", to: "name") },
      SchemaMigrationStep(ofType: "Contact", from: 2, to: 5) { record in
        try record.renameKey("name", to: "fullName")
      },
      SchemaMigrationStep(ofType: "Address", from: 0, to: 1) { $0["country"] = .string("") },
    ]
    let plan = try MigrationPlan(
      programVersion: try version("10.0"), steps: [], schemaSteps: schema.reversed())
    let migrated = try plan.migrate(Contacts().archive())
    let contact = try records(of: migrated)[1]
    #expect(contact.schemaVersion == 5 && contact["fullName"] == .string("Person 0"))
    guard case .record(let home)? = contact["home"] else {
      Issue.record("there is no record")
      return
    }
    #expect(home.schemaVersion == 1 && home["country"] == .string(""))
    #expect(migrated.report.steps.map(\.changedCount) == [3, 3, 3])
    // A second migration has nothing to do, and schema versions without a step stay.
    let again = try plan.migrate(Archive(try #require(migrated.bytes)))
    #expect(again.bytes == nil && !again.report.isRewritten)
    var later = Contacts()
    later.schemaVersion = 9
    let left = try records(of: plan.migrate(later.archive()))
    #expect(left[1].schemaVersion == 9 && left[1]["nm"] == .string("Person 0"))
  }

  @Test
  func `A migration of a damaged archive is refused or sound, whatever byte was changed`() throws {
    let bytes = try Contacts().bytes()
    let plan = try plan(
      .renameKey("nm", to: "name", ofType: "Contact"),
      .splitKeys(["age"], intoObjectOfType: "Age", under: "age", ofType: "Contact"))
    var refused = 0
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x55
      guard let archive = try? Archive(damaged) else { continue }
      let migrated: MigratedArchive
      do {
        migrated = try plan.migrate(archive)
      } catch {
        refused += 1
        #expect(!error.description.isEmpty)
        continue
      }
      // An archive that was written from damaged bytes is itself sound.
      if let bytes = migrated.bytes { try Archive(bytes).requireCanonical() }
    }
    #expect(refused > 40)
  }

  @Test func `A migration that cannot read or write says where, and what to do`() throws {
    var bytes = try Contacts().bytes()
    let name = Array("Person 1".utf8)
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
    bytes[start] = 0xFF
    let damaged = migrationError {
      _ = try plan(.removeKey("age", ofType: "Contact")).migrate(Archive(bytes))
    }
    #expect(
      damaged?.description
        == "The saved state could not be migrated and is unchanged: A string is not well-formed UTF-8 "
        + "(object #3, key path nm, byte \(start)). Use another copy of the archive; this one is not "
        + "as it was written.")
    var limits = ArchiveLimits()
    limits.recordByteCount = 200
    let large = migrationError {
      _ = try plan(
        .setDefault(.string(String(repeating: "x", count: 500)), forKey: "x", ofType: "Contact")
      ).migrate(Contacts().archive(), limits: limits)
    }
    #expect(large?.code == .unusableArchive && large?.underlyingError?.code == .limitExceeded)
    #expect(large?.objectID == ArchiveObjectID(2))
    let lost = migrationError {
      _ = try plan(.convertKey("knows", ofType: "Contact") { _ in .reference(.init(99)) })
        .migrate(Contacts().archive())
    }
    #expect(lost?.underlyingError?.code == .noSuchObject && lost?.objectID == ArchiveObjectID(2))
  }

  /// Bytes that are read where they are needed.
  private struct Source: ArchivePositionedSource {
    var bytes: [UInt8]
    var byteCount: Int { bytes.count }
    func read(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }
  }

  @Test func `An archive in a source is migrated like one in memory`() throws {
    var contacts = Contacts()
    contacts.count = 20_000
    let bytes = try contacts.bytes()
    for edit in [
      MigrationEdit.renameKey("nm", to: "name", ofType: "Contact"),
      .editRecords(ofType: "Address", "set") { $0["isNew"] = .bool(true) },
    ] {
      let plan = try plan(edit)
      let fromSource = try plan.migrate(Archive(source: Source(bytes: bytes)))
      let fromMemory = try plan.migrate(Archive(bytes))
      #expect(fromSource.bytes == fromMemory.bytes)
      #expect(fromSource.report.steps[0].changedCount == 20_000)
    }
  }
}

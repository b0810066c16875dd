import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeMigration
import Testing

@Suite struct `An edit of a migration` {
  @Test func `Edits rename, move, remove, convert and default keys`() throws {
    let migrated = try migrate(
      Contacts(),
      .renameKey("nm", to: "name", ofType: "Contact"),
      .moveKey("note", fromScope: ["Base"], toScope: ["Old", "Base"], ofType: "Contact"),
      .removeKey("knows", ofType: "Contact"),
      .convertKey("age", ofType: "Contact") { value in
        guard case .string(let text) = value, let age = Int64(text) else { return .null }
        return .signed(age, bitWidth: 16)
      },
      .setDefault(.bool(true), forKey: "isNew", ofType: "Contact"),
      .setDefault(.string("never"), forKey: "name", ofType: "Contact"))
    let contact = migrated[1]
    #expect(contact["name"] == .string("Person 0") && contact["nm"] == nil)
    #expect(contact["note", inScope: ["Old", "Base"]] == .string("note"))
    #expect(contact["note", inScope: ["Base"]] == nil && contact["knows"] == nil)
    #expect(contact["age"] == .signed(30, bitWidth: 16))
    #expect(contact["isNew"] == .bool(true))
    #expect(migrated[2]["note", inScope: ["Old", "Base"]] == .null)
  }

  /// An object with two keys, and a scope, whose names are not ASCII.
  private struct Named: ArchiveRecord {
    static let archiveTypeName = "Named"

    init() {}
    init(from coder: borrowing ObjectDecoder) {}

    func encode(to coder: inout ObjectEncoder) {
      coder.encode(1, forKey: "pr\u{E9}nom")
      coder.encode(2, forKey: "age")
      coder.withScope("\u{C9}tat") { coder in coder.encode(3, forKey: "age") }
    }
  }

  @Test(
    arguments: [
      .renameKey("pre\u{301}nom", to: "name", ofType: "Named"),
      .moveKey("pre\u{301}nom", fromScope: [], toScope: ["Old"], ofType: "Named"),
      .moveKey("age", fromScope: ["E\u{301}tat"], toScope: [], ofType: "Named"),
      .removeKey("pre\u{301}nom", ofType: "Named"),
      .removeKey("age", inScope: ["E\u{301}tat"], ofType: "Named"),
      .convertKey("pre\u{301}nom", ofType: "Named") { $0 },
      .setDefault(.null, forKey: "pre\u{301}nom", ofType: "Named"),
      .wrapKeys(["age", "pre\u{301}nom"], inRecord: "record", ofType: "Named"),
      .unwrapRecord("pre\u{301}nom", ofType: "Named"),
      .splitKeys(["pre\u{301}nom"], intoObjectOfType: "Part", under: "part", ofType: "Named"),
      .mergeObject(under: "pre\u{301}nom", ofType: "Named"),
    ] as [MigrationEdit])
  func `A key in a Unicode form that differs from the stored one ends the migration`(
    edit: MigrationEdit
  ) throws {
    var writer = ArchiveWriter(reserved: .init(bundleVersion: "10"))
    for id in 1...3 as ClosedRange<UInt32> {
      try writer.writeObject(.init(id), typeName: "Named") { Named().encode(to: &$0) }
    }
    let archive = try Archive(writer.finish(root: .init(1)))
    let error = #expect(throws: MigrationError.self) { try plan(edit).migrate(archive) }
    #expect(error?.description.contains("the same name in another Unicode form") == true)
    #expect(error?.code == .stepFailed && error?.objectID == ArchiveObjectID(1))
  }

  @Test func `A key that is the start of a stored one is absent`() throws {
    var writer = ArchiveWriter(reserved: .init(bundleVersion: "10"))
    try writer.writeObject(.init(1), typeName: "Named") { Named().encode(to: &$0) }
    let archive = try Archive(writer.finish(root: .init(1)))
    let migrated = try plan(.removeKey("pr\u{E9}", ofType: "Named")).migrate(archive)
    let result = try Archive(try #require(migrated.bytes))
    #expect(try result.object(.init(1)).decode(Int.self, forKey: "pr\u{E9}nom") == 1)
  }

  @Test func `A key is removed from its own scope alone`() throws {
    let removed = try migrate(
      Contacts(), .removeKey("note", inScope: ["Base"], ofType: "Contact"),
      .removeKey("nm", inScope: ["Base"], ofType: "Contact"))
    #expect(removed[1]["note", inScope: ["Base"]] == nil)
    #expect(removed[1]["nm"] == .string("Person 0"))
  }

  @Test(arguments: ["ContactCard", "Contac", "Card"])
  func `A type is renamed, even to a longer form of its name`(name: String) throws {
    let migrated = try migrate(Contacts(), .renameType("Contact", to: name))
    #expect(migrated[1].typeName == name)
  }

  @Test func `An edit reaches records that are nested in others`() throws {
    let migrated = try migrate(
      Contacts(),
      .renameKey("city", to: "town", ofType: "Address"), .renameType("Address", to: "Place"))
    guard case .record(let home)? = migrated[1]["home"] else {
      Issue.record("there is no record")
      return
    }
    #expect(home.typeName == "Place")
    #expect(home["town"] == .string("Town") && home["city"] == nil)
  }

  @Test(arguments: [nil, "own"] as [String?])
  func `A merged object loses its template, and the object that takes it in keeps its own`(
    template: String?
  ) throws {
    var writer = ArchiveWriter(reserved: .init(bundleVersion: "10"))
    try writer.writeObject(.init(1), typeName: "Owner", template: template) {
      $0.encode(ArchiveReference(.init(2)), forKey: "part")
    }
    try writer.writeObject(.init(2), typeName: "Part", template: "part") {
      $0.encode("text", forKey: "name")
    }
    let migrated = try plan(.mergeObject(under: "part", ofType: "Owner"))
      .migrate(Archive(writer.finish(root: .init(1))))
    let archive = try Archive(try #require(migrated.bytes))
    let record = try archive.object(archive.rootID).dynamicRecord()
    #expect(record[.template] == template.map { DynamicValue.string($0) })
    #expect(record["name"] == .string("text"))
  }

  @Test func `An edit renames a type and leaves others`() throws {
    let migrated = try migrate(Contacts(), .renameType("Contact", to: "Person"))
    #expect(migrated.map(\.typeName) == ["List", "Person", "Person", "Person", "Settings"])
  }

  @Test func `Keys are wrapped in a record and unwrapped again`() throws {
    let before = try records(of: Contacts().archive())
    let wrap = MigrationEdit.wrapKeys(
      ["nm", "age", "absent"], inRecord: "who", nestedTypeName: "Who", ofType: "Contact")
    let wrapped = try migrate(Contacts(), wrap)
    #expect(wrapped[1]["nm"] == nil && wrapped[1]["age"] == nil)
    let who = DynamicRecord(
      typeName: "Who",
      fields: [
        .init(key: "age", value: .string("30")), .init(key: "nm", value: .string("Person 0")),
      ])
    guard case .record(let nested)? = wrapped[1]["who"] else {
      Issue.record("there is no record")
      return
    }
    #expect(nested.differences(from: who).isEmpty)
    #expect(wrapped[4] == before[4])
    let back = try migrate(Contacts(), wrap, .unwrapRecord("who", ofType: "Contact"))
    #expect(back.count == before.count)
    #expect(zip(back, before).allSatisfy { $0.differences(from: $1).isEmpty })
  }

  @Test func `Keys are split off into objects and merged again`() throws {
    let before = try records(of: Contacts().archive())
    let split = MigrationEdit.splitKeys(
      ["nm", "home"], intoObjectOfType: "Identity", under: "identity", ofType: "Contact")
    let parts = try migrate(Contacts(), split)
    #expect(
      parts.map(\.typeName) == [
        "List", "Contact", "Identity", "Contact", "Identity", "Contact", "Identity", "Settings",
      ])
    #expect(parts[1]["identity"] == .reference(.init(3)))
    #expect(parts[1]["knows"] == .reference(.init(4)))
    #expect(parts[2]["nm"] == .string("Person 0"))
    #expect(parts[0]["settings"] == .reference(.init(8)))
    let back = try migrate(Contacts(), split, .mergeObject(under: "identity", ofType: "Contact"))
    #expect(back.count == before.count)
    #expect(zip(back, before).allSatisfy { $0.differences(from: $1).isEmpty })
  }

  @Test func `A merge ignores a nil reference, and refuses a shared object`() throws {
    let none = try migrate(
      Contacts(), .convertKey("knows", ofType: "Contact") { _ in .reference(nil) },
      .mergeObject(under: "knows", ofType: "Contact"))
    #expect(none.count == 5 && none[1]["knows"] == nil)
    let shared = migrationError {
      _ = try migrate(Contacts(), .mergeObject(under: "knows", ofType: "Contact"))
    }
    #expect(shared?.code == .stepFailed && shared?.objectID == ArchiveObjectID(2))
    #expect(shared?.keyPath == ["knows"])
    #expect(shared?.message == "something else refers to object #3 too")
    let noReference = migrationError {
      _ = try migrate(Contacts(), .mergeObject(under: "nm", ofType: "Contact"))
    }
    #expect(noReference?.message == "the key has a value of type String, not a reference")
  }

  @Test func `A program's own edit sees records, objects or the whole document`() throws {
    let migrated = try migrate(
      Contacts(),
      .editRecords(ofType: "Address", "shout") { record in
        record.convertValue(forKey: "city") { _ in .string("TOWN") }
      },
      .editObjects("mark") { record in record["mark"] = .bool(true) },
      .editDocument("join") { document in
        let settings = try document.objectIDs(ofType: "Settings")
        try document.remove(settings[0], replacingReferencesWith: ArchiveObjectID(1))
      })
    #expect(migrated.count == 4)
    #expect(migrated.allSatisfy { $0["mark"] == .bool(true) })
    #expect(migrated[0]["settings"] == .reference(.init(1)))
    guard case .record(let home)? = migrated[3]["home"] else {
      Issue.record("there is no record")
      return
    }
    #expect(home["city"] == .string("TOWN"))
  }

  @Test(
    arguments: [
      (MigrationEdit.renameKey("nm", to: "age", ofType: "Contact"), ["age"]),
      (.moveKey("note", fromScope: ["Base"], toScope: ["Base"], ofType: "Contact"), nil),
      (.wrapKeys(["nm"], inRecord: "age", ofType: "Contact"), ["age"]),
      (.unwrapRecord("nm", ofType: "Contact"), ["nm"]),
      (.splitKeys(["nm"], intoObjectOfType: "X", under: "age", ofType: "Contact"), ["age"]),
      (.renameKey("city", to: "street", ofType: "Address"), ["home", "street"]),
    ] as [(MigrationEdit, [String]?)])
  func `The error of an edit that cannot be made names the object and the key`(
    edit: MigrationEdit, keyPath: [String]?
  ) throws {
    let error = migrationError { _ = try migrate(Contacts(), edit) }
    guard let keyPath else {
      #expect(error == nil)
      return
    }
    #expect(error?.code == .stepFailed)
    #expect(error?.objectID == ArchiveObjectID(2))
    #expect(error?.keyPath == keyPath)
    #expect(error?.step == "10 -> 11" && error?.edit == edit.description)
  }
}

import KeepsakeArchive
import KeepsakeDocuments
import Testing

@testable import KeepsakeMigration

@Suite struct `The order of edits and checks` {
  private func plan(_ steps: MigrationStep...) throws -> MigrationPlan {
    try MigrationPlan(programVersion: try version("\(10 + steps.count)"), steps: steps)
  }

  private func step(_ number: Int, _ edits: MigrationEdit...) throws -> MigrationStep {
    MigrationStep(from: try version("\(number)"), to: try version("\(number + 1)"), edits: edits)
  }

  /// Objects of type A; each has one number under one of these keys, or no number where the key is nil.
  private func archive(_ keys: [ArchiveKey?], _ value: DynamicValue? = nil) throws -> Archive {
    var writer = ArchiveWriter(reserved: .init(bundleVersion: "10"))
    for (index, key) in keys.enumerated() {
      try writer.writeObject(.init(UInt32(index + 1)), typeName: index == 0 ? "Root" : "A") {
        coder in
        if let key { coder.encode(value ?? .signed(Int64(index), bitWidth: 64), forKey: key) }
      }
    }
    return try Archive(writer.finish(root: .init(1)))
  }

  @Test func `The gate checks the idiom before the age`() throws {
    let policy = VersionPolicy.atLeast(try version("1")).requiringIdiom(1)
      .expiring(afterSeconds: 1) { .init(secondsSinceReferenceDate: 0) }
    let gate = VersionGate(programVersion: try version("2"), policy: policy)
    let none = migrationError { try gate.check(ReservedValues(bundleVersion: "2")) }
    #expect(none?.code == .idiomMismatch)
    #expect(none?.message.contains("no user interface idiom") == true)
    let other = migrationError {
      try gate.check(ReservedValues(bundleVersion: "2", userInterfaceIdiom: 2))
    }
    #expect(other?.code == .idiomMismatch)
    #expect(other?.message.contains("names the user interface idiom 2, ") == true)
    let old = migrationError {
      try gate.check(ReservedValues(bundleVersion: "2", userInterfaceIdiom: 1))
    }
    #expect(old?.code == .expired)
  }

  @Test func `Objects are split, whatever is stored between them`() throws {
    let migrated = try plan(
      step(10, .splitKeys(["a"], intoObjectOfType: "Part", under: "part", ofType: "A"))
    ).migrate(archive([nil, "a", nil, "b", "a"]))
    #expect(migrated.report.steps.map(\.changedCount) == [2])
    #expect(migrated.report.steps.map(\.insertedCount) == [2])
    let parts = try records(of: migrated).filter { $0.typeName == "Part" }
    #expect(parts.map { $0["a"] } == [1, 4].map { .signed($0, bitWidth: 64) })
    let one = try plan(
      step(10, .splitKeys(["a"], intoObjectOfType: "Part", under: "part", ofType: "A"))
    ).migrate(archive([nil, "b", "a"]))
    #expect(one.report.description.contains("(1 changed, 1 inserted)"))
  }

  @Test func `An object that two edits of a later step change is counted once`() throws {
    let migrated = try plan(
      step(10, .renameKey("a", to: "b", ofType: "A")),
      step(
        11, .renameKey("b", to: "c", ofType: "A"),
        .setDefault(.bool(true), forKey: "d", ofType: "A"))
    ).migrate(archive([nil, "a", "a"]))
    #expect(migrated.report.steps.map(\.changedCount) == [2, 2])
  }

  @Test func `A record that is nested as deeply as the limits allow passes all edits`() throws {
    var limits = ArchiveLimits()
    limits.nestingDepth = 100
    var value = DynamicValue.bool(true)
    for _ in 0..<80 { value = .array([value]) }
    var writer = ArchiveWriter(reserved: .init(bundleVersion: "10"), limits: limits)
    try writer.writeObject(.init(1), typeName: "A") { coder in
      coder.encode(value, forKey: "a")
      coder.encode(true, forKey: "b")
    }
    let archive = try Archive(writer.finish(root: .init(1)), limits: limits)
    let migrated = try plan(
      step(
        10, .splitKeys(["b"], intoObjectOfType: "Part", under: "part", ofType: "A"),
        .renameKey("a", to: "c", ofType: "A"))
    ).migrate(archive, limits: limits)
    let bytes = try #require(migrated.bytes)
    let records = try records(of: Archive(bytes, limits: limits))
    #expect(records.first { $0.typeName == "A" }?["c"] == value)
  }

  @Test func `The key path of a failed step has no point before the place of an element`() {
    var error = MigrationError(.stepFailed, message: "it fails", step: "10 -> 11")
    error.keyPath = ["notes", "[2]", "text"]
    #expect(error.description.contains(" failed at key path notes[2].text: it fails. "))
  }

  @Test func `Objects are merged, whatever is stored between them`() throws {
    var document = ArchiveDocument(reserved: .init(bundleVersion: "10"))
    let parts = try (0..<2).map { number in
      try document.insert(
        .init(typeName: "Part", fields: [.init(key: "n", value: .signed(number, bitWidth: 64))]))
    }
    let values: [DynamicValue?] = [.reference(parts[0]), nil, .reference(parts[1])]
    let objects = try values.map { value in
      try document.insert(
        .init(typeName: "A", fields: value.map { [.init(key: "part", value: $0)] } ?? []))
    }
    document.rootID = try document.insert(
      .init(
        typeName: "Root",
        fields: [.init(key: "all", value: .array(objects.map { .reference($0) }))]))
    let migrated = try plan(step(10, .mergeObject(under: "part", ofType: "A")))
      .migrate(Archive(document.encoded()))
    #expect(migrated.report.steps.map(\.removedCount) == [2])
    #expect(
      try records(of: migrated).filter { $0.typeName == "A" }.map { $0["n"] }
        == [.signed(0, bitWidth: 64), nil, .signed(1, bitWidth: 64)])
  }

  @Test func `An edit is made on a record that the edit before it has nested`() throws {
    let migrated = try plan(
      step(
        10, .wrapKeys(["a"], inRecord: "nested", nestedTypeName: "N", ofType: "A"),
        .renameKey("a", to: "b", ofType: "N"))
    ).migrate(archive([nil, "a", "a"]), listing: .max)
    for (number, record) in try records(of: migrated).dropFirst().enumerated() {
      let value = DynamicValue.signed(Int64(number + 1), bitWidth: 64)
      let nested = DynamicRecord(typeName: "N", fields: [.init(key: "b", value: value)])
      #expect(record["nested"] == .record(nested))
    }
  }

  @Test func `Edits of every step that found nothing are reported`() throws {
    let report = try plan(
      step(10, .renameKey("a", to: "b", ofType: "A")),
      step(11, .removeKey("x", ofType: "A"), .removeKey("b", ofType: "A")),
      step(12, .removeKey("y", ofType: "A"))
    ).migrate(archive([nil, "a"])).report
    #expect(
      report.steps.map(\.unmatchedEdits) == [[], ["remove key x of A"], ["remove key y of A"]])
  }
}

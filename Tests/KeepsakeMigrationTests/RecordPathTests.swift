import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeMigration
import Testing

@Suite struct `A path to nested records` {
  private func habit(_ title: String, _ more: DynamicRecord.Field...) -> DynamicValue {
    .record(DynamicRecord(fields: [.init(key: "title", value: .string(title))] + more))
  }

  /// A record with habits in an array, in a dictionary, in arrays of arrays, and in optionals.
  private var book: DynamicRecord {
    DynamicRecord(fields: [
      .init(key: "best", value: habit("best"), optionalTag: .record),
      .init(
        key: "byName",
        value: .dictionary([
          .init(key: .string("a"), value: habit("a")), .init(key: .string("n"), value: .null),
        ])),
      .init(key: "habits", value: .array([habit("read"), .null, habit("walk")])),
      .init(key: "nothing", value: .null),
      .init(key: "rows", value: .array([.array([habit("x")]), .array([])])),
      .init(key: "title", value: .string("book")),
    ])
  }

  @Test(
    arguments: [
      ("", 1), ("best", 1), ("habits[]", 2), ("byName[]", 1), ("rows[][]", 1), ("nothing", 0),
      ("nothing[].deep", 0), ("absent[]", 0),
    ])
  func `A path leads into arrays, dictionaries and optionals`(path: String, count: Int) throws {
    var changed = book
    #expect(try changed.renameKey("title", to: "name", at: RecordPath(path)) == count)
    var titles: [DynamicValue] = []
    try changed.updateRecords(at: RecordPath(path)) { titles.append($0["name"] ?? .null) }
    #expect(titles.count == count && !titles.contains(.null))
    #expect(try changed.renameKey("name", to: "title", at: RecordPath(path)) == count)
    #expect(changed == book)
  }

  @Test(arguments: ["habits[1]", ".", "a..b", "[]", "habits[", "a.[]", "a[]b"])
  func `A text that is no path is refused`(text: String) {
    #expect(!RecordPath(text).isValid)
    var changed = book
    let error = #expect(throws: ArchiveError.self) {
      try changed.removeValue(forKey: "title", at: RecordPath(text))
    }
    #expect(error?.code == .invalidValue && changed == book)
  }

  @Test(arguments: [("title", ["title"]), ("habits", ["habits"]), ("best[]", ["best"])])
  func `The error of a path through a value of another kind names the key`(
    path: String, keys: [String]
  ) throws {
    var changed = book
    let error = #expect(throws: ArchiveError.self) {
      try changed.removeValue(forKey: "title", at: RecordPath(path))
    }
    #expect(error?.code == .invalidValue && error?.keyPath == keys)
  }

  @Test func `Values at a path are removed, converted and given defaults`() throws {
    var changed = book
    #expect(try changed.setDefault(.bool(true), forKey: "isNew", at: "habits[]") == 2)
    #expect(try changed.setDefault(.bool(false), forKey: "isNew", at: "habits[]") == 0)
    #expect(try changed.convertValue(forKey: "title", at: "best") { _ in .string("x") } == 1)
    #expect(try changed.removeValue(forKey: "title", at: "byName[]") == 1)
    #expect(changed["best"] == habit("x"))
    let isNew = DynamicRecord.Field(key: "isNew", value: .bool(true))
    #expect(changed["habits"] == .array([habit("read", isNew), .null, habit("walk", isNew)]))
    guard case .dictionary(let entries)? = changed["byName"] else {
      Issue.record("there is no dictionary")
      return
    }
    #expect(entries.map(\.value) == [.record(DynamicRecord()), .null])
  }

  @Test func `A key that is used already at a path is an error`() throws {
    var changed = book
    try changed.setDefault(.bool(true), forKey: "name", at: "habits[]")
    let error = #expect(throws: ArchiveError.self) {
      try changed.renameKey("title", to: "name", at: "habits[]")
    }
    #expect(error?.code == .duplicateKey)
  }

  @Test func `Edits of a plan reach records at a path`() throws {
    var writer = ArchiveWriter(reserved: .init(bundleVersion: "10"))
    let content = book
    try writer.writeObject(.init(1), typeName: "Book") { $0.encodeFields(of: content) }
    let plan = try MigrationPlan(
      programVersion: version("11"),
      steps: [
        MigrationStep(
          from: version("10"), to: version("11"),
          edits: [
            .renameKey("title", to: "name", at: "habits[]", ofType: "Book"),
            .removeKey("title", at: "byName[]", ofType: "Book"),
            .setDefault(.bool(true), forKey: "isNew", at: "best", ofType: "Book"),
            .convertKey("title", at: "rows[][]", ofType: "Book") { _ in .string("y") },
            .editRecords(at: "best", ofType: "Book", "best is old") { $0["isOld"] = .bool(true) },
            .removeKey("title", at: "absent", ofType: "Book"),
          ])
      ])
    let migrated = try plan.migrate(Archive(writer.finish(root: .init(1))), listing: 10)
    let bytes = try #require(migrated.bytes)
    let record = try Archive(bytes).object(.init(1)).dynamicRecord()
    var expected = content
    try expected.renameKey("title", to: "name", at: "habits[]")
    try expected.removeValue(forKey: "title", at: "byName[]")
    try expected.updateRecords(at: "best") {
      $0["isNew"] = .bool(true)
      $0["isOld"] = .bool(true)
    }
    try expected.convertValue(forKey: "title", at: "rows[][]") { _ in .string("y") }
    #expect(record.fields == expected.fields)
    #expect("\(migrated.report)".contains("remove key title at absent of Book"))
  }

  @Test func `Edits at a path reach keys in a scope`() throws {
    func record(_ fields: DynamicRecord.Field...) -> DynamicRecord {
      DynamicRecord(fields: [.init(key: "best", value: .record(DynamicRecord(fields: fields)))])
    }
    let content = record(
      .init(scope: ["Base"], key: "a", value: .bool(true)),
      .init(scope: ["Base"], key: "b", value: .bool(true)), .init(key: "a", value: .bool(true)))
    var writer = ArchiveWriter(reserved: .init(bundleVersion: "10"))
    try writer.writeObject(.init(1), typeName: "Book") { $0.encodeFields(of: content) }
    let plan = try MigrationPlan(
      programVersion: version("11"),
      steps: [
        MigrationStep(
          from: version("10"), to: version("11"),
          edits: [
            .removeKey("b", inScope: ["Base"], at: "best", ofType: "Book"),
            .renameKey("a", to: "c", inScope: ["Base"], at: "best", ofType: "Book"),
            .convertKey("c", inScope: ["Base"], at: "best", ofType: "Book") { _ in .bool(false) },
            .setDefault(.null, forKey: "d", inScope: ["Base"], at: "best", ofType: "Book"),
          ])
      ])
    let migrated = try plan.migrate(Archive(writer.finish(root: .init(1))))
    let bytes = try #require(migrated.bytes)
    guard case .record(let best)? = try Archive(bytes).object(.init(1)).dynamicRecord()["best"]
    else {
      Issue.record("there is no record")
      return
    }
    #expect(best["a"] == .bool(true) && best.fields.count == 3)
    #expect(best["c", inScope: ["Base"]] == .bool(false))
    #expect(best["d", inScope: ["Base"]] == .null)
    #expect(
      migrated.report.steps[0].edits.contains("rename key Base.a to c at best of Book"))
  }

  private static let edits:
    [(name: String, edit: @Sendable (inout DynamicRecord, ArchiveKey, RecordPath) throws -> Int)] =
      [
        ("rename", { try $0.renameKey($1, to: "name", at: $2) }),
        ("remove", { try $0.removeValue(forKey: $1, at: $2) }),
        ("default", { try $0.setDefault(.null, forKey: $1, at: $2) }),
        ("convert", { try $0.convertValue(forKey: $1, at: $2) { _ in .null } }),
      ]

  @Test(arguments: edits.indices)
  func `A key or a path in a Unicode form that differs from the stored one is refused`(edit: Int)
    throws
  {
    let decomposed: ArchiveKey = "pre\u{301}nom"
    let composed: ArchiveKey = "pr\u{E9}nom"
    let inner = DynamicRecord(fields: [.init(key: composed, value: .string("Zoe"))])
    let outer = DynamicRecord(fields: [.init(key: composed, value: .array([.record(inner)]))])
    for (key, path, keyPath) in [
      (decomposed, "pr\u{E9}nom[]", [composed.name, decomposed.name]),
      (composed, "pre\u{301}nom[]", [decomposed.name]),
    ] as [(ArchiveKey, RecordPath, [String])] {
      var changed = outer
      let error = #expect(throws: ArchiveError.self) {
        _ = try Self.edits[edit].edit(&changed, key, path)
      }
      #expect(error?.code == .absentKey && changed == outer, "\(Self.edits[edit].name)")
      #expect(error?.keyPath.filter { !$0.hasPrefix("[") } == keyPath)
      #expect(
        error?.message == #"there is no value under "pre\u{301}nom", but one under "pr\u{E9}nom", "#
          + "the same name in another Unicode form")
    }
    var changed = outer
    #expect(try Self.edits[edit].edit(&changed, "absent", "pr\u{E9}nom[]") == (edit == 2 ? 1 : 0))
    var stored = outer
    #expect(try Self.edits[edit].edit(&stored, composed, "pr\u{E9}nom[]") == (edit == 2 ? 0 : 1))
    // A record in which the renaming was made has the new key.
    #expect(try changed.renameKey(decomposed, to: composed, at: "pr\u{E9}nom[]") == 0)
  }
}

import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// Migrations write records by plans; `Records that pass from one archive to another` tests plans that change nothing.
@Suite struct `A plan for the records of a shape` {
  /// Writes the one object of an archive again.
  private func write(
    _ archive: Archive, by plan: RecordCopyPlan, computed: [ComputedValue] = [],
    limits: ArchiveLimits = .init()
  ) throws -> [UInt8] {
    var copier = RecordCopier(barring: [])
    let object = try archive.object(first)
    return try archiveBytes(limits: limits) {
      try $0.encode(plan, of: object, computed: computed, &copier)
    }
  }

  private func plan(_ fields: [RecordCopyPlan.Field], droppedSlots: [Int] = []) -> RecordCopyPlan {
    RecordCopyPlan(typeName: "Test", schemaVersion: 0, fields, droppedSlots: droppedSlots)
  }

  /// The number of the slot of a key.
  private func slot(_ name: String, in archive: Archive) throws -> Int {
    let object = try archive.object(first)
    return try #require((0..<object.slotCount).first { object.name(ofSlot: $0) == name })
  }

  @Test func `A plan takes each value from its source`() throws {
    let source = try archive { coder in
      coder.encode(7, forKey: "number")
      coder.encode("text", forKey: "text")
      coder.encode([1, 2], forKey: "list")
    }
    let (number, text, list) = (
      try slot("number", in: source), try slot("text", in: source), try slot("list", in: source)
    )
    let stored = try source.object(first).decode(DynamicValue.self, forKey: "list")
    let inner = RecordCopyPlan(
      typeName: "Inner", schemaVersion: 2,
      [
        .init(scope: ["S"], key: "text", source: .slot(text)),
        .init(scope: [], key: "list", source: .slot(list)),
        .init(scope: [], key: "sum", source: .computed(0)),
      ])
    let copied = try write(
      source,
      by: plan([
        .init(scope: [], key: "flag", source: .constant(.bool(true))),
        .init(scope: ["S", "T"], key: "list", source: .slot(list)),
        .init(scope: [], key: "inner", source: .record(inner)),
        .init(scope: [], key: "plain", source: .slot(number)),
        .init(scope: [], key: "optional", source: .slot(number), isNullable: true),
        .init(scope: [], key: "omitted", source: .slot(number), isNullable: true, omitsNil: true),
        .init(scope: ["S"], key: "none", source: .computed(1)),
        .init(scope: [], key: "last", source: .computed(0)),
      ]), computed: [.init(.string("sum")), .init(.null, optionalTag: .string)])
    let expected = try archiveBytes { coder in
      coder.encode(true, forKey: "flag")
      coder.withScope("S") { coder in
        coder.withScope("T") { $0.encode([1, 2], forKey: "list") }
      }
      coder.encode(
        DynamicValue.record(
          DynamicRecord(
            typeName: "Inner", schemaVersion: 2,
            fields: [
              .init(scope: ["S"], key: "text", value: .string("text")),
              .init(key: "list", value: stored),
              .init(key: "sum", value: .string("sum")),
            ])), forKey: "inner")
      coder.encode(7, forKey: "plain")
      coder.encode(7 as Int?, forKey: "optional")
      coder.encodeIfPresent(7 as Int?, forKey: "omitted")
      coder.withScope("S") { $0.encode(nil as String?, forKey: "none") }
      coder.encode("sum", forKey: "last")
    }
    try requireSameValues(copied, expected)
    #expect(copied == expected)
  }

  /// Shows which values differ, which bytes would not.
  private func requireSameValues(_ bytes: [UInt8], _ expected: [UInt8]) throws {
    let (record, other) = (
      try Archive(bytes).object(first).dynamicRecord(),
      try Archive(expected).object(first).dynamicRecord()
    )
    #expect(record.differences(from: other).isEmpty)
    #expect(record.fields.map(\.optionalTag) == other.fields.map(\.optionalTag))
    #expect(record.fields.map(\.omitsNil) == other.fields.map(\.omitsNil))
  }

  @Test(arguments: 0...5)
  func `A new nested record may be as deep as a writer allows`(depth: Int) throws {
    var limits = ArchiveLimits()
    limits.nestingDepth = depth
    let source = try archive { $0.encode(7, forKey: "v") }
    let innermost = RecordCopyPlan(
      typeName: "", schemaVersion: 0, [.init(scope: [], key: "x", source: .slot(0))])
    let inner = RecordCopyPlan(
      typeName: "", schemaVersion: 0, [.init(scope: [], key: "r", source: .record(innermost))])
    let copied = archiveError {
      _ = try write(
        source, by: plan([.init(scope: [], key: "r", source: .record(inner))]), limits: limits)
    }
    let value = DynamicValue.record(
      DynamicRecord(fields: [
        .init(
          key: "r",
          value: .record(
            DynamicRecord(fields: [.init(key: "x", value: .signed(7, bitWidth: 32))])))
      ]))
    let written = archiveError {
      _ = try archiveBytes(limits: limits) { $0.encode(value, forKey: "r") }
    }
    #expect(copied?.code == written?.code && copied?.keyPath == written?.keyPath)
    #expect((written == nil) == (depth >= 3), "\(depth)")
  }

  @Test(arguments: `Reading without types`.damaged.indices)
  func `Damage is found in values that are copied, and in those that are not`(
    number: Int
  ) throws {
    let (value, path) = `Reading without types`.damaged[number]
    let archive = try `Reading without types`.damagedArchive(value)
    let slot = try slot("a", in: archive)
    for plan in [
      plan([.init(scope: ["Other"], key: "another", source: .slot(slot))]),
      plan([], droppedSlots: [slot]),
      plan([
        .init(
          scope: [], key: "r",
          source: .record(plan([.init(scope: [], key: "another", source: .slot(slot))])))
      ]),
    ] {
      let error = archiveError { _ = try write(archive, by: plan) }
      #expect(error?.code == .invalidUTF8 && error?.keyPath == path)
    }
  }

  @Test func `Records are barred by their name and their version`() throws {
    let record = DynamicRecord(
      typeName: "Inner", schemaVersion: 2, fields: [.init(key: "x", value: .bool(true))])
    let source = try archive { coder in
      coder.encode(DynamicValue.record(record), forKey: "one")
      coder.encode(DynamicValue.record(record), forKey: "two")
    }
    let object = try source.object(first)
    for (barred, isBarred) in [
      (RecordCopier.BarredType(name: "Inner", schemaVersion: 2), true),
      (.init(name: "Inner"), true),
      (.init(name: "Inner", schemaVersion: 3), false), (.init(name: "Inne"), false),
      (.init(name: "Inner2", schemaVersion: 2), false),
    ] {
      var copier = RecordCopier(barring: [barred])
      for plan in [
        plan([.init(scope: [], key: "one", source: .slot(0))]), plan([], droppedSlots: [1]),
        plan([.init(scope: [], key: "two", source: .slot(1))]),
      ] {
        copier.hasMetBarred = false
        let error = archiveError {
          _ = try archiveBytes { try $0.encode(plan, of: object, computed: [], &copier) }
        }
        #expect(error?.code == (isBarred ? .invalidValue : nil))
        #expect(copier.hasMetBarred == isBarred)
      }
    }
  }

  @Test func `A barred record is found in every value that is dropped`() throws {
    let record = DynamicRecord(typeName: "Inner")
    for value in [
      .record(record), .enumeration("on", record), .array([.null, .record(record)]),
      .dictionary([.init(key: .bool(true), value: .record(record))]),
      .record(DynamicRecord(fields: [.init(key: "x", value: .record(record))])),
    ] as [DynamicValue] {
      let object = try archive { $0.encode(value, forKey: "v") }.object(first)
      var copier = RecordCopier(barring: [.init(name: "Inner")])
      let error = archiveError {
        _ = try archiveBytes {
          try $0.encode(plan([], droppedSlots: [0]), of: object, computed: [], &copier)
        }
      }
      #expect(error?.code == .invalidValue && copier.hasMetBarred)
    }
  }
}

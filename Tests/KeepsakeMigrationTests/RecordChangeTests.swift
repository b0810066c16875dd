import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeMigration
import Testing

/// The kind of change that an edit made to a record, for later edits.
@Suite struct `The change of a record` {
  private let inner = DynamicValue.record(
    .init(typeName: "I", fields: [.init(key: "x", value: .null)]))

  private func record(
    _ fields: [(ArchiveKey, DynamicValue)], type: String = "T", version: UInt32 = 1
  ) -> DynamicRecord {
    DynamicRecord(
      typeName: type, schemaVersion: version,
      fields: fields.map { .init(key: $0.0, value: $0.1) })
  }

  private var fields: [(ArchiveKey, DynamicValue)] {
    [("a", .bool(true)), ("b", inner), ("c", .string("a text of more than fifteen bytes"))]
  }

  @Test func `An equal record has no change, even in other memory`() {
    let before = record(fields)
    #expect(before.effect(since: before) == .match)
    #expect(record(fields).effect(since: before) == .match)
    #expect(record([]).effect(since: record([])) == .match)
  }

  @Test func `A change of type, version or simple values is a change of values`() {
    let before = record(fields)
    #expect(record(fields, type: "U").effect(since: before) == .change)
    #expect(record(fields, version: 2).effect(since: before) == .change)
    var same = before
    same.typeName = "U"
    #expect(same.effect(since: before) == .change, "both records share their fields")
    for index in [0, 2] {
      var changed = fields
      changed[index].1 = .null
      #expect(record(changed).effect(since: before) == .change)
    }
    #expect(record(Array(fields.dropLast())).effect(since: before) == .change)
    #expect(record(fields + [("d", .null)]).effect(since: before) == .change)
  }

  @Test func `A change that may bring another nested record is a change of containers`() {
    let before = record(fields)
    var changed = fields
    changed[1].1 = .record(.init(typeName: "I", fields: [.init(key: "x", value: .bool(true))]))
    #expect(record(changed).effect(since: before) == .nesting)
    changed = fields
    changed[0].1 = .array([.null])
    #expect(record(changed).effect(since: before) == .nesting)
    // The nested record has another index, so it may be another one.
    #expect(record(Array(fields.dropFirst())).effect(since: before) == .nesting)
    #expect(record(fields + [("d", inner)]).effect(since: before) == .nesting)
    changed = fields
    changed[1].0 = "renamed"
    #expect(record(changed).effect(since: before) == .nesting)
  }
}

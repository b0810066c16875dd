import KeepsakeArchive
import KeepsakeDocuments
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
    #expect(before.change(since: before) == .none)
    #expect(record(fields).change(since: before) == .none)
    #expect(record([]).change(since: record([])) == .none)
  }

  @Test func `A change of type, version or simple values is a change of values`() {
    let before = record(fields)
    #expect(record(fields, type: "U").change(since: before) == .values)
    #expect(record(fields, version: 2).change(since: before) == .values)
    var same = before
    same.typeName = "U"
    #expect(same.change(since: before) == .values, "the fields are the same memory")
    for index in [0, 2] {
      var changed = fields
      changed[index].1 = .null
      #expect(record(changed).change(since: before) == .values)
    }
    #expect(record(Array(fields.dropLast())).change(since: before) == .values)
    #expect(record(fields + [("d", .null)]).change(since: before) == .values)
  }

  @Test func `A change that may bring another nested record is a change of containers`() {
    let before = record(fields)
    var changed = fields
    changed[1].1 = .record(.init(typeName: "I", fields: [.init(key: "x", value: .bool(true))]))
    #expect(record(changed).change(since: before) == .containers)
    changed = fields
    changed[0].1 = .array([.null])
    #expect(record(changed).change(since: before) == .containers)
    // The nested record has another index, so it may be another one.
    #expect(record(Array(fields.dropFirst())).change(since: before) == .containers)
    #expect(record(fields + [("d", inner)]).change(since: before) == .containers)
    changed = fields
    changed[1].0 = "renamed"
    #expect(record(changed).change(since: before) == .containers)
  }
}

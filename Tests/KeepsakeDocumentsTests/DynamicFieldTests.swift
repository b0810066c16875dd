import KeepsakeArchive
import KeepsakeDocuments
import Testing

@Suite struct `The parts of a record without its type` {
  private typealias Field = DynamicRecord.Field

  @Test func `A field keeps its key when its scopes change, and its scopes when its key changes`() {
    for key in ["k", ArchiveKey.template] {
      var field = Field(key: key, value: .bool(true))
      #expect(field.scope == [])
      field.scope = ["Base", "Inner"]
      #expect(field.key == key)
      field.key = .bundleVersion
      #expect(field.scope == ["Base", "Inner"])
      #expect(field.key == .bundleVersion)
      field.key = "bundleVersion"
      #expect(!field.key.isReserved)
      field.scope = []
      #expect(field == Field(key: "bundleVersion", value: .bool(true)))
    }
  }

  @Test func `Fields with another scope or another kind of key are not equal`() {
    let field = Field(key: "template", value: .null)
    #expect(field != Field(scope: ["Base"], key: "template", value: .null))
    #expect(field != Field(key: .template, value: .null))
    #expect(Set([field, field, Field(scope: ["a"], key: "template", value: .null)]).count == 2)
  }

  @Test func `The name and the version of a type can be changed separately`() {
    var record = DynamicRecord()
    #expect(record.typeName == "" && record.schemaVersion == 0)
    record.schemaVersion = 3
    #expect(record.typeName == "" && record.schemaVersion == 3)
    record.typeName = "T"
    #expect(record == DynamicRecord(typeName: "T", schemaVersion: 3))
    record.schemaVersion = 0
    record.typeName = ""
    #expect(record == DynamicRecord())
  }

  @Test func `Copies of a record that was read do not change with it`() throws {
    let archive = try Archive(Sample.bytes())
    var contact = try archive.object(second).dynamicRecord()
    let copy = contact
    contact.typeName = "Other"
    contact.fields[0].value = .null
    #expect(try archive.object(ArchiveObjectID(3)).dynamicRecord().typeName == copy.typeName)
    #expect(try archive.object(second).dynamicRecord() == copy)
    #expect(contact != copy)
  }

  @Test func `Names of types are compared by their bytes`() {
    let composed = DynamicRecord(typeName: "caf\u{E9}")
    let decomposed = DynamicRecord(typeName: "cafe\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
  }

  @Test func `Fields are ordered by their scopes, the kind of their key and its name`() {
    let ordered = [
      Field(key: "a", value: .null), Field(key: "z", value: .null),
      Field(key: .bundleVersion, value: .null), Field(key: .template, value: .null),
      Field(scope: ["A"], key: "b", value: .null),
      Field(scope: ["A", "B"], key: "a", value: .null),
      Field(scope: ["B"], key: "a", value: .null),
    ]
    for (position, field) in ordered.enumerated() {
      for (otherPosition, other) in ordered.enumerated() {
        #expect(field.precedes(other) == (position < otherPosition))
      }
    }
  }

  @Test func `The description of a container shows 20 values and counts the others`() {
    func numbers(_ count: Int) -> DynamicValue {
      .array((0..<count).map { .signed(Int64($0), bitWidth: 8) })
    }
    let first = (0..<20).map { "\($0)" }.joined(separator: ", ")
    #expect(numbers(20).description == "[\(first)]")
    #expect(numbers(21).description == "[\(first), … 1 more]")
  }
}

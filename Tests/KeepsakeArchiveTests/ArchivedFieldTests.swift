import KeepsakeArchive
import Testing

@Suite struct `The parts of a record without its type` {
  private typealias Field = ArchivedRecord.Field

  @Test func `A field keeps its key when its scopes change, and its scopes when its key does`() {
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

  @Test func `Fields of another scope or another kind of key are other fields`() {
    let field = Field(key: "template", value: .null)
    #expect(field != Field(scope: ["Base"], key: "template", value: .null))
    #expect(field != Field(key: .template, value: .null))
    #expect(Set([field, field, Field(scope: ["a"], key: "template", value: .null)]).count == 2)
  }

  @Test func `The name and the version of a type change one by one`() {
    var record = ArchivedRecord()
    #expect(record.typeName == "" && record.schemaVersion == 0)
    record.schemaVersion = 3
    #expect(record.typeName == "" && record.schemaVersion == 3)
    record.typeName = "T"
    #expect(record == ArchivedRecord(typeName: "T", schemaVersion: 3))
    record.schemaVersion = 0
    record.typeName = ""
    #expect(record == ArchivedRecord())
  }

  @Test func `Copies of a record that was read do not change with it`() throws {
    let bytes = try archiveBytes(of: [Entry(1, "a"), Entry(2, "b")])
    let archive = try Archive(bytes)
    var first = try archive.object(first).dynamicRecord()
    let copy = first
    first.typeName = "Other"
    first.fields[0].value = .null
    #expect(try archive.object(second).dynamicRecord().typeName == copy.typeName)
    #expect(try archive.object(ArchiveObjectID(1)).dynamicRecord() == copy)
    #expect(first != copy)
  }

  @Test func `Names of types are compared by their bytes`() {
    let composed = ArchivedRecord(typeName: "caf\u{E9}")
    let decomposed = ArchivedRecord(typeName: "cafe\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
  }
}

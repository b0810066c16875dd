import KeepsakeArchive
import KeepsakeDocuments
import Testing

/// An edit of a record changes its own value in the bytes, and no other.
@Suite struct `Edits of a record` {
  private func bytes(_ record: DynamicRecord) throws -> [UInt8] {
    try archiveBytes { $0.encodeFields(of: record) }
  }

  @Test func `A new field with an optional tag is stored as an optional value`() throws {
    let field = DynamicRecord.Field(
      key: "n", value: .signed(7, bitWidth: 32), optionalTag: .int32)
    #expect(
      try bytes(DynamicRecord(fields: [field]))
        == archiveBytes { $0.encode(7 as Int?, forKey: "n") })
    let none = DynamicRecord.Field(key: "n", value: .null, optionalTag: .int32)
    #expect(
      try bytes(DynamicRecord(fields: [none]))
        == archiveBytes { $0.encode(nil as Int?, forKey: "n") })
  }

  @Test func `Reserved fields are left out where the fields of a record are written`() throws {
    let record = DynamicRecord(fields: [
      .init(key: "a", value: .string("1")), .init(key: .template, value: .string("Cell")),
      .init(key: "b", value: .string("2")), .init(key: .bundleVersion, value: .string("3")),
      .init(key: "c", value: .string("4")),
    ])
    let expected = try archiveBytes { coder in
      for (key, value) in [("a", "1"), ("b", "2"), ("c", "4")] as [(ArchiveKey, String)] {
        coder.encode(value, forKey: key)
      }
    }
    #expect(try bytes(record) == expected)
  }

  @Test func `A nil that is set takes the place of a value that would be left out`() throws {
    let archive = try archive { $0.encodeIfPresent(7 as Int?, forKey: "n") }
    var record = try archive.object(first).dynamicRecord()
    #expect(record.fields.map(\.omitsNil) == [true])
    record["n"] = .signed(8, bitWidth: 32)
    #expect(try bytes(record) == archiveBytes { $0.encodeIfPresent(8 as Int?, forKey: "n") })
    record["n"] = .null
    #expect(try bytes(record) == archiveBytes { $0.encode(nil as Int?, forKey: "n") })
  }

  @Test func `A value takes the place of an absent one, and its own place in the order`() throws {
    func archive(_ middle: Int?) throws -> [UInt8] {
      try archiveBytes { coder in
        coder.encode("x", forKey: "a")
        coder.encodeIfPresent(middle, forKey: "n")
        coder.encode("y", forKey: "z")
        coder.encodeIfPresent(nil as String?, forKey: "last")
      }
    }
    let bytes = try archive(nil)
    var record = try Archive(bytes).object(first).dynamicRecord()
    #expect(record.absentSlots.map(\.key) == ["n", "last"])
    #expect(record.absentSlots.map(\.index) == [1, 2])
    #expect(try self.bytes(record) == bytes)
    record["n"] = .signed(7, bitWidth: 32)
    let again = try Archive(self.bytes(record)).object(first)
    #expect(try again.decode(Int.self, forKey: "n") == 7)
    #expect(again.contains("last") == false && again.slotCount == 4)
    // The type keeps its absent slots when it gets another name or version.
    record["n"] = nil
    record.typeName = "U"
    record.schemaVersion = 3
    #expect(record.absentSlots.map(\.key) == ["n", "last"])
    #expect(try self.bytes(record) == bytes)
  }

  @Test func `Values under one key in other scopes are other values`() throws {
    var record = DynamicRecord(fields: [
      .init(key: "k", value: .bool(true)), .init(scope: ["A"], key: "k", value: .string("A")),
      .init(scope: ["A", "B"], key: "k", value: .string("AB")),
    ])
    #expect(record["k"] == .bool(true) && record["k", inScope: ["A"]] == .string("A"))
    #expect(record["k", inScope: ["A", "B"]] == .string("AB"))
    #expect(record["k", inScope: ["B"]] == nil && record["j"] == nil)
    let taken = record.removeValue(forKey: "k", inScope: ["A"])
    let again = record.removeValue(forKey: "k", inScope: ["A"])
    #expect(taken == .string("A") && again == nil)
    #expect(record.fields.map(\.name) == ["k", "A.B.k"])
    let isAbsentConverted = record.convertValue(forKey: "k", inScope: ["A"]) { _ in .null }
    let isConverted = record.convertValue(forKey: "k", inScope: ["A", "B"]) { _ in .bool(false) }
    #expect(!isAbsentConverted && isConverted)
    #expect(record["k", inScope: ["A", "B"]] == .bool(false))
    let isSet = record.setDefault(.null, forKey: "k", inScope: ["A"])
    let isSetAgain = record.setDefault(.bool(true), forKey: "k", inScope: ["A"])
    #expect(isSet && !isSetAgain && record["k", inScope: ["A"]] == .null)
    let renamed = try record.renameKey("k", to: "j", inScope: ["A", "B"])
    #expect(renamed && record.fields.map(\.name) == ["k", "A.B.j", "A.k"])
  }
}

import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

@Suite struct `Records without their types` {
  @Test func `Differences of two records name the type, the version and the keys`() throws {
    var new = DynamicRecord(
      typeName: "A", schemaVersion: 1,
      fields: [
        .init(key: "a", value: .bool(true)), .init(key: "b", value: .string("x")),
        .init(scope: ["S"], key: "a", value: .null),
      ])
    let old = new
    #expect(new.differences(from: old).isEmpty)
    new.typeName = "B"
    new.schemaVersion = 2
    try new.renameKey("b", to: "z")
    new["a"] = .bool(false)
    #expect(
      new.differences(from: old).map(\.description) == [
        "~ <type>: \"A\" -> \"B\"", "~ <schema version>: 1 -> 2", "~ a: true -> false",
        "- b: \"x\"", "+ z: \"x\"",
      ])
    #expect(
      old.differences(from: new).map(\.description).suffix(3) == [
        "~ a: false -> true", "+ b: \"x\"", "- z: \"x\"",
      ])
    #expect(DynamicRecord().differences(from: DynamicRecord(fields: old.fields)).count == 3)
  }

  @Test func `Differences of several scopes are listed in the order of their names`() {
    let scopes = [["B"], ["A", "C"], ["A"], ["A", "B"], []]
    let old = DynamicRecord()
    let new = DynamicRecord(
      fields: scopes.map { .init(scope: $0, key: "k", value: .bool(true)) })
    let names = ["k", "A.k", "A.B.k", "A.C.k", "B.k"]
    #expect(new.differences(from: old).map(\.description) == names.map { "+ \($0): true" })
    let reversed = DynamicRecord(fields: new.fields.reversed())
    #expect(reversed.differences(from: new).isEmpty)
  }

  @Test func `An edit that cannot be made loses no value of a record`() throws {
    var record = DynamicRecord(fields: [
      .init(key: "a", value: .bool(true)), .init(key: "b", value: .string("x")),
      .init(scope: ["S"], key: "a", value: .null),
    ])
    let before = record
    let taken = archiveError { try record.renameKey("a", to: "b") }
    #expect(taken?.code == .duplicateKey && taken?.keyPath == ["b"])
    let moved = archiveError {
      try record.renameKey("a", to: "a", inScope: ["S"], toScope: [])
    }
    #expect(moved?.code == .duplicateKey)
    let absent = try record.renameKey("absent", to: "b")
    let same = try record.renameKey("a", to: "a")
    let added = record.setDefault(.bool(false), forKey: "a", inScope: ["S"])
    #expect(!absent && same && !added)
    #expect(record == before)
    record["a", inScope: ["S"]] = nil
    #expect(record.fields.count == 2)
  }

  @Test func `An optional field keeps its declared kind, or takes that of its new value`() throws {
    let archive = try archive { coder in
      coder.encode(Int?.none, forKey: "none")
      coder.encode(Int?.some(1), forKey: "some")
    }
    var record = try archive.object(first).dynamicRecord()
    #expect(record.fields.map(\.optionalTag) == [.int32, .int32])
    record["some"] = .string("one")
    #expect(record.fields.map(\.optionalTag) == [.int32, .string])
    record["some"] = .null
    #expect(record.fields[1].optionalTag == .string)
  }

  // Holds.
  @Test func `Records keep values of unknown kinds byte for byte`() throws {
    // Kind 20 in each width class, kinds of the future in arrays, and an integer of 128 bits.
    var values: [DynamicValue] = [1, 2, 3, 4, 5].enumerated().map { index, width in
      .unknown(
        ArchiveTag(rawValue: 20 << 3 | UInt8(width)),
        bytes: [UInt8](repeating: 7, count: 1 << index))
    }
    values.append(.unknown(ArchiveTag(rawValue: 20 << 3 | 6), bytes: [UInt8](0..<100)))
    values.append(.unknown(ArchiveTag(rawValue: 31 << 3 | 6), bytes: [1, 2]))
    values.append(.array([values[4], .null, values[4]]))
    values.append(.array([values[0], values[4], values[5]]))
    var document = ArchiveDocument()
    let fields = values.enumerated().map { index, value in
      DynamicRecord.Field(key: ArchiveKey("\(index)"), value: value)
    }
    document.rootID = try document.insert(DynamicRecord(typeName: "T", fields: fields))
    let bytes = try document.encoded()
    let archive = try Archive(bytes)
    try archive.requireCanonical()
    #expect(try archive.object(first).dynamicRecord().fields.map(\.value) == values)
    var edited = try ArchiveDocument(archive)
    try edited.update(first) { $0["another"] = .reference(first) }
    let again = try Archive(edited.encoded()).object(first).dynamicRecord()
    #expect(again.fields.map(\.value) == values + [.reference(first)])
  }

  @Test func `A nil in a scope is written again beside a value of the same key outside of it`()
    throws
  {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "T") { coder in
      coder.encode(1, forKey: "k")
      coder.withScope("S") { $0.encodeIfPresent(nil as Int?, forKey: "k") }
    }
    let bytes = try writer.finish(root: first)
    let record = try Archive(bytes).object(first).dynamicRecord()
    #expect(record.fields.count == 1)
    var again = ArchiveWriter()
    try again.writeObject(first, typeName: "T") { $0.encodeFields(of: record) }
    #expect(try again.finish(root: first) == bytes)
  }

  @Test
  func `A document refuses reserved keys of the archive and empty type names in objects`() throws {
    var document = ArchiveDocument()
    document.rootID = try document.insert(DynamicRecord(typeName: "T"))
    try document.update(first) { $0[.bundleVersion] = .string("1") }
    #expect(archiveError { _ = try document.encoded() }?.code == .reservedKey)
    try document.replaceObject(first, with: DynamicRecord())
    #expect(archiveError { _ = try document.encoded() }?.code == .invalidTypeName)
    try document.replaceObject(
      first, with: .init(typeName: "T", fields: [.init(key: "r", value: .reference(.init(9)))]))
    let error = archiveError { _ = try document.encoded() }
    #expect(error?.code == .noSuchObject && error?.keyPath == ["r"] && error?.objectID == first)
  }

  @Test func `A document refuses two rows that claim the same records`() throws {
    var writer = ArchiveWriter()
    for (index, count) in [300_000, 600_000, 8].enumerated() {
      try writer.writeObject(.init(UInt32(index + 1)), typeName: "T") { coder in
        coder.encode(ArchiveBytes([UInt8](repeating: 1, count: count)), forKey: "blob")
      }
    }
    var bytes = try writer.finish(root: first)
    #expect(try ArchiveDocument(Archive(bytes)).encoded() == bytes)
    // The row of the third segment now claims the second one; the number of its object stays.
    let last = bytes.count - 24 - 20
    for (offset, byteCount) in [(0, 8), (12, 4), (16, 4)] {
      let claimed = number(in: bytes, at: last - 20 + offset, byteCount: byteCount)
      bytes = patched(bytes, at: last + offset, byteCount: byteCount, claimed)
    }
    let document = try ArchiveDocument(Archive(bytes))
    let error = archiveError { _ = try document.encoded() }
    #expect(error?.code == .damaged && error?.objectID == second)
  }

  /// An archive of five objects in segments of their own, of which the first one refers to the third and the fifth.
  ///
  /// The rows of their segments claim the second segment, and a reader that follows the references opens no segment
  /// between them.
  private func overlapping(lastByteCount: Int) throws -> Archive {
    var writer = ArchiveWriter()
    for (index, count) in [100_000, 300_000, 100_000, 100_000, lastByteCount].enumerated() {
      try writer.writeObject(.init(UInt32(index + 1)), typeName: "T") { coder in
        coder.encode(ArchiveBytes([UInt8](repeating: 1, count: count)), forKey: "blob")
        if index == 0 {
          coder.encode([3, 5].map { ArchiveReference(.init($0)) }, forKey: "references")
        }
      }
    }
    var bytes = try writer.finish(root: first)
    let rows = bytes.count - 24 - 5 * 20
    for row in [2, 4] {
      for (offset, byteCount) in [(0, 8), (12, 4), (16, 4)] {
        let claimed = number(in: bytes, at: rows + 20 + offset, byteCount: byteCount)
        bytes = patched(bytes, at: rows + row * 20 + offset, byteCount: byteCount, claimed)
      }
    }
    return try Archive(bytes)
  }

  @Test func `A document reads at most as many bytes as its archive has`() throws {
    let archive = try overlapping(lastByteCount: 100_000)
    let claimed = try [1, 3, 5].reduce(0) { try $0 + archive.object(.init($1)).byteCount }
    let most = 100_000 + claimed - archive.byteCount
    for count in most - 1...most + 1 {
      let document = try ArchiveDocument(overlapping(lastByteCount: count))
      let error = archiveError { _ = try document.encoded(order: .reachable) }
      #expect(error?.code == (count < most ? .damaged : nil))
      #expect(error?.objectID == (count < most ? .init(5) : nil))
    }
  }
}

import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

@Suite struct `An edited document` {
  /// A nested record with a reserved key.
  private static let nested = DynamicValue.record(
    .init(fields: [
      .init(key: .template, value: .string("Cell")), .init(key: "x", value: .bool(true)),
    ]))

  @Test func `A document cannot have reserved keys in nested records`() throws {
    for value in [
      .array([Self.nested]),
      .enumeration("c", .init(fields: [.init(key: .template, value: .string("T"))])),
    ] as [DynamicValue] {
      var document = ArchiveDocument()
      document.rootID = try document.insert(
        DynamicRecord(typeName: "T", fields: [.init(key: "r", value: value)]))
      #expect(archiveError { _ = try document.encoded() }?.code == .reservedKey)
    }
  }

  @Test func `A document writes a new template before the values`() throws {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "T", template: "Cell") { $0.encode(1, forKey: "v") }
    let expected = try writer.finish(root: first)
    var document = try ArchiveDocument(
      Archive(archiveBytes { $0.encode(1, forKey: "v") }))
    try document.update(first) { record in
      record.typeName = "T"
      record[.template] = .string("Cell")
    }
    #expect(try document.encoded() == expected)
    try document.update(first) { record in
      record[.template] = nil
      record["old"] = .string("Cell")
      try record.renameKey("old", to: .template)
    }
    #expect(try document.encoded() == expected)
    try document.update(first) { record in
      record[.template] = nil
      record.setDefault(.string("Cell"), forKey: .template)
    }
    #expect(try document.encoded() == expected)
  }

  @Test func `A document can hold new conditional references`() throws {
    var document = ArchiveDocument()
    let root = try document.insert(DynamicRecord(typeName: "Root"))
    let child = try document.insert(DynamicRecord(typeName: "Child"))
    document.rootID = root
    let back = try document.conditionalReference(to: root)
    let again = try document.conditionalReference(to: root)
    let other = try document.conditionalReference(to: child)
    #expect(back == again && back.number == 1 && other.number == 2)
    try document.update(root) { $0["child"] = .reference(child) }
    try document.update(child) { $0["parent"] = .conditionalReference(back) }
    let archive = try Archive(document.encoded())
    try archive.requireCanonical()
    #expect(try archive.conditionalObjects == [first, second])
    #expect(
      try archive.object(second).decode(ArchiveReference.self, forKey: "parent").objectID == first)
    // The numbers of new conditional references follow those in the archive.
    var edited = try ArchiveDocument(archive)
    let third = try edited.insert(DynamicRecord(typeName: "Child"))
    let known = try edited.conditionalReference(to: second)
    let added = try edited.conditionalReference(to: third)
    #expect(known.number == 2 && added.number == 3)
    try edited.update(first) { $0["focus"] = .conditionalReference(added) }
    #expect(
      try Archive(edited.encoded(order: .reachable)).conditionalObjects == [first, second, nil])
    #expect(try Archive(edited.encoded()).conditionalObjects == [first, second, third])
    let absent = archiveError { _ = try edited.conditionalReference(to: .init(9)) }
    #expect(absent?.code == .noSuchObject)
  }

  /// A record with a name and values nested in it.
  private func record(
    _ type: String, _ name: String, _ values: [DynamicValue] = []
  ) -> DynamicRecord {
    DynamicRecord(
      typeName: type,
      fields: [
        .init(key: "name", value: .string(name)), .init(key: "values", value: .array(values)),
      ])
  }

  @Test func `All records of one type are changed, inner ones before outer ones`() throws {
    func whole(_ outer: String, _ inner: String, _ deep: String, other: String) -> DynamicRecord {
      record(
        "A", outer,
        [
          .record(record("B", other, [.record(record("A", inner))])), .null,
          .dictionary([.init(key: .bool(true), value: .enumeration("c", record("A", deep)))]),
        ])
    }
    func changing(
      _ type: String, _ changed: inout DynamicRecord
    ) throws -> (count: Int, names: [String]) {
      var names: [String] = []
      let count = try changed.updateRecords(ofType: type) { part in
        if case .string(let name)? = part["name"] { names.append(name) }
        part["name"] = .string("new")
      }
      return (count, names)
    }
    var changed = whole("1", "2", "3", other: "4")
    let outer = try changing("A", &changed)
    #expect(outer.count == 3 && outer.names == ["2", "3", "1"])
    #expect(changed == whole("new", "new", "new", other: "4"))
    // The outermost record has another type and stays.
    changed = whole("1", "2", "3", other: "4")
    let inner = try changing("B", &changed)
    #expect(inner.count == 1 && inner.names == ["4"])
    #expect(changed == whole("1", "2", "3", other: "new"))
    let none = try changing("C", &changed)
    #expect(none.count == 0 && none.names == [])
    // Names are compared by their bytes.
    var composed = record("\u{E9}", "1", [.record(record("\u{E9}", "2"))])
    let decomposed = try changing("e\u{301}", &composed)
    #expect(decomposed.count == 0)
    #expect(composed == record("\u{E9}", "1", [.record(record("\u{E9}", "2"))]))
  }

  @Test
  func `A document refuses values that are nested too deep, without overflowing the stack`() throws
  {
    for innermost in [DynamicValue.reference(first), .bool(true)] {
      var value = innermost
      for _ in 0..<10_000 { value = .array([value]) }
      var document = ArchiveDocument()
      document.rootID = try document.insert(
        DynamicRecord(typeName: "T", fields: [.init(key: "deep", value: value)]))
      for order in [ObjectOrder.firstReference, .stored] {
        let error = archiveError { _ = try document.encoded(order: order) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.objectID == first)
      }
    }
  }

  @Test(arguments: [0, 7, 24, 63, 65, 128, -8])
  func `A document refuses an integer of a width that does not exist`(width: Int) throws {
    for value in [
      DynamicValue.signed(5, bitWidth: width), .unsigned(5, bitWidth: width),
      .array([.signed(5, bitWidth: width)]),
    ] {
      let error = archiveError { _ = try archiveBytes { $0.encode(value, forKey: "v") } }
      #expect(error?.code == .invalidValue)
      #expect(error?.message.contains("\(width) bits") == true)
    }
  }

  @Test func `A document stores an integer in its given width, if it fits`() throws {
    for (width, least, most) in [
      (8, Int64(Int8.min), UInt64(UInt8.max)), (16, Int64(Int16.min), UInt64(UInt16.max)),
      (32, Int64(Int32.min), UInt64(UInt32.max)),
    ] {
      for value in [least, -1, 0, -least - 1] {
        #expect(try roundTrip(.signed(value, bitWidth: width)) == .signed(value, bitWidth: width))
      }
      for value in [0, most] {
        #expect(
          try roundTrip(.unsigned(value, bitWidth: width)) == .unsigned(value, bitWidth: width))
      }
      for value in [
        DynamicValue.signed(least - 1, bitWidth: width), .signed(-least, bitWidth: width),
        .unsigned(most + 1, bitWidth: width),
      ] {
        #expect(archiveError { _ = try roundTrip(value) }?.code == .valueOutOfRange)
      }
    }
  }

  private func roundTrip(_ value: DynamicValue) throws -> DynamicValue {
    try Archive(archiveBytes { $0.encode(value, forKey: "v") }).object(first)
      .decode(DynamicValue.self, forKey: "v")
  }

  @Test func `A record is described by its keys and values`() {
    let field = DynamicRecord.Field(scope: ["Base"], key: "title", value: .string("Contacts"))
    let value = DynamicValue.record(DynamicRecord(fields: [field]))
    #expect("\(value)" == "(Base.title: \"Contacts\")")
  }

  @Test func `An edit that fails leaves the object, and its error names the object`() throws {
    var document = try ArchiveDocument(Archive(Sample.bytes()))
    let before = try document.object(second)
    let error = archiveError {
      try document.update(second) { contact in
        contact.typeName = "Other"
        throw ArchiveError(.invalidValue, "not this one")
      }
    }
    #expect(error?.code == .invalidValue && error?.objectID == second)
    #expect(try document.object(second) == before)
    let failing = archiveError {
      _ = try document.encoded { id, _ in
        if id == ArchiveObjectID(3) { throw ArchiveError(.invalidValue, "not this one") }
      }
    }
    #expect(failing?.objectID == ArchiveObjectID(3))
  }

  @Test func `A document lists its objects as they are now`() throws {
    var document = try ArchiveDocument(Archive(Sample.bytes()))
    let (third, fourth) = (ArchiveObjectID(3), ArchiveObjectID(4))
    #expect(try document.objectIDs(ofType: "Contact") == [second, third, fourth])
    try document.update(third) { $0.typeName = "Person" }
    try document.insert(contentsOf: [.init(typeName: "Person"), .init(typeName: "Contact")])
    try document.remove(second, replacingReferencesWith: nil)
    #expect(document.objectIDs.map(\.rawValue) == [1, 3, 4, 5, 6] && document.objectCount == 5)
    #expect(try document.objectIDs(ofType: "Contact").map(\.rawValue) == [4, 6])
    #expect(try document.objectIDs(ofType: "Person").map(\.rawValue) == [3, 5])
    for id in [0, 2, 7].map({ ArchiveObjectID($0) }) {
      #expect(!document.contains(id))
      #expect(archiveError { _ = try document.object(id) }?.code == .noSuchObject)
      #expect(archiveError { _ = try document.typeName(of: id) }?.code == .noSuchObject)
      #expect(archiveError { try document.remove(id) }?.code == .noSuchObject)
      #expect(
        archiveError { try document.remove(fourth, replacingReferencesWith: id) }?.code
          == .noSuchObject)
    }
    #expect(document.contains(first) && document.contains(ArchiveObjectID(6)))
  }

  @Test func `The root moves to the object that takes its place`() throws {
    var document = try ArchiveDocument(Archive(Sample.bytes()))
    let (third, fourth) = (ArchiveObjectID(3), ArchiveObjectID(4))
    try document.remove(fourth, replacingReferencesWith: third)
    #expect(document.rootID == first)
    try document.remove(first, replacingReferencesWith: second)
    #expect(document.rootID == second)
    try document.remove(second, replacingReferencesWith: third)
    #expect(document.rootID == third)
    #expect(try document.resolve(first) == third && document.resolve(fourth) == third)
    try document.remove(third, replacingReferencesWith: nil)
    #expect(document.rootID == nil)
    #expect(try document.resolve(first) == nil)
  }
}

import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeMigration
import TestSupport
import Testing

@Suite struct `A document` {
  @Test func `A document that was not changed is written back byte for byte`() throws {
    let bytes = try Sample.bytes()
    #expect(try ArchiveDocument(Archive(bytes)).encoded() == bytes)
  }

  // Holds.
  @Test func `A document numbers objects by first reference, however they were written`() throws {
    var writer = ArchiveWriter()
    // The root is the last object and refers to the others in reverse.
    try writer.writeObject(.init(1), typeName: "B") { $0.encode("one", forKey: "name") }
    try writer.writeObject(.init(2), typeName: "B") { $0.encode("two", forKey: "name") }
    try writer.writeObject(.init(3), typeName: "A") { coder in
      coder.encode(ArchiveReference(.init(2)), forKey: "a")
      coder.encode(ArchiveReference(.init(1)), forKey: "z")
    }
    let bytes = try writer.finish(root: .init(3))
    let canonical = try ArchiveDocument(Archive(bytes)).encoded()
    let archive = try Archive(canonical)
    try archive.requireCanonical()
    #expect(archive.rootID == first)
    #expect(try archive.object(second).decode(String.self, forKey: "name") == "two")
    #expect(try archive.object(first).decode(ArchiveReference.self, forKey: "z") == .init(.init(3)))
    #expect(try ArchiveDocument(archive).encoded() == canonical)
  }

  @Test func `A document edits objects and leaves the others as they were`() throws {
    let archive = try Archive(Sample.bytes())
    var document = try ArchiveDocument(archive)
    for id in try document.objectIDs(ofType: "Contact") {
      try document.update(id) { contact in
        try contact.renameKey("nm", to: "name")
        try contact.renameKey("note", to: "note", inScope: ["Base"], toScope: [])
        contact.convertValue(forKey: "age") { _ in .string("old") }
        contact.setDefault(.bool(true), forKey: "isNew")
        contact.removeValue(forKey: "phone")
        contact[.template] = .string("row")
      }
    }
    let edited = try Archive(document.encoded())
    try edited.requireCanonical()
    #expect(edited.objectCount == archive.objectCount)
    let contact = try edited.object(second)
    #expect(contact.keys == ["age", "friend", "isNew", "name", "note"])
    #expect(try contact.decode(String.self, forKey: "name") == "Ada")
    #expect(try contact.decode(String.self, forKey: "note") == "a note that is longer than a slot")
    #expect(try contact.decode(String.self, forKey: "age") == "old")
    #expect(try contact.decode(String.self, forKey: .template) == "row")
    #expect(try edited.object(first).dynamicRecord() == archive.object(first).dynamicRecord())
    #expect(edited.reserved == archive.reserved)
  }

  @Test func `A document keeps cycles, sharing and nil references`() throws {
    let archive = try Archive(Sample.bytes())
    var document = try ArchiveDocument(archive)
    let inserted = try document.insert(
      DynamicRecord(typeName: "Marker", fields: [.init(key: "at", value: .reference(second))]))
    try document.update(first) { root in root["a marker"] = .reference(inserted) }
    let edited = try Archive(document.encoded())
    try edited.requireCanonical()
    let root = try edited.object(first).dynamicRecord()
    #expect(root["contacts"] == .array([.reference(second), .reference(.init(3)), .null]))
    #expect(root["selected"] == .reference(.init(3)))
    #expect(root["a marker"] == .reference(.init(4)))
    #expect(try edited.object(second).dynamicRecord()["friend"] == .reference(.init(3)))
    #expect(try edited.object(.init(3)).dynamicRecord()["friend"] == .reference(second))
    #expect(try edited.object(.init(4)).dynamicRecord()["at"] == .reference(second))
    #expect(try edited.object(.init(5)).dynamicRecord()["friend"] == .reference(nil))
  }

  @Test
  func `A document redirects references to a removed object, or makes them nil`() throws {
    var document = try ArchiveDocument(Archive(Sample.bytes()))
    let (ada, grace) = (second, ArchiveObjectID(3))
    try document.remove(grace, replacingReferencesWith: ada)
    #expect(try document.resolve(grace) == ada)
    #expect(!document.contains(grace) && document.objectCount == 3)
    let merged = try Archive(document.encoded()).object(first).dynamicRecord()
    #expect(merged["contacts"] == .array([.reference(second), .reference(second), .null]))
    try document.remove(ada, replacingReferencesWith: nil)
    let emptied = try Archive(document.encoded())
    #expect(
      try emptied.object(first).dynamicRecord()["contacts"]
        == .array([.reference(nil), .reference(nil), .null]))
    #expect(emptied.objectCount == 2)
  }

  @Test
  func `A document refuses a reference to a removed object, and names the reference`() throws {
    var document = try ArchiveDocument(Archive(Sample.bytes()))
    try document.remove(.init(3))
    let error = archiveError { _ = try document.encoded() }
    #expect(error?.code == .noSuchObject && error?.objectID == first)
    #expect(error?.keyPath == ["contacts", "[1]"])
    #expect(archiveError { try document.remove(.init(3)) }?.code == .noSuchObject)
    #expect(archiveError { try document.remove(first, replacingReferencesWith: first) } != nil)
    try document.remove(first)
    #expect(archiveError { _ = try document.encoded() }?.code == .noSuchObject)
    #expect(archiveError { _ = try ArchiveDocument().encoded() }?.code == .noSuchObject)
  }

  @Test
  func `A document keeps objects without references to them, unless told to drop them`() throws {
    let document = try ArchiveDocument(Archive(Sample.bytes()))
    let kept = try Archive(document.encoded())
    let dropped = try Archive(document.encoded(order: .reachable))
    #expect(kept.objectCount == 4 && dropped.objectCount == 3)
    #expect(try kept.object(.init(4)).typeName == "Contact")
    try dropped.requireCanonical()
  }

  // Holds.
  @Test func `A document keeps the order of the archive on request`() throws {
    var writer = ArchiveWriter()
    try writer.writeObject(.init(1), typeName: "B") { $0.encode("one", forKey: "name") }
    try writer.writeObject(.init(2), typeName: "A") { coder in
      coder.encode(ArchiveReference(.init(1)), forKey: "a")
      coder.encode(ArchiveReference(.init(3)), forKey: "b")
    }
    try writer.writeObject(.init(3), typeName: "C") { $0.encode("three", forKey: "name") }
    let bytes = try writer.finish(root: second)
    var document = try ArchiveDocument(Archive(bytes))
    #expect(try document.encoded(order: .stored) == bytes)
    #expect(try document.encoded() != bytes)
    let inner = try document.insert(DynamicRecord(typeName: "Inner"))
    let outer = try document.insert(
      DynamicRecord(typeName: "Outer", fields: [.init(key: "inner", value: .reference(inner))]))
    _ = try document.insert(DynamicRecord(typeName: "Last"))
    let heir = try document.insert(DynamicRecord(typeName: "Heir"))
    try document.update(second) { $0["new"] = .reference(outer) }
    try document.remove(first, replacingReferencesWith: heir)
    let edited = try Archive(document.encoded(order: .stored))
    try edited.requireCanonical()
    let names = try (1...6).map { try edited.object(.init($0)).typeName }
    #expect(names == ["A", "Heir", "Outer", "Inner", "C", "Last"])
    #expect(edited.rootID == first)
    let root = try edited.object(first).dynamicRecord()
    #expect(root["a"] == .reference(second) && root["b"] == .reference(.init(5)))
  }

  @Test func `A document can be made without an archive`() throws {
    var document = ArchiveDocument(reserved: ReservedValues(bundleVersion: "1"))
    let child = try document.insert(DynamicRecord(typeName: "Child"))
    document.rootID = try document.insert(
      DynamicRecord(typeName: "Root", fields: [.init(key: "child", value: .reference(child))]))
    let archive = try Archive(document.encoded())
    try archive.requireCanonical()
    #expect(try archive.object(first).typeName == "Root")
    #expect(try document.referenceCounts() == [child: 1])
    #expect(archive.reserved.bundleVersion == "1")
  }

  @Test func `A document passes each object to a closure once`() throws {
    let document = try ArchiveDocument(Archive(Sample.bytes()))
    var seen: [ArchiveObjectID] = []
    let bytes = try document.encoded { id, record in
      seen.append(id)
      if record.typeName == "Contact" { record.schemaVersion += 1 }
    }
    #expect(seen == document.objectIDs)
    #expect(try Archive(bytes).object(second).schemaVersion == 3)
  }
}

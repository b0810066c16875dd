import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

@Suite struct `Conditional references` {
  private func archive(
    _ references: [UInt32], objects: [ArchiveObjectID?]
  ) throws -> Archive {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "T") { coder in
      for (index, number) in references.enumerated() {
        coder.encode(ArchiveConditionalReference(number), forKey: ArchiveKey("\(index)"))
      }
      coder.encode(references.map { ArchiveConditionalReference($0) }, forKey: "all")
    }
    try writer.writeObject(second, typeName: "T") { _ in }
    writer.conditionalObjects = objects
    let archive = try Archive(writer.finish(root: first))
    try archive.requireCanonical()
    return archive
  }

  @Test func `A conditional reference leads to the object in the list, or is nil`() throws {
    let archive = try archive([1, 2, 3, 0, 1], objects: [second, nil, first])
    #expect(try archive.conditionalObjects == [second, nil, first])
    let object = try archive.object(first)
    let ids = try (0..<5).map { index in
      try object.decode(ArchiveReference.self, forKey: ArchiveKey("\(index)")).objectID
    }
    #expect(ids == [second, nil, first, nil, second])
    let all = try object.decode([ArchiveReference].self, forKey: "all")
    #expect(all.map(\.objectID) == ids)
    let numbers = try object.decode([ArchiveConditionalReference].self, forKey: "all")
    #expect(numbers.map(\.number) == [1, 2, 3, 0, 1])
  }

  @Test
  func `A conditional reference needs an entry in the list, and an entry needs a written object`() {
    for (references, objects) in [
      ([1], []), ([3], [first, second]), ([1], [ArchiveObjectID(3)]), ([0], [ArchiveObjectID(0)]),
    ] as [([UInt32], [ArchiveObjectID?])] {
      let error = archiveError { _ = try archive(references, objects: objects) }
      #expect(error?.code == .unwrittenReference)
    }
  }

  @Test func `An impossible list or number is refused when it is read`() throws {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "T") { coder in
      coder.encode(ArchiveConditionalReference(1), forKey: "v")
    }
    writer.conditionalObjects = [first]
    let bytes = try writer.finish(root: first)
    let map = ArchiveMap(bytes)
    for changed in [
      patched(bytes, at: map.conditionals, byteCount: 4, 2),
      patched(bytes, at: map.conditionals, byteCount: 4, UInt64(UInt32.max)),
      patched(bytes, at: map.slot("v"), byteCount: 4, 2),
      patched(bytes, at: map.slot("v"), byteCount: 4, UInt64(UInt32.max)),
    ] {
      let archive = try Archive(changed)
      let object = try archive.object(first)
      let error = archiveError { _ = try object.decode(ArchiveReference.self, forKey: "v") }
      #expect(error?.code == .damaged)
      #expect(archiveError { try archive.requireCanonical() }?.code == .damaged)
      #expect(archiveError { _ = try walk(archive) }?.code == .damaged)
    }
  }

  @Test func `Objects that only conditional references lead to are not stored`() throws {
    let root = Owned(1)
    let dropped = Owned(2)
    root.child = Owned(3)
    root.child?.owner = root
    root.owner = dropped
    let bytes = try withExtendedLifetime(dropped) { try Archive.encode(root) }
    let archive = try Archive(bytes)
    try archive.requireCanonical()
    #expect(archive.objectCount == 2)
    // The numbers are those of first use: the owner of the root, then that of its child.
    #expect(try archive.conditionalObjects == [nil, first])
    var registry = TypeRegistry()
    try registry.register(Owned.self)
    let result = try archive.decodeRoot(Owned.self, registry: registry)
    #expect(result.owner == nil)
    #expect(result.child?.number == 3)
    #expect(result.child?.owner === result)
  }

  @Test func `A later object is stored once, and both references lead to it`() throws {
    let root = Owned(1)
    let late = Owned(2)
    root.owner = late
    root.child = Owned(3)
    root.child?.child = late
    let archive = try Archive(Archive.encode(root))
    try archive.requireCanonical()
    #expect(archive.objectCount == 3)
    var registry = TypeRegistry()
    try registry.register(Owned.self)
    let result = try archive.decodeRoot(Owned.self, registry: registry)
    #expect(result.owner?.number == 2)
    #expect(result.owner === result.child?.child)
  }

  @Test func `A failed object does not need the entries of its conditional references`() throws {
    var writer = ArchiveWriter()
    #expect(
      archiveError {
        try writer.writeObject(first, typeName: "T") { coder in
          coder.encode(ArchiveConditionalReference(7), forKey: "a")
          coder.encode(1, forKey: "a")
        }
      }?.code == .duplicateKey)
    try writer.writeObject(first, typeName: "T") { $0.encode(1, forKey: "a") }
    #expect(try Archive(writer.finish(root: first)).conditionalObjects == [])
  }
}

/// An object that knows its owner without keeping it in the archive.
private final class Owned: ArchiveObject {
  static let archiveTypeName = "Owned"
  let number: Int
  var child: Owned?
  weak var owner: Owned?

  init(_ number: Int) {
    self.number = number
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(number, forKey: "number")
    coder.encodeConditionalReference(owner, forKey: "owner")
    coder.encodeReference(child, forKey: "child")
  }

  init(from coder: borrowing ObjectDecoder) throws {
    number = try coder.decode(forKey: "number")
  }

  func decode(from coder: borrowing ObjectDecoder) throws {
    owner = try coder.decodeReference(forKey: "owner")
    child = try coder.decodeReference(forKey: "child")
  }
}

import KeepsakeArchive
import KeepsakeDocuments
import Testing

/// Values that a type does not expect: and section 6.
///
/// GraphTests.swift tests registered types.
@Suite struct `Hostile types` {
  @Test func `A value of an unknown kind is skipped by its width`() throws {
    for tag in [20 << 3 | 6, 31 << 3 | 6] {
      var bytes = try archiveBytes { coder in
        coder.encode("before..", forKey: "a")
        coder.encode("of a kind yet to come", forKey: "v")
        coder.encode("behind the unknown one", forKey: "z")
      }
      let map = ArchiveMap(bytes)
      let row = try #require(map.shape(of: 1).slots.first { $0.key == "v" }).row
      bytes = patched(bytes, at: row, byteCount: 1, UInt64(tag))
      let archive = try Archive(bytes)
      #expect(try archive.verdict() == .canonicalWithUnknownKinds)
      let object = try archive.object(first)
      #expect(try object.decode(String.self, forKey: "z") == "behind the unknown one")
      let value = try object.decode(DynamicValue.self, forKey: "v")
      let text = Array("of a kind yet to come".utf8)
      #expect(value == .unknown(ArchiveTag(rawValue: UInt8(tag)), bytes: text))
      #expect(
        archiveError { _ = try object.decode(String.self, forKey: "v") }?.code
          == .unsupportedFeature)
    }
  }

  @Test func `A value is not read as an object, nor an object as a value`() throws {
    for value in [.bool(true), .string("x"), .array([.reference(first)]), .record(.init())]
      as [DynamicValue]
    {
      var writer = ArchiveWriter()
      try writer.writeObject(first, typeName: "Picky") { $0.encode(value, forKey: "node") }
      var registry = TypeRegistry()
      try registry.register(Picky.self)
      let archive = try Archive(writer.finish(root: first))
      let error = archiveError { _ = try archive.decodeRoot(Picky.self, registry: registry) }
      #expect(error?.code == .typeMismatch && error?.keyPath == ["node"])
    }
    for error in [
      archiveError { _ = try convert(ArchiveReference(first), to: UInt32.self) },
      archiveError { _ = try convert([ArchiveReference(first)], to: [UInt32].self) },
      archiveError { _ = try convert(ArchiveReference(first), to: String.self) },
    ] {
      #expect(error?.code == .typeMismatch)
    }
  }

  /// Only enumerations have a shape with a case.
  @Test func `A record is not read as a case, nor a case as a record`() throws {
    let keys = DynamicRecord(fields: [.init(key: "x", value: .string("abc"))])
    let bytes = try archiveBytes { coder in
      coder.encode(DynamicValue.record(keys), forKey: "v")
      coder.encode(DynamicValue.enumeration("case", keys), forKey: "w")
    }
    let map = ArchiveMap(bytes)
    let (record, other) = (map.payload("v"), map.payload("w"))
    for (offset, source, key) in [(record, other, "v"), (other, record, "w")] {
      let shape = number(in: bytes, at: source, byteCount: 4)
      let changed = patched(bytes, at: offset, byteCount: 4, shape)
      let object = try Archive(changed).object(first)
      let error = archiveError {
        _ = try object.decode(DynamicValue.self, forKey: ArchiveKey(key))
      }
      #expect(error?.code == .damaged && error?.keyPath == [key])
      #expect(verifyError(changed)?.code == .damaged)
    }
  }

  /// The elements of `others` are not optional.
  @Test func `A nil reference among references to objects is an error`() throws {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "Node") { coder in
      coder.withScope("Node") { coder in
        coder.encode(1, forKey: "number")
        coder.encode("", forKey: "label")
        coder.encode(ArchiveReference(nil), forKey: "next")
        coder.encode([ArchiveReference(first), ArchiveReference(nil)], forKey: "others")
      }
    }
    var registry = TypeRegistry()
    try registry.register(Node.self)
    let archive = try Archive(writer.finish(root: first))
    let error = archiveError { _ = try archive.decodeRoot(Node.self, registry: registry) }
    #expect(error?.code == .nullValue && error?.keyPath == ["Node", "others"])
  }

  @Test func `A schema version later than the type's is handed to the type`() throws {
    var registry = TypeRegistry()
    try registry.register(Versioned.self)
    for version in [0, 7, UInt32.max] {
      var writer = ArchiveWriter()
      try writer.writeObject(first, typeName: "Versioned", schemaVersion: version) { _ in }
      let archive = try Archive(writer.finish(root: first))
      if version == .max {
        #expect(throws: Versioned.TooNew.self) {
          try archive.decodeRoot(Versioned.self, registry: registry)
        }
      } else {
        let object = try archive.decodeRoot(Versioned.self, registry: registry)
        #expect(object.seen == version)
      }
    }
  }

  @Test func `A graph can be read after an initialiser has thrown`() throws {
    var registry = TypeRegistry()
    try registry.register(Picky.self)
    try registry.register(Node.self)
    let root = Picky()
    root.node = Node(1)
    let archive = try Archive(Archive.encode(root))
    let spoiled = patched(
      try Archive.encode(root), at: ArchiveMap(try Archive.encode(root)).slot("next", of: 2),
      byteCount: 4, 77)
    let error = archiveError { _ = try Archive(spoiled).decodeRoot(Picky.self, registry: registry) }
    #expect(error?.code == .damaged && error?.objectID == second)
    #expect(error?.keyPath == ["Node", "next"])
    for _ in 0..<3 {
      #expect(try archive.decodeRoot(Picky.self, registry: registry).node?.number == 1)
    }
  }
}

private final class Versioned: ArchiveObject {
  struct TooNew: Error {}
  static let archiveTypeName = "Versioned"
  static let archiveSchemaVersion: UInt32 = 2
  let seen: UInt32

  func encode(to coder: inout ObjectEncoder) {}

  init(from coder: borrowing ObjectDecoder) throws {
    seen = coder.schemaVersion
    if seen > 100 { throw TooNew() }
  }

  func decode(from coder: borrowing ObjectDecoder) throws {}
}

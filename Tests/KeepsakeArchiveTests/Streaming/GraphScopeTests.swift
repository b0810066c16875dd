import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// A node that refers to its owner without making it part of the archive.
private final class Part: ArchiveObject {
  static let archiveTypeName = "Part"
  var owner: Part?
  var content: Part?
  let fill: String

  init(fill: String = "") { self.fill = fill }

  func encode(to coder: inout ObjectEncoder) {
    coder.encodeConditionalReference(owner, forKey: "owner")
    coder.encodeReference(content, forKey: "content")
    coder.encode(fill, forKey: "fill")
  }

  init(from coder: borrowing ObjectDecoder) throws {
    fill = try coder.decode(forKey: "fill")
  }
}

/// An object that cannot be written.
private final class Faulty: ArchiveObject {
  static let archiveTypeName = "Faulty"
  var next: Part?

  init() {}

  func encode(to coder: inout ObjectEncoder) {
    coder.encodeReference(next, forKey: "twice")
    coder.encodeReference(next, forKey: "twice")
  }

  init(from coder: borrowing ObjectDecoder) throws {}
}

@Suite struct `Several graphs in one archive` {
  @Test func `An object is stored once in each graph that refers to it`() throws {
    let shared = Node(7)
    let one = Node(1)
    one.others = [shared, shared]
    let two = Node(2)
    two.others = [shared]
    var writer = ArchiveWriter()
    let ids = (try writer.writeGraph(one), try writer.writeGraph(two))
    #expect(ids.0 == first)
    #expect(ids.1 == ArchiveObjectID(3))
    let archive = try Archive(writer.finish(root: ids.1))
    try archive.requireCanonical()
    #expect(archive.objectCount == 4)
    func others(_ id: ArchiveObjectID) throws -> [UInt32?] {
      try archive.object(id).scope("Node").decode([ArchiveReference].self, forKey: "others")
        .map { $0.objectID?.rawValue }
    }
    #expect(try others(ids.0) == [2, 2])
    #expect(try others(ids.1) == [4])
    var types = TypeRegistry()
    try types.register(Node.self)
    let root = try archive.decodeRoot(Node.self, registry: types)
    #expect(root.number == 2)
    #expect(root.others.map(\.number) == [7])
  }

  // Holds.
  @Test func `Conditional references are numbered through all graphs`() throws {
    let outside = Part()
    let one = Part()
    one.content = Part()
    one.content?.owner = one
    one.owner = outside
    let two = Part()
    two.owner = outside
    two.content = outside
    defer { one.content?.owner = nil }
    var writer = ArchiveWriter()
    try writer.writeGraph(one)
    try writer.writeGraph(two)
    let archive = try Archive(writer.finish(root: first))
    try archive.requireCanonical()
    // Nothing in the first graph stores the other object; in the second one it is stored as the content.
    #expect(try archive.conditionalObjects.map { $0?.rawValue } == [nil, 1, 4])
    let owners = try (1...4).map {
      try archive.object(ArchiveObjectID($0))
        .decode(ArchiveReference.self, forKey: "owner").objectID?.rawValue
    }
    #expect(owners == [nil, 1, 4, nil])
  }

  @Test func `A graph that is written into a sink has the bytes of one in memory`() throws {
    let root = Part(fill: String(repeating: "r", count: 200_000))
    root.content = Part(fill: String(repeating: "s", count: 200_000))
    root.content?.content = Part(fill: String(repeating: "t", count: 200_000))
    let sink = KeptBytes()
    var writer = ArchiveStreamWriter(to: sink)
    try writer.writeGraph(root)
    #expect(sink.cuts.count == 2)
    try writer.finish()
    #expect(sink.bytes == (try Archive.encode(root)))
  }

  @Test func `The objects of a graph are released with it`() throws {
    var writer = ArchiveStreamWriter(to: KeptBytes())
    weak var part: Part?
    do {
      let root = Part()
      part = root
      try writer.writeGraph(root)
    }
    #expect(part == nil)
    try writer.finish()
  }

  @Test func `An archive cannot be completed after a graph has failed`() throws {
    var writer = ArchiveWriter()
    try writer.writeGraph(Part())
    for object: any ArchiveObject in [Faulty(), Part()] {
      let refused = #expect(throws: ArchiveError.self) { try writer.writeGraph(object) }
      #expect(refused?.code == .duplicateKey)
    }
    let error = finishError(writer) as? ArchiveError
    #expect(error?.code == .duplicateKey)
  }
}

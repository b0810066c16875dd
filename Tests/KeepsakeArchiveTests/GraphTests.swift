import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

@Suite struct `Object graphs` {
  private func registry() throws -> TypeRegistry {
    var registry = TypeRegistry()
    try registry.register(Node.self)
    try registry.register(NamedNode.self)
    return registry
  }

  private func copy(_ root: Node) throws -> Node {
    let archive = try Archive(Archive.encode(root))
    try archive.requireCanonical()
    return try archive.decodeRoot(Node.self, registry: registry())
  }

  @Test func `Shared objects stay shared and equal ones stay distinct`() throws {
    let shared = Node(7)
    let root = Node(1)
    root.others = [shared, shared, Node(7)]
    let result = try copy(root)
    #expect(result.others.map(\.number) == [7, 7, 7])
    #expect(result.others[0] === result.others[1])
    #expect(result.others[0] !== result.others[2])
  }

  private final class Screen: ArchiveObject {
    static let archiveTypeName = "Screen"
    let archiveTemplate: String?
    let title: String
    var next: Screen?

    init(_ title: String, template: String?) {
      self.title = title
      archiveTemplate = template
    }

    func encode(to coder: inout ObjectEncoder) {
      coder.encode(title, forKey: "title")
      coder.encodeReference(next, forKey: "next")
    }

    init(from coder: borrowing ObjectDecoder) throws {
      title = try coder.decode(forKey: "title")
      archiveTemplate = try coder.decodeIfPresent(forKey: .template)
    }

    func decode(from coder: borrowing ObjectDecoder) throws {
      next = try coder.decodeReference(forKey: "next")
    }
  }

  // Holds.
  @Test func `An object carries the name of its template`() throws {
    let root = Screen("list", template: "main")
    root.next = Screen("detail", template: nil)
    let bytes = try Archive.encode(root)
    var writer = ArchiveWriter()
    for (id, screen) in [(first, root), (second, root.next ?? root)] {
      try writer.writeObject(id, typeName: "Screen", template: screen.archiveTemplate) { coder in
        coder.encode(screen.title, forKey: "title")
        coder.encode(ArchiveReference(id == first ? second : nil), forKey: "next")
      }
    }
    #expect(try bytes == writer.finish(root: first))
    var registry = TypeRegistry()
    try registry.register(Screen.self)
    let read = try Archive(bytes).decodeRoot(Screen.self, registry: registry)
    #expect(read.archiveTemplate == "main")
    #expect(read.next?.title == "detail")
    #expect(read.next?.archiveTemplate == nil)
  }

  @Test func `Cycles and references of an object to itself are restored`() throws {
    let one = Node(1)
    let two = Node(2)
    one.next = two
    two.next = one
    two.others = [two]
    let result = try copy(one)
    #expect(result.next?.next === result)
    #expect(result.next?.others.first === result.next)
    for node in [one, two, result, try #require(result.next)] {
      node.next = nil
      node.others = []
    }
  }

  @Test func `Subclasses are read as themselves, with scopes of their own`() throws {
    let root = NamedNode(1, name: "sub", label: "base")
    root.next = NamedNode(2, name: "other", label: "x")
    let archive = try Archive(Archive.encode(root))
    let result = try archive.decodeRoot(NamedNode.self, registry: registry())
    #expect(result.name == "sub")
    #expect(result.label == "base")
    #expect((result.next as? NamedNode)?.name == "other")
    let object = try archive.object(first)
    #expect(object.typeName == "NamedNode")
    #expect(object.schemaVersion == 3)
    #expect(try object.decode(String.self, forKey: "label") == "sub")
    #expect(try object.scope("Node").decode(String.self, forKey: "label") == "base")
  }

  // Holds.
  @Test func `Objects are numbered in the order of first references`() throws {
    let root = Node(1)
    root.next = Node(2)
    root.others = [Node(3), Node(4)]
    root.next?.next = Node(5)
    let archive = try Archive(Archive.encode(root))
    let numbers = try (1...5).map { id in
      try archive.object(.init(UInt32(id))).scope("Node").decode(Int.self, forKey: "number")
    }
    #expect(numbers == [1, 2, 3, 4, 5])
  }

  @Test func `A long list is written, read and released without deep recursion`() throws {
    let count = 50_000
    let root = Node(0)
    var last = root
    for number in 1..<count {
      let node = Node(number)
      // Half of the links are arrays, where the release of the list would recurse too.
      if number.isMultiple(of: 2) { last.next = node } else { last.others = [node] }
      last = node
    }
    let result = try copy(root)
    var seen = 0
    var current: Node? = result
    while let node = current {
      #expect(node.number == seen)
      seen += 1
      current = node.next ?? node.others.first
    }
    #expect(seen == count)
    Node.release(root)
    Node.release(result)
  }

  @Test func `A type that is not registered is refused`() throws {
    let archive = try Archive(Archive.encode(Node(1)))
    let error = archiveError { _ = try archive.decodeRoot(Node.self, registry: TypeRegistry()) }
    #expect(error?.code == .typeNotRegistered)
    #expect(error?.objectID == first)
  }

  /// A number may lead to an object of any type.
  @Test func `The type is checked at every reference, even to an object that is read`() throws {
    let root = Picky()
    root.node = NamedNode(1, name: "a", label: "b")
    root.named = root.node
    var registry = try registry()
    try registry.register(Picky.self)
    _ = try Archive(Archive.encode(root)).decodeRoot(Picky.self, registry: registry)
    root.node = Node(1)
    root.named = root.node
    let archive = try Archive(Archive.encode(root))
    let error = archiveError { _ = try archive.decodeRoot(Picky.self, registry: registry) }
    #expect(error?.code == .typeNotAllowed)
    #expect(error?.objectID == second)
  }

  @Test func `A renamed type is found by its old name`() throws {
    var registry = TypeRegistry()
    try registry.register(Node.self, named: "OldNode")
    try registry.register(Node.self, named: "OldNode")
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "OldNode") { Node(9).encode(to: &$0) }
    let archive = try Archive(writer.finish(root: first))
    #expect(try archive.decodeRoot(Node.self, registry: registry).number == 9)
    #expect(
      archiveError { try registry.register(Picky.self, named: "OldNode") }?.code == .duplicateType)
    #expect(registry.typeNames == ["OldNode"])
  }

  @Test func `Coders outside a graph refuse objects`() throws {
    let error = archiveError {
      _ = try archiveBytes { $0.encodeReference(Node(1), forKey: "node") }
    }
    #expect(error?.code == .outsideGraph)
    let object = try archive { $0.encode(ArchiveReference(first), forKey: "node") }.object(first)
    let other = archiveError { _ = try object.decodeReference(Node.self, forKey: "node") }
    #expect(other?.code == .outsideGraph)
    #expect(other?.keyPath == ["node"])
  }

  @Test func `The error names the object that cannot be encoded`() {
    let root = Node(1)
    root.next = Broken(2)
    let error = archiveError { _ = try Archive.encode(root) }
    #expect(error?.code == .duplicateKey)
    #expect(error?.objectID == second)
  }

  @Test func `The same graph gives the same bytes`() throws {
    func bytes() throws -> [UInt8] {
      let root = Node(1)
      root.others = (0..<100).map(Node.init)
      root.next = root.others[3]
      return try Archive.encode(root, reserved: ReservedValues(bundleVersion: "1"))
    }
    #expect(try bytes() == bytes())
  }
}

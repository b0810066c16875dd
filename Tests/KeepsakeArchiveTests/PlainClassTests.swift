import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// A class whose initialiser reads everything, including references back.
private final class Person: ArchiveObject {
  static let archiveTypeName = "Person"

  let name: String
  var partner: Person?
  weak var parent: Person?
  var children: [Person] = []

  init(_ name: String) {
    self.name = name
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(name, forKey: "name")
    coder.encodeReference(partner, forKey: "partner")
    coder.encodeConditionalReference(parent, forKey: "parent")
    coder.encodeReference(children.first, forKey: "child")
  }

  private var child: Person? {
    get { children.first }
    set { children = newValue.map { [$0] } ?? [] }
  }

  init(from coder: borrowing ObjectDecoder) throws {
    name = try coder.decode(forKey: "name")
    try coder.decodeReference(forKey: "partner", into: self, \.partner)
    try coder.decodeReference(forKey: "parent", into: self, \.parent)
    try coder.decodeReference(forKey: "child", into: self, \.child)
  }
}

/// A class that reads another object in its initialiser.
private final class Impatient: ArchiveObject {
  static let archiveTypeName = "Impatient"

  var other: Impatient?

  init() {}

  func encode(to coder: inout ObjectEncoder) { coder.encodeReference(other, forKey: "other") }

  init(from coder: borrowing ObjectDecoder) throws {
    other = try coder.decodeReference(forKey: "other")
  }
}

@Suite struct `Classes without a second step of decoding` {
  private func roundTrip<Root: ArchiveObject>(_ root: Root) throws -> Root {
    var registry = TypeRegistry()
    try registry.register(Root.self)
    let bytes = try Archive.encode(root)
    try Archive(bytes).requireCanonical()
    return try Archive(bytes).decodeRoot(Root.self, registry: registry)
  }

  @Test func `Deferred assignment restores a cycle`() throws {
    let ada = Person("Ada")
    let william = Person("William")
    ada.partner = william
    william.partner = ada
    defer { ada.partner = nil }
    let read = try roundTrip(ada)
    defer { read.partner = nil }
    #expect(read.partner?.name == "William")
    #expect(read.partner?.partner === read)
  }

  @Test func `A conditional reference leads to an object that another reference stores`() throws {
    let parent = Person("Parent")
    let child = Person("Child")
    parent.children = [child]
    child.parent = parent
    let read = try roundTrip(parent)
    #expect(read.children.first?.parent === read)
  }

  @Test func `A conditional reference alone stores no object`() throws {
    let parent = Person("Parent")
    let child = Person("Child")
    child.parent = parent
    let bytes = try Archive.encode(child)
    #expect(try Archive(bytes).objectCount == 1)
    #expect(try Archive(bytes).conditionalObjects == [nil])
    let read = try roundTrip(child)
    #expect(read.parent == nil)
  }

  @Test func `Reading an object in the initialiser of another one is an error`() throws {
    let root = Impatient()
    root.other = Impatient()
    let error = archiveError { _ = try roundTrip(root) }
    #expect(error?.code == .outsideGraph)
    #expect(error?.keyPath == ["other"])
  }

  @Test func `An object of the wrong type is not assigned`() throws {
    var registry = TypeRegistry()
    try registry.register(Person.self)
    try registry.register(Impatient.self)
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "Person") { coder in
      coder.encode("Ada", forKey: "name")
      coder.encode(ArchiveReference(second), forKey: "partner")
      coder.encode(ArchiveReference(nil), forKey: "parent")
      coder.encode(ArchiveReference(nil), forKey: "child")
    }
    try writer.writeObject(second, typeName: "Impatient") {
      $0.encode(ArchiveReference(nil), forKey: "other")
    }
    let bytes = try writer.finish(root: first)
    let error = archiveError { _ = try Archive(bytes).decodeRoot(Person.self, registry: registry) }
    #expect(error?.code == .typeNotAllowed)
    #expect(error?.keyPath == ["partner"])
    #expect(error?.objectID == first)
  }
}

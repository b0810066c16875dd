import KeepsakeArchive

final class Person: ArchiveObject {
  static let archiveTypeName = "Person"
  let name: String
  var partner: Person?
  var children: [Person] = []

  init(name: String) { self.name = name }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(name, forKey: "name")
    coder.encodeReference(partner, forKey: "partner")
    coder.encodeReferences(children, forKey: "children")
  }

  init(from coder: borrowing ObjectDecoder) throws {
    name = try coder.decode(forKey: "name")
  }

  func decode(from coder: borrowing ObjectDecoder) throws {
    partner = try coder.decodeReference(forKey: "partner")
    children = try coder.decodeReferences(
      forKey: "children")
  }
}

func archiveFamily() throws -> [UInt8] {
  let ada = Person(name: "Ada")
  let max = Person(name: "Max")
  let zoe = Person(name: "Zoe")
  (ada.partner, max.partner) = (max, ada)
  (ada.children, max.children) = ([zoe], [zoe])
  return try Archive.encode(ada)
}

func readFamily(_ bytes: [UInt8]) throws -> Person {
  var registry = TypeRegistry()
  try registry.register(Person.self)
  return try Archive(bytes).decodeRoot(
    Person.self, registry: registry)
}

func nameOfPartner(in bytes: [UInt8]) throws -> String? {
  let archive = try Archive(bytes)
  let root = try archive.object(archive.rootID)
  let partner = try root.decode(
    ArchiveReference.self, forKey: "partner")
  guard let id = partner.objectID else { return nil }
  let object = try archive.object(id)
  return try object.decode(String.self, forKey: "name")
}

final class Station: ArchiveObject {
  static let archiveTypeName = "Station"
  let name: String
  var next: Station?

  init(name: String) { self.name = name }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(name, forKey: "name")
    coder.encodeReference(next, forKey: "next")
  }

  init(from coder: borrowing ObjectDecoder) throws {
    name = try coder.decode(forKey: "name")
    try coder.decodeReference(
      forKey: "next", into: self, \.next)
  }

  deinit {
    var rest = next.take()
    while isKnownUniquelyReferenced(&rest) {
      rest = rest?.next.take()
    }
  }
}

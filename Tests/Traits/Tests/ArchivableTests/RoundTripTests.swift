import KeepsakeArchive
import Testing

/// Writes one value as the root's key, and opens the archive.
func archive<Value: ArchiveValue>(_ value: Value) throws -> ObjectDecoder {
  var writer = ArchiveWriter(reserved: ReservedValues())
  try writer.writeObject(ArchiveObjectID(1), typeName: "Root") { $0.encode(value, forKey: "value") }
  let archive = try Archive(writer.finish(root: ArchiveObjectID(1)))
  return try archive.object(archive.rootID)
}

/// The value that is read back after a value was written.
func roundTrip<Value: ArchiveValue>(_ value: Value) throws -> Value {
  try archive(value).decode(Value.self, forKey: "value")
}

/// A record that is written by hand.
private struct Written: ArchiveRecord {
  let write: (inout ObjectEncoder) -> Void

  func encode(to coder: inout ObjectEncoder) { write(&coder) }

  init(write: @escaping (inout ObjectEncoder) -> Void) { self.write = write }

  init(from coder: borrowing ObjectDecoder) { write = { _ in } }
}

/// Reads a value of a record that is written by hand.
func read<Value: ArchiveValue>(
  _ type: Value.Type, _ write: @escaping (inout ObjectEncoder) -> Void
) throws -> Value {
  try archive(Written(write: write)).decode(Value.self, forKey: "value")
}

@Suite struct `A value of an archivable type` {
  @Test func `A value is restored with all that it stores`() throws {
    #expect(try roundTrip(Point(x: 1, y: 2)) == Point(x: 1, y: 2))
    var contact = Contact(
      heading: "Ada", note: "calls", callCount: 3, places: [Point(x: 5)], isDefault: false)
    contact.width = 4
    contact.tint = "red"
    #expect(try roundTrip(contact) == contact)
    let pair = try roundTrip(Pair(first: "a", second: [1, 2]))
    #expect(pair.first == "a" && pair.second == [1, 2])
    #expect(try roundTrip(Pair<Int, String>(first: 1, second: nil)).second == nil)
    let inner = Outer.Inner(value: 200, sibling: Outer.Sibling(note: "one"), coder: "two")
    #expect(try roundTrip(inner) == inner)
    #expect(try roundTrip([Order.byDate, .byName]) == [.byDate, .byName])
    #expect(try roundTrip([Direction.down, .up]) == [.down, .up])
    let routes: [Route] = [
      .home, .page(contact: "Ada", isEditing: nil), .page(contact: "", isEditing: true),
      .both(.home, and: .repeat(7)), .repeat(),
    ]
    #expect(try roundTrip(routes) == routes)
  }

  @Test func `Ignored properties are not stored`() throws {
    var contact = Contact(heading: "Ada", note: nil)
    contact.isSelected = true
    contact.image = "a.png"
    let read = try roundTrip(contact)
    #expect(!read.isSelected && read.image == nil)
  }

  @Test func `A type has the name and the version that are stated`() {
    #expect(Contact.archiveTypeName == "Contact" && Contact.archiveSchemaVersion == 3)
    #expect(Point.archiveTypeName == "" && Point.archiveSchemaVersion == 0)
    #expect(Route.archiveSchemaVersion == 1)
    #expect(Node.archiveTypeName == "Node" && Circle.archiveSchemaVersion == 2)
    #expect(Shape.archiveSchemaVersion == 0)
  }

  @Test func `A value is read from its former keys, and with its defaults`() throws {
    func contact(_ key: ArchiveKey) throws -> Contact {
      try read(Contact.self) { coder in
        coder.encode("Ada", forKey: key)
        coder.encode([Point](), forKey: "places")
        coder.encode(false, forKey: "default")
        coder.encode(1, forKey: "width")
        coder.encode(2, forKey: "height")
        coder.encode("blue", forKey: "tint")
        coder.encode(9, forKey: "constantIgnored")
      }
    }
    for key in ["name", "fullName", "title"] as [ArchiveKey] {
      let contact = try contact(key)
      #expect(contact.heading == "Ada" && contact.callCount == 7 && contact.note == nil)
    }
    let error = #expect(throws: ArchiveError.self) { try contact("heading") }
    #expect(error?.code == .absentKey && error?.description.contains("name") == true, "\(error)")
  }

  @Test func `The example of the article does what the article says`() throws {
    var walk = Walk(places: ["Here", "There"], distance: 3.5, season: .winter)
    #expect(try roundTrip(walk) == walk)
    walk.isSelected = true
    #expect(try roundTrip(walk) != walk)
    let former = try read(Walk.self) { coder in
      coder.encode(["Here"], forKey: "places")
      coder.encode(2.0, forKey: "km")
    }
    #expect(former == Walk(places: ["Here"], distance: 2, season: .summer))
  }

  @Test func `An absent key, a wrong type and an unknown case are refused`() throws {
    let absent = #expect(throws: ArchiveError.self) {
      try read(Point.self) { $0.encode(1.0, forKey: "x") }
    }
    #expect(absent?.code == .absentKey)
    let wrong = #expect(throws: ArchiveError.self) {
      try read(Point.self) { coder in
        coder.encode("one", forKey: "x")
        coder.encode(1.0, forKey: "y")
      }
    }
    #expect(wrong?.code == .typeMismatch)
    let outOfRange = #expect(throws: ArchiveError.self) {
      try read(Outer.Inner.self) { coder in
        coder.encode(256, forKey: "value")
        coder.encode(Outer.Sibling(), forKey: "sibling")
      }
    }
    #expect(outOfRange?.code == .valueOutOfRange)
    let unknown = #expect(throws: ArchiveError.self) {
      try archive(Direction.up).decode(Route.self, forKey: "value")
    }
    #expect(unknown?.code == .invalidValue)
  }

  @Test func `A renamed case is read by its former name`() throws {
    enum Former: ArchiveEnumeration {
      case detail
      var archiveCase: ArchiveKey { "detail" }
      func encode(to coder: inout ObjectEncoder) { coder.encode("Ada", forKey: "contact") }
      init(archiveCase: ArchiveKey, from coder: borrowing ObjectDecoder) { self = .detail }
    }
    let read = try archive(Former.detail).decode(Route.self, forKey: "value")
    #expect(read == .page(contact: "Ada", isEditing: nil))
    #expect(Route.page(contact: "", isEditing: nil).archiveCase == "show")
  }
}

@Suite struct `An object of an archivable class` {
  private static func roundTrip<Object: ArchiveObject>(_ root: Object) throws -> Object {
    var registry = TypeRegistry()
    try registry.register(Node.self)
    try registry.register(Shape.self)
    try registry.register(Circle.self)
    try registry.register(Stated.self)
    return try Archive(Archive.encode(root)).decodeRoot(Object.self, registry: registry)
  }

  @Test func `An object is restored with its references, in cycles too`() throws {
    let (root, next) = (Node("root"), Node("next"))
    (root.next, next.next) = (next, root)
    root.others = [next, root]
    (next.owner, root.owner) = (root, nil)
    let read = try Self.roundTrip(root)
    let second = try #require(read.next)
    #expect(read.name == "root" && second.name == "next")
    #expect(second.next === read && second.owner === read && read.owner == nil)
    #expect(read.others.count == 2 && read.others[0] === second && read.others[1] === read)
    for node in [root, next, read, second] { (node.next, node.others) = (nil, []) }
  }

  @Test func `A weak property alone does not store its object`() throws {
    let (root, owner) = (Node("root"), Node("owner"))
    root.owner = owner
    #expect(try Self.roundTrip(root).owner == nil)
  }

  @Test func `The keys of a superclass are stored in their own scope`() throws {
    let circle = Circle(name: "shape", label: "circle")
    circle.radius = 3
    circle.peer = Shape(name: "peer")
    let archive = try Archive(Archive.encode(circle))
    let root = try archive.object(archive.rootID)
    #expect(root.typeName == "Circle" && root.schemaVersion == 2)
    #expect(try root.decode(String.self, forKey: "name") == "circle")
    #expect(try root.scope("Shape").decode(String.self, forKey: "name") == "shape")
    let read = try Self.roundTrip(circle)
    #expect(read.name == "shape" && read.label == "circle" && read.radius == 3)
    #expect(read.peer?.name == "peer")
  }

  @Test func `A class may state its conformance itself`() throws {
    let stated = Stated()
    stated.value = 8
    #expect(try Self.roundTrip(stated).value == 8)
  }
}

import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// References inside records, cases, dictionaries and arrays of these.
@Suite struct `References inside values` {
  private func copy(_ root: Hub) throws -> Hub {
    var registry = TypeRegistry()
    try registry.register(Hub.self)
    let archive = try Archive(Archive.encode(root))
    try archive.requireCanonical()
    return try archive.decodeRoot(Hub.self, registry: registry)
  }

  @Test func `References in all values lead to one instance`() throws {
    let shared = Hub(7)
    let root = Hub(1)
    root.named = ["a": Link(to: shared), "b": Link(to: nil), "c": Link(to: root)]
    root.steps = [.stay, .jump(shared), .jump(root), .jump(Hub(7)), .stay]
    root.links = [[Link(to: shared)], [], [Link(to: root), Link(to: shared)]]
    defer { for hub in [root, shared] { hub.clear() } }
    let result = try copy(root)
    defer { result.clear() }
    let same = try #require(result.named["a"]?.hub)
    #expect(same.number == 7 && same !== shared)
    #expect(result.named.count == 3 && result.named["b"]?.hub == nil)
    #expect(result.named["c"]?.hub === result)
    let targets = result.steps.map(\.hub)
    #expect(targets[0] == nil && targets[1] === same && targets[2] === result)
    #expect(targets[3]?.number == 7 && targets[3] !== same)
    #expect(result.links.map(\.count) == [1, 0, 2])
    #expect(result.links[0][0].hub === same && result.links[2][0].hub === result)
  }

  @Test func `Cycles through dictionaries and cases are restored`() throws {
    let one = Hub(1)
    let other = Hub(2)
    one.named = ["next": Link(to: other)]
    other.steps = [.jump(one)]
    defer { for hub in [one, other] { hub.clear() } }
    let result = try copy(one)
    let next = try #require(result.named["next"]?.hub)
    defer { for hub in [result, next] { hub.clear() } }
    #expect(next.number == 2)
    #expect(next.steps.first?.hub === result)
  }

  @Test func `The error of a referenced object names that object and its key`() throws {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "Hub") { coder in
      coder.encode(1, forKey: "number")
      coder.encode([[Reference(second)], []], forKey: "links")
      coder.encode([String: Link](), forKey: "named")
      coder.encode([Step](), forKey: "steps")
    }
    try writer.writeObject(second, typeName: "Hub") { $0.encode("x", forKey: "number") }
    var registry = TypeRegistry()
    try registry.register(Hub.self)
    let archive = try Archive(writer.finish(root: first))
    let error = archiveError { _ = try archive.decodeRoot(Hub.self, registry: registry) }
    #expect(error?.code == .typeMismatch)
    #expect(error?.objectID == second && error?.keyPath == ["number"])
  }

  /// A record with the form of ``Link``, for an object that a test writes by hand.
  private struct Reference: ArchiveRecord {
    static let archiveTypeName = "Link"
    var id: ArchiveObjectID
    init(_ id: ArchiveObjectID) { self.id = id }
    func encode(to coder: inout ObjectEncoder) {
      coder.encode(ArchiveReference(id), forKey: "hub")
    }
    init(from coder: borrowing ObjectDecoder) throws(ArchiveError) { id = first }
  }
}

private final class Hub: ArchiveObject {
  static let archiveTypeName = "Hub"
  let number: Int
  var named: [String: Link] = [:]
  var steps: [Step] = []
  var links: [[Link]] = []

  init(_ number: Int) {
    self.number = number
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(number, forKey: "number")
    coder.encode(links, forKey: "links")
    coder.encode(named, forKey: "named")
    coder.encode(steps, forKey: "steps")
  }

  init(from coder: borrowing ObjectDecoder) throws {
    number = try coder.decode(forKey: "number")
  }

  func decode(from coder: borrowing ObjectDecoder) throws {
    links = try coder.decode(forKey: "links")
    named = try coder.decode(forKey: "named")
    steps = try coder.decode(forKey: "steps")
  }

  func clear() {
    named = [:]
    steps = []
    links = []
  }
}

private struct Link: ArchiveRecord {
  static let archiveTypeName = "Link"
  var hub: Hub?

  init(to hub: Hub?) {
    self.hub = hub
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encodeReference(hub, forKey: "hub")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    hub = try coder.decodeReference(forKey: "hub")
  }
}

private enum Step: ArchiveEnumeration {
  case stay
  case jump(Hub)

  var hub: Hub? { if case .jump(let hub) = self { hub } else { nil } }

  var archiveCase: ArchiveKey { hub == nil ? "stay" : "jump" }

  func encode(to coder: inout ObjectEncoder) {
    if let hub { coder.encodeReference(hub, forKey: "to") }
  }

  init(archiveCase: ArchiveKey, from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    switch archiveCase {
    case "stay": self = .stay
    case "jump":
      guard let hub = try coder.decodeReference(Hub.self, forKey: "to") else {
        throw ArchiveError(.nullValue, "a jump leads nowhere")
      }
      self = .jump(hub)
    default: throw .unknownCase(archiveCase, of: Self.self)
    }
  }
}

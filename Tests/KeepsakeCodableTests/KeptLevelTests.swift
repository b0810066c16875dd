import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import Testing

/// The containers of a call are pooled for the next one, within bounds.
@Suite struct `Pooled Codable containers` {
  // Any call of the process may take pooled containers, so these tests run in processes of their own.

  @Test func `Containers are reused by the next call that encodes`() async {
    await #expect(processExitsWith: .success) {
      let (first, second) = (Traces(), Traces())
      let data = try ArchiveEncoder().encode(Nested(count: 3, traces: first))
      #expect(try ArchiveEncoder().encode(Nested(count: 3, traces: second)) == data)
      #expect(first.all.count == 3)
      #expect(areSame(first.all, second.all))
    }
  }

  @Test func `Containers are reused by the next call that decodes`() async {
    await #expect(processExitsWith: .success) {
      let data = try ArchiveEncoder().encode(Nested(count: 3, traces: Traces()))
      let first = try ArchiveDecoder().decode(Watching.self, from: data)
      let second = try ArchiveDecoder().decode(Watching.self, from: data)
      #expect(first.all.count == 3)
      #expect(areSame(first.all, second.all))
    }
  }

  @Test
  func `Containers of at most sixteen levels below a value are pooled`() async {
    await #expect(processExitsWith: .success) {
      for (count, isLeft) in [(17, true), (18, false), (17, true)] {
        let traces = Traces()
        let data = try ArchiveEncoder().encode(Nested(count: count, traces: traces))
        #expect(traces.all.count == count)
        #expect(traces.aliveCount == (isLeft ? count : 0))
        let value = try ArchiveDecoder().decode(Watching.self, from: data)
        #expect(value.all.count == count)
        #expect(value.all.allSatisfy { ($0.object != nil) == isLeft })
      }
    }
  }

  @Test func `One container of a type of keys is pooled for other values`() throws {
    var encoder = ArchiveEncoder()
    // The pool has nothing for limits that no other call has.
    encoder.limits.byteCount -= 1 << 24
    let shelf = Shelf()
    _ = try encoder.encode((0..<9).map { Shelved(shelf: shelf, isLast: $0 == 8) })
    #expect(shelf.traces.all.count == 8)
    #expect(shelf.leftCount == 1)
  }
}

/// The object that a container of the standard library refers to.
private func object<Container>(of container: Container) -> AnyObject? {
  Mirror(reflecting: container).children.first.map { $0.value as AnyObject }
}

/// A weak reference to an object.
private struct Trace {
  weak var object: AnyObject?
}

/// True when the objects still exist, and each is the same as the one in the other list.
private func areSame(_ traces: [Trace], _ others: [Trace]) -> Bool {
  zip(traces, others).allSatisfy { pair in
    pair.0.object != nil && pair.0.object === pair.1.object
  }
}

/// Weak references to the containers that values were encoded with.
private final class Traces {
  private(set) var all: [Trace] = []

  var aliveCount: Int { all.filter { $0.object != nil }.count }

  func add<Container>(_ container: Container) {
    all.append(Trace(object: object(of: container)))
  }
}

/// Records in records that note their containers.
private struct Nested: Encodable {
  enum Key: CodingKey { case inner, number }

  var count: Int
  let traces: Traces

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    traces.add(container)
    if count > 1 { try container.encode(Nested(count: count - 1, traces: traces), forKey: .inner) }
    try container.encode(count, forKey: .number)
  }
}

/// Records in records, each with the container that it was read through.
private struct Watching: Decodable {
  /// The containers of the record and of its inner records.
  var all: [Trace]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Nested.Key.self)
    all = [Trace(object: object(of: container))]
    if container.contains(.inner) {
      all += try container.decode(Watching.self, forKey: .inner).all
    }
  }
}

/// Keeps the containers that values were encoded with, until the last of them.
private final class Shelf {
  var containers: [KeyedEncodingContainer<Nested.Key>] = []
  let traces = Traces()
  /// The number of containers that still existed after the shelf released them.
  var leftCount = 0
}

private struct Shelved: Encodable {
  let shelf: Shelf
  let isLast: Bool

  func encode(to encoder: any Encoder) throws {
    if isLast {
      shelf.containers.removeAll()
      shelf.leftCount = shelf.traces.aliveCount
      return
    }
    let container = encoder.container(keyedBy: Nested.Key.self)
    shelf.traces.add(container)
    shelf.containers.append(container)
  }
}

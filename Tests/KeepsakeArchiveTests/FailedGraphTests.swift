import KeepsakeArchive
import Synchronization
import Testing

/// Counts its living instances.
private final class Counted: ArchiveObject {
  static let archiveTypeName = "Counted"
  static let living = Mutex(0)

  let number: Int
  var next: Counted?
  var others: [Counted] = []

  init(_ number: Int) {
    self.number = number
    Self.living.withLock { $0 += 1 }
  }

  deinit { Self.living.withLock { $0 -= 1 } }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(number, forKey: "number")
    coder.encodeReference(next, forKey: "next")
    coder.encodeReferences(others, forKey: "others")
  }

  init(from coder: borrowing ObjectDecoder) throws {
    number = try coder.decode(forKey: "number")
    // Swift calls the deinitialiser when an initialiser throws after it has set all properties.
    Self.living.withLock { $0 += 1 }
    if number == 13 { throw ArchiveError(.invalidValue, "thirteen is refused") }
  }

  func decode(from coder: borrowing ObjectDecoder) throws {
    next = try coder.decodeReference(forKey: "next")
    others = try coder.decodeReferences(forKey: "others")
    if number == 14 { throw ArchiveError(.invalidValue, "fourteen is refused") }
  }
}

/// A source that loses a range after the whole range was read a number of times.
private final class LosingSource: ArchivePositionedSource {
  private let bytes: [UInt8]
  private let lost: Range<Int>
  private let reads: Mutex<Int>
  let blockByteCount = 64

  init(_ bytes: [UInt8], losing lost: Range<Int>, afterReads count: Int) {
    self.bytes = bytes
    self.lost = lost
    reads = Mutex(count)
  }

  var byteCount: Int { bytes.count }

  /// True when the range was read so often that it is lost.
  var isLost: Bool { reads.withLock { $0 < 0 } }

  func read(_ range: Range<Int>) throws -> [UInt8] {
    if range.clamped(to: lost) == lost {
      reads.withLock { $0 -= 1 }
      if isLost { throw BrokenPipe() }
    }
    return Array(bytes[range])
  }
}

/// Counts its living instances, and reads everything in its initialiser.
private final class Assigned: ArchiveObject {
  static let archiveTypeName = "Assigned"
  static let living = Mutex(0)

  let number: Int
  var next: Assigned?
  var other: Assigned?

  init(_ number: Int) {
    self.number = number
    Self.living.withLock { $0 += 1 }
  }

  deinit { Self.living.withLock { $0 -= 1 } }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(number, forKey: "number")
    coder.encodeReference(next, forKey: "next")
    coder.encodeReference(other, forKey: "other")
  }

  init(from coder: borrowing ObjectDecoder) throws {
    number = try coder.decode(forKey: "number")
    Self.living.withLock { $0 += 1 }
    if number == 13 { throw ArchiveError(.invalidValue, "thirteen is refused") }
    try coder.decodeReference(forKey: "next", into: self, \.next)
    try coder.decodeReference(forKey: "other", into: self, \.other)
  }
}

@Suite(.serialized) struct `A graph that cannot be read to its end` {
  /// A ring of objects with arrays back and forth; the last object is refused.
  private func archive(endingWith last: Int) throws -> Archive {
    let nodes = (0..<10).map { Counted($0) } + [Counted(last)]
    for (node, next) in zip(nodes, nodes.dropFirst() + [nodes[0]]) {
      node.next = next
      node.others = [nodes[0], node]
    }
    defer {
      for node in nodes {
        node.next = nil
        node.others = []
      }
    }
    return try Archive(Archive.encode(nodes[0]))
  }

  @Test(arguments: [13, 14])
  func `A graph that is refused leaves no object in memory`(last: Int) throws {
    var registry = TypeRegistry()
    try registry.register(Counted.self)
    let archive = try archive(endingWith: last)
    #expect(Counted.living.withLock { $0 } == 0)
    let error = archiveError { _ = try archive.decodeRoot(Counted.self, registry: registry) }
    #expect(error?.code == .invalidValue)
    #expect(Counted.living.withLock { $0 } == 0)
  }

  @Test
  func `A refused graph with properties assigned by key path leaves no object in memory`() throws {
    var registry = TypeRegistry()
    try registry.register(Assigned.self)
    // The first two refer to each other when the third is refused.
    let ring = [Assigned(0), Assigned(1), Assigned(13)]
    (ring[0].next, ring[1].next, ring[1].other) = (ring[1], ring[0], ring[2])
    let archive = try Archive(Archive.encode(ring[0]))
    ring[1].next = nil
    let error = archiveError { _ = try archive.decodeRoot(Assigned.self, registry: registry) }
    #expect(error?.code == .invalidValue)
    #expect(Assigned.living.withLock { $0 } == 3)
    withExtendedLifetime(ring) {}
  }

  @Test func `Objects that can still be read release each other when the source fails`() throws {
    let nodes = [Counted(1), Counted(2), Counted(3), Counted(14)]
    nodes[0].others = Array(nodes.dropFirst())
    // Bodies that are longer than a block are read anew each time: for the object, its contents and its release.
    nodes[1].others = Array(repeating: nodes[3], count: 100)
    nodes[2].others = Array(repeating: nodes[2], count: 100)
    let bytes = try Archive.encode(nodes[0])
    for node in nodes { node.others = [] }
    let before = Counted.living.withLock { $0 }
    let source = LosingSource(bytes, losing: ArchiveMap(bytes).record(2), afterReads: 2)
    var registry = TypeRegistry()
    try registry.register(Counted.self)
    let archive = try Archive(source: source)
    let error = archiveError { _ = try archive.decodeRoot(Counted.self, registry: registry) }
    #expect(error?.message == "fourteen is refused")
    #expect(source.isLost)
    #expect(Counted.living.withLock { $0 } == before)
    withExtendedLifetime(nodes) {}
  }
}

import KeepsakeArchive
import Synchronization
import TestSupport
import Testing

/// A large object that can refer to itself; the one with the number 4 is refused.
private final class Looped: ArchiveObject {
  static let archiveTypeName = "Looped"
  static let living = Mutex(0)
  /// The body that cannot be read once an object was refused.
  static let lost = Mutex<(body: Range<Int>, isLost: Bool)>((0..<0, false))

  let number: Int
  var others: [Looped] = []

  init(_ number: Int) {
    self.number = number
    Self.living.withLock { $0 += 1 }
  }

  deinit { Self.living.withLock { $0 -= 1 } }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(number, forKey: "number")
    coder.encode(ArchiveBytes([UInt8](repeating: 1, count: 1_000)), forKey: "bytes")
    coder.encodeReferences(others, forKey: "others")
  }

  init(from coder: borrowing ObjectDecoder) throws {
    number = try coder.decode(forKey: "number")
    Self.living.withLock { $0 += 1 }
  }

  func decode(from coder: borrowing ObjectDecoder) throws {
    others = try coder.decodeReferences(forKey: "others")
    if number == 4 {
      Self.lost.withLock { $0.isLost = true }
      throw ArchiveError(.invalidValue, "four is refused")
    }
  }
}

/// A source that loses a body after it was read.
private struct LosingSource: ArchivePositionedSource {
  let bytes: [UInt8]
  var byteCount: Int { bytes.count }
  /// A body is larger than a block, so it is read anew each time.
  var blockByteCount: Int { 64 }

  func read(_ range: Range<Int>) throws -> [UInt8] {
    if Looped.lost.withLock({ $0.isLost && $0.body.overlaps(range) }) { throw BrokenPipe() }
    return Array(bytes[range])
  }
}

@Suite struct `A refused graph whose source fails` {
  @Test func `Objects that can still be read release each other`() throws {
    let nodes = (1...4).map { Looped($0) }
    nodes[0].others = Array(nodes.dropFirst())
    for node in nodes[1...2] { node.others = [node] }
    let bytes = try Archive.encode(nodes[0])
    for node in nodes { node.others = [] }
    let before = Looped.living.withLock { $0 }
    // Reads are aligned, so reading the third body takes up to seven bytes of the second.
    let body = ArchiveMap(bytes).record(2).dropLast(8)
    Looped.lost.withLock { $0.body = body }
    var registry = TypeRegistry()
    try registry.register(Looped.self)
    let archive = try Archive(source: LosingSource(bytes: bytes))
    let error = archiveError { _ = try archive.decodeRoot(Looped.self, registry: registry) }
    #expect(error?.message == "four is refused")
    // The second object cannot be read to release itself, the third can.
    #expect(Looped.living.withLock { $0 } == before + 1)
    withExtendedLifetime(nodes) {}
  }
}

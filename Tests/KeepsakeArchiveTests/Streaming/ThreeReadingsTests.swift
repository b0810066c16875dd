import KeepsakeArchive
import TestSupport
import Testing

@Suite struct `Three ways to read an archive` {
  private func expectAgreement(_ bytes: [UInt8]) throws {
    let inMemory = try Reading(Archive(bytes))
    let forward = try Reading(forward: PiecewiseSource(bytes))
    #expect(forward == inMemory)
    let atRandom = try Reading(Archive(source: NotedSource(bytes)))
    #expect(atRandom == inMemory)
  }

  @Test(arguments: 0..<150 as Range<UInt64>)
  func `The three readers agree on archives of random values`(seed: UInt64) throws {
    var random = RandomArchive(seed: seed)
    try expectAgreement(random.bytes())
  }

  @Test(arguments: 0..<3)
  func `The three readers agree on small archives`(index: Int) throws {
    try expectAgreement(SmallArchives.all()[index])
  }

  @Test func `The three readers agree on an archive of several segments`() throws {
    let bytes = try archiveBytes(of: Entry.list())
    #expect(ArchiveMap(bytes).segments.count > 3)
    try expectAgreement(bytes)
    // One block holds the whole archive.
    let whole = NotedSource(bytes, blockByteCount: 1 << 30)
    #expect(try Reading(Archive(source: whole)) == Reading(Archive(bytes)))
  }

  @Test func `The three readers agree on records that are larger than a segment`() throws {
    var writer = ArchiveWriter()
    for (number, count) in [300_000, 10, 700_000, 0].enumerated() {
      try writer.writeObject(writer.nextObjectID, typeName: "Blob\(number)") { coder in
        coder.encode(ArchiveBytes([UInt8](repeating: 7, count: count)), forKey: "bytes")
        coder.encode(Array(repeating: 0.5, count: count / 100), forKey: "numbers")
      }
    }
    try expectAgreement(try writer.finish(root: second))
  }

  @Test(arguments: [1, 2, 7, 100, 4096])
  func `The forward reader agrees however the source cuts the bytes`(piece: Int) throws {
    let bytes = try SmallArchives.graph()
    #expect(
      try Reading(forward: PiecewiseSource(bytes, piece: piece)) == Reading(Archive(bytes)))
  }

  @Test func `Readers of sources give aligned spans`() throws {
    let bytes = try archiveBytes { coder in
      coder.encode(true, forKey: "flag")
      coder.encode([1.5, 2.5], forKey: "numbers")
    }
    let object = try Archive(source: NotedSource(bytes)).object(first)
    let span = try object.borrowedNumbers(of: Double.self, forKey: "numbers")
    #expect(span.count == 2)
    #expect(span[1] == 2.5)
    var reader = try ArchiveStreamReader(PiecewiseSource(bytes))
    let sum = try reader.withNextObject { object in
      let span = try object.borrowedNumbers(of: Double.self, forKey: "numbers")
      return span[0] + span[1]
    }
    #expect(sum == 4)
  }

  @Test func `A source gives the graph of objects that was written`() throws {
    let bytes = try SmallArchives.graph()
    var types = TypeRegistry()
    try types.register(Node.self)
    try types.register(NamedNode.self)
    let root = try Archive(source: NotedSource(bytes)).decodeRoot(Node.self, registry: types)
    defer { Node.release(root) }
    #expect(root.next?.next === root)
    #expect(root.others.map(\.number) == [1, 3])
  }
}

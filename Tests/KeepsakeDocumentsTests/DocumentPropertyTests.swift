import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// Properties of all documents; the argument of a failing test is the seed that makes its archive.
@Suite struct `A document of random values` {
  @Test(arguments: 0..<300 as Range<UInt64>)
  func `A document in its own order is written back byte for byte`(seed: UInt64) throws {
    var random = RandomArchive(seed: seed)
    let bytes = try random.bytes()
    #expect(try ArchiveDocument(Archive(bytes)).encoded(order: .stored) == bytes)
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `A document that is numbered again stays the same`(seed: UInt64) throws {
    var random = RandomArchive(seed: seed)
    let archive = try Archive(random.bytes())
    for order in [ObjectOrder.firstReference, .reachable] {
      let once = try ArchiveDocument(archive).encoded(order: order)
      let numbered = try Archive(once)
      try numbered.requireCanonical()
      #expect(numbered.rootID == first)
      #expect(try ArchiveDocument(numbered).encoded(order: order) == once)
      #expect(try ArchiveDocument(numbered).encoded(order: .stored) == once)
      let count = archive.objectCount
      #expect(order == .reachable ? numbered.objectCount <= count : numbered.objectCount == count)
      #expect(numbered.reserved == archive.reserved)
    }
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `A document keeps every value of an object when others are removed`(seed: UInt64) throws {
    var random = RandomArchive(seed: seed)
    let archive = try Archive(random.bytes())
    var document = try ArchiveDocument(archive)
    guard let last = document.objectIDs.last, last != archive.rootID else { return }
    try document.remove(last, replacingReferencesWith: archive.rootID)
    let edited = try Archive(document.encoded(order: .stored))
    try edited.requireCanonical()
    // Numbers before the last one stay; references to it lead to the root.
    for (number, id) in document.objectIDs.enumerated() {
      let record = try edited.object(.init(UInt32(number + 1))).dynamicRecord()
      let before = try archive.object(id).dynamicRecord()
      let expected = before.references.map { $0 == last ? archive.rootID : $0 }
      #expect(record.references == expected)
      #expect(record.fields.map(\.name) == before.fields.map(\.name))
      if before.references.isEmpty { #expect(record == before) }
    }
  }

  @Test func `Conditional references follow their objects to new numbers, or become nil`() throws {
    var writer = ArchiveWriter()
    for number in 1...4 as ClosedRange<UInt32> {
      try writer.writeObject(.init(number), typeName: "T") { coder in
        if number == 2 { coder.encode(ArchiveReference(.init(4)), forKey: "next") }
        coder.encode(ArchiveConditionalReference(number - 1), forKey: "maybe")
      }
    }
    writer.conditionalObjects = [.init(4), .init(3), .init(1)]
    var document = try ArchiveDocument(Archive(writer.finish(root: second)))
    try document.remove(first, replacingReferencesWith: second)
    let edited = try Archive(document.encoded(order: .reachable))
    try edited.requireCanonical()
    // The second object is now the first, and the fourth the second; the third was left out.
    #expect(edited.objectCount == 2)
    #expect(try edited.conditionalObjects == [second, nil, first])
    let maybe = try edited.object(first).decode(ArchiveReference.self, forKey: "maybe").objectID
    #expect(maybe == second)
  }
}

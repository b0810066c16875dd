import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// Properties of all archives; the argument of a failing test is the seed that makes its values.
@Suite struct `Archives of random values` {
  private func write(
    _ objects: [DynamicRecord], conditionals: [ArchiveObjectID?],
    reserved: ReservedValues = ReservedValues()
  ) throws -> [UInt8] {
    var writer = ArchiveWriter(reserved: reserved)
    writer.conditionalObjects = conditionals
    for (index, object) in objects.enumerated() {
      try writer.writeObject(
        .init(UInt32(index + 1)), typeName: object.typeName, schemaVersion: object.schemaVersion
      ) { $0.encodeFields(of: object) }
    }
    return try writer.finish(root: first)
  }

  private func make(
    seed: UInt64
  ) throws -> (objects: [DynamicRecord], conditionals: [ArchiveObjectID?], bytes: [UInt8]) {
    var random = RandomValues(seed: seed)
    let objects = random.objects()
    let conditionals: [ArchiveObjectID?] = (0..<random.conditionalCount).map { index in
      index.isMultiple(of: 2) ? .init(UInt32(1 + index % objects.count)) : nil
    }
    return (objects, conditionals, try write(objects, conditionals: conditionals))
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `Random values are read back, and written again as the same bytes`(seed: UInt64) throws {
    let (objects, conditionals, bytes) = try make(seed: seed)
    let archive = try Archive(bytes)
    let verdict = try archive.verdict()
    #expect(
      verdict == (objects.contains(where: \.hasUnknown) ? .canonicalWithUnknownKinds : .canonical))
    try archive.requireCanonical()
    let read = try walk(archive)
    #expect(read == objects)
    #expect(try archive.conditionalObjects == conditionals)
    let again = try write(read, conditionals: archive.conditionalObjects)
    #expect(again == bytes)
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `Changed bytes are refused or are exactly what a writer makes`(seed: UInt64) throws {
    let original = try make(seed: seed)
    let map = ArchiveMap(original.bytes)
    let records = map.record(1).lowerBound..<map.segments[0].directory
    var generator = SeededGenerator(seed: seed &+ 1 << 32)
    for _ in 0..<100 {
      var bytes = original.bytes
      for _ in 0...generator.below(2) { change(&bytes, in: records, using: &generator) }
      // This reader ignores the minor version.
      bytes.replaceSubrange(10..<12, with: [0, 0])
      guard let archive = try? Archive(bytes) else { continue }
      _ = try? walk(archive)
      guard let verdict = try? archive.verdict(), verdict == .canonical else { continue }
      let again = try ArchiveDocument(archive).encoded(order: .stored)
      if again != bytes {
        Issue.record("an archive with the seed \(seed) has a second form")
      }
    }
  }

  private func change(
    _ bytes: inout [UInt8], in records: Range<Int>, using generator: inout SeededGenerator
  ) {
    // Values are in the records; most of the other bytes are checked when the archive is opened.
    let range = generator.chance(of: 3) || records.isEmpty ? bytes.indices : records
    let offset = range.lowerBound + generator.below(range.count)
    switch generator.below(5) {
    case 0: bytes[offset] ^= 1 << UInt8(generator.below(8))
    case 1: bytes[offset] = UInt8(generator.below(256))
    case 2:
      let word = min(offset & ~3, bytes.count - 4)
      let value = [0, 1, 8, UInt64(UInt32.max), 1 << 31, UInt64(generator.below(64))]
      bytes = patched(bytes, at: word, byteCount: 4, value[generator.below(6)])
    case 3:
      // Copies one part of the archive over another one.
      let source = generator.below(bytes.count)
      let length = min(generator.below(40), bytes.count - max(source, offset))
      bytes.replaceSubrange(offset..<offset + length, with: Array(bytes[source..<source + length]))
    default: bytes[offset] = bytes[offset] &+ 1
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `Objects that fail leave no trace in the bytes of the others`(seed: UInt64) throws {
    let (objects, conditionals, bytes) = try make(seed: seed)
    var random = RandomValues(seed: seed &+ 1 << 32)
    var writer = ArchiveWriter()
    writer.conditionalObjects = conditionals
    for (index, object) in objects.enumerated() {
      let id = ArchiveObjectID(UInt32(index + 1))
      let failing = random.record(depth: 3, typeName: "Failing")
      let error = #expect(throws: ArchiveError.self) {
        try writer.writeObject(id, typeName: random.generator.chance(of: 2) ? object.typeName : "F")
        {
          $0.encodeFields(of: failing)
          $0.encode([DynamicValue.bool(true), .reference(.init(4_000_000))], forKey: "twice")
          $0.encode(1, forKey: "twice")
        }
      }
      #expect(error?.code == .duplicateKey && error?.keyPath == ["twice"])
      try writer.writeObject(id, typeName: object.typeName, schemaVersion: object.schemaVersion) {
        $0.encodeFields(of: object)
      }
    }
    #expect(try writer.finish(root: first) == bytes)
  }
}

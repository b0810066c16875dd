import TestSupport
import Testing

@testable import KeepsakeArchive

@Suite struct `The cache of blocks` {
  @Test func `Two missing blocks are fetched by one read, and cached ones are not`() throws {
    let bytes = (0..<256).map { UInt8($0) }
    let source = NotedSource(bytes, blockByteCount: 64)
    let cache = BlockCache(source)
    for (range, reads) in [
      (60..<70, [0..<128]), (100..<150, [128..<192]), (0..<64, []), (150..<200, [192..<256]),
      (190..<254, []), (0..<65, [0..<65]),
    ] {
      let found = try cache.read(range)
      #expect(found.bytes == Array(bytes[range]) && found.origin == range.lowerBound)
      #expect(source.takeReads() == reads)
    }
  }

  @Test func `The last block may be shorter when two are fetched`() throws {
    let bytes = (0..<200).map { UInt8($0) }
    let source = NotedSource(bytes, blockByteCount: 64)
    #expect(try BlockCache(source).read(180..<200).bytes == Array(bytes[180...]))
    #expect(source.takeReads() == [128..<200])
  }
}

import TestSupport
import Testing

@testable import KeepsakeFiles
@testable import KeepsakeSeal

/// Spec/seal.md, section 6.1; its worked values are in section 10.
@Suite struct `The tree of digests` {
  /// The digests of chunks that are the 8 bytes of their index.
  private func leaves(_ count: Int) throws -> [UInt8] {
    var digests: [UInt8] = []
    for chunk in 0..<count {
      var bytes: [UInt8] = []
      bytes.appendLittleEndian(UInt64(chunk))
      try ChunkDigest.append(bytes.span, chunk: chunk, to: &digests)
    }
    return digests
  }

  @Test(arguments: [128, 129, 16_385])
  func `The content digest is that of the specification`(count: Int) throws {
    let builder = DigestTreeBuilder(.kept)
    try builder.add(leaves(count), firstChunk: 0)
    #expect(
      try builder.finish(chunkCount: count).contentDigest
        == SpecExample().value("\(count) chunks"))
  }

  @Test func `A level is stored when the one below it has more than 128 digests`() {
    for (chunks, counts) in [
      (1, [1]), (128, [128]), (129, [129, 2]), (16_384, [16_384, 128]),
      (16_385, [16_385, 129, 2]), (1 << 32, [1 << 32, 1 << 25, 1 << 18, 1 << 11, 16]),
    ] {
      let layout = DigestTreeLayout(chunkCount: chunks)
      #expect(layout.counts == counts)
      #expect(layout.rootLevel == counts.count)
      #expect(layout.byteCount == counts.reduce(0, +) * 32)
    }
    let layout = DigestTreeLayout(chunkCount: 129)
    #expect(layout.children(level: 1, index: 0) == 0..<128)
    #expect(layout.children(level: 1, index: 1) == 128..<129)
    #expect(layout.children(level: 2, index: 0) == 0..<2)
    #expect(layout.offset(level: 1, index: 1) == 130 * 32)
  }

  @Test(arguments: [1, 127, 128, 129, 1_000, 16_500])
  func `The result depends neither on the order of digests nor on their storage`(count: Int) throws
  {
    let leaves = try leaves(count)
    try withTemporaryDirectory { directory in
      let location = try FileLocation(directory + "/f")
      let spill = SpillFile(directory: try location.openDirectory(), location: location)
      let file = try PendingFile(at: location.path)
      var expected: DigestTreeBuilder.Result?
      for kind: DigestTreeBuilder.Leaves in [
        .kept, .dropped, .written(file.file, at: 100), .spilled(spill.make),
      ] {
        let builder = DigestTreeBuilder(kind)
        // The digests are added in runs of 5, and the last run is the first to be added.
        for start in stride(from: 0, to: count, by: 5).reversed() {
          let end = min(start + 5, count)
          try builder.add(Array(leaves[start * 32..<end * 32]), firstChunk: start)
        }
        let result = try builder.finish(chunkCount: count)
        let first = expected ?? result
        expected = first
        #expect(result.contentDigest == first.contentDigest)
        #expect(result.writtenByteCount + result.rest.count == first.rest.count)
        #expect(first.rest.prefix(leaves.count) == leaves[...])
        #expect(first.rest.suffix(result.rest.count) == result.rest[...])
        guard result.writtenByteCount > 0 else { continue }
        switch kind {
        case .kept: Issue.record("The kept digests were written.")
        case .dropped: break
        case .written(let file, let start):
          #expect(
            try file.readExactly(result.writtenByteCount, at: start, path: "")
              == Array(first.rest.prefix(result.writtenByteCount)))
        case .spilled:
          #expect(
            try result.spill?.readExactly(result.writtenByteCount, at: 0, path: "")
              == Array(first.rest.prefix(result.writtenByteCount)))
        }
      }
    }
  }

  @Test func `A tree with a missing digest is refused`() throws {
    let builder = DigestTreeBuilder(.kept)
    try builder.add(leaves(128), firstChunk: 0)
    #expect(code { try builder.finish(chunkCount: 129) } == .cryptographyUnavailable)
  }
}

import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// Rows of the segment directory that describe another segment than their own (Spec/archive.md, 6).
@Suite struct `A segment row` {
  private func refusal(
    _ bytes: [UInt8], _ read: (borrowing Archive) throws -> Void
  ) throws -> [ArchiveError?] {
    try [Archive(bytes), Archive(source: NotedSource(bytes))].map { archive in
      archiveError { try read(archive) }
    }
  }

  /// Segments of the same length, so that one can claim the offset of another and agree with everything else.
  private func bytes() throws -> [UInt8] {
    var writer = ArchiveWriter()
    for number in 1...4 as ClosedRange<UInt32> {
      try writer.writeObject(.init(number), typeName: "T") { coder in
        coder.encode(ArchiveBytes([UInt8](repeating: UInt8(number), count: 300_000)), forKey: "b")
      }
    }
    return try writer.finish(root: first)
  }

  @Test func `A segment row with the offset of another segment is refused`() throws {
    let bytes = try bytes()
    let segments = ArchiveMap(bytes).segments
    try #require(segments.count == 4)
    for (index, other) in [(1, 2), (2, 1), (2, 3), (3, 2)] {
      try #require(segments[index].bodiesByteCount == segments[other].bodiesByteCount)
      let forged = patched(
        bytes, at: segments[index].row, byteCount: 8, UInt64(segments[other].offset))
      var seen: [UInt8] = []
      let errors = try refusal(forged) { archive in
        seen = []
        try archive.forEachObject { object in
          let blob = try object.decode(ArchiveBytes.self, forKey: "b").bytes
          seen.append(blob[0])
        }
      }
      // The segments before it are sound.
      let firstWrong = min(index, other)
      #expect(seen == Array(1...UInt8(firstWrong)), "\(index) at \(other)")
      #expect(errors.allSatisfy { $0?.code == .damaged }, "\(index) at \(other)")
      #expect(
        errors.allSatisfy { $0?.offset == segments[firstWrong].row }, "\(index) at \(other)")
      #expect(try refusal(forged) { try $0.requireCanonical() }.allSatisfy { $0?.code == .damaged })
    }
  }
}

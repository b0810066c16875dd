import KeepsakeArchive
import Testing

/// Spec/archive.md, 7.7: after an error a reader uses nothing more of a stream.
@Suite struct `A stream reader after an error` {
  /// A source that fails in one call and would succeed in the next.
  private struct FaultySource: ArchiveSource {
    var source: PiecewiseSource
    let failingCall: Int
    let calls = Counter()

    mutating func read(into output: inout OutputSpan<UInt8>) throws {
      calls.add(1)
      if calls.count == failingCall { throw BrokenPipe() }
      try source.read(into: &output)
    }
  }

  /// Reads objects until the fourth error.
  private func errors(
    _ reader: consuming ArchiveStreamReader
  ) throws -> (objects: Int, errors: [any Error]) {
    var (objects, errors): (Int, [any Error]) = (0, [])
    while errors.count < 4 {
      do {
        guard try reader.withNextObject({ _ in objects += 1 }) != nil else { break }
      } catch {
        errors.append(error)
      }
    }
    #expect(reader.summary == nil)
    return (objects, errors)
  }

  @Test func `A stream reader throws the same error again after a damaged segment`() throws {
    let bytes = try archiveBytes(of: Entry.list())
    let segments = ArchiveMap(bytes).segments
    try #require(segments.count >= 3)
    // The first body of the second segment now ends after the second body.
    let damaged = patched(bytes, at: segments[1].ends, byteCount: 2, 0xFFFF)
    let reader = try ArchiveStreamReader(PiecewiseSource(damaged))
    let (objects, errors) = try errors(reader)
    #expect(objects == segments[0].objectCount)
    let found = errors.compactMap { $0 as? ArchiveError }
    #expect(found.map(\.code) == Array(repeating: .damaged, count: 4))
    #expect(Set(found.map(\.offset)).count == 1 && found[0].offset != nil)
  }

  @Test
  func `A stream reader throws the source's error again, even if the source recovers`() throws {
    let bytes = try archiveBytes(of: Entry.list())
    let segments = ArchiveMap(bytes).segments
    let whole = FaultySource(source: PiecewiseSource(bytes, piece: 4096), failingCall: .max)
    _ = try Reading(forward: whole)
    for failing in [whole.calls.count / 2, whole.calls.count] {
      let source = FaultySource(source: PiecewiseSource(bytes, piece: 4096), failingCall: failing)
      let reader = try ArchiveStreamReader(source)
      let (objects, errors) = try errors(reader)
      #expect(segments.contains { $0.firstObject + $0.objectCount - 1 == objects })
      #expect(errors.map { $0 as? BrokenPipe } == Array(repeating: BrokenPipe(), count: 4))
    }
  }

  @Test func `A stream reader continues when only the body failed`() throws {
    let entries = Entry.list(5)
    var reader = try ArchiveStreamReader(PiecewiseSource(archiveBytes(of: entries)))
    #expect(throws: BrokenPipe.self) { try reader.withNextObject { _ in throw BrokenPipe() } }
    #expect(try reader.next(Entry.self) == entries[1])
  }
}

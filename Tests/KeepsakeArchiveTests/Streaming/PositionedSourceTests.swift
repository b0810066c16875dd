import KeepsakeArchive
import TestSupport
import Testing

@Suite struct `Reading an archive at random` {
  @Test func `Opening reads both ends, and reading an object reads a row and a record`() throws {
    let bytes = try archiveBytes(of: Entry.list())
    let map = ArchiveMap(bytes)
    let source = NotedSource(bytes)
    let archive = try Archive(source: source)
    let opening = source.takeReads()
    // The directory of the first segment is after its records.
    let middle = map.segments[1].offset..<map.segments[4].offset
    #expect(opening.allSatisfy { !$0.overlaps(middle) })
    #expect(opening.map(\.count).reduce(0, +) < 4096)
    let entry = try Entry(from: archive.object(ArchiveObjectID(1200)))
    #expect(entry == Entry.list()[1199])
    let reads = source.takeReads()
    // The row of the segment, two entries of its directory in one block or two, and the record.
    #expect((2...4).contains(reads.count))
    #expect(reads.map(\.count).reduce(0, +) < 4096)
    // The blocks that were read last are cached.
    _ = try archive.object(ArchiveObjectID(1200)).decode(Int.self, forKey: "number")
    #expect(source.takeReads().allSatisfy { $0.count > 256 })
  }

  @Test func `A walk through all objects reads each segment once`() throws {
    let bytes = try archiveBytes(of: Entry.list())
    let source = NotedSource(bytes)
    let archive = try Archive(source: source)
    _ = source.takeReads()
    var count = 0
    try archive.forEachObject { object in
      count += try object.decode(Int.self, forKey: "number")
    }
    #expect(count == 1499 * 1500 / 2)
    let large = source.takeReads().filter { $0.count > 256 }
    #expect(large.count == ArchiveMap(bytes).segments.count)
    #expect(zip(large, large.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
    #expect(large.allSatisfy { $0.count < 300_000 })
  }

  @Test func `The blocks that were read last are cached, up to a bound`() throws {
    let bytes = try archiveBytes(of: Entry.list())
    let source = NotedSource(bytes, blockByteCount: 1 << 18)
    let archive = try Archive(source: source)
    for id in 1...1500 as ClosedRange<UInt32> { _ = try archive.object(ArchiveObjectID(id)) }
    // The cache holds the last four blocks and that of the footer, so reading upwards reads each block once.
    #expect(source.takeReads().count <= 2 * (bytes.count / (1 << 18) + 1))
  }

  @Test func `An error of a source is reported with its text`() throws {
    let bytes = try SmallArchives.graph()
    let whole = NotedSource(bytes, blockByteCount: 64)
    _ = try Reading(Archive(source: whole))
    for last in 1..<whole.takeReads().count {
      let source = NotedSource(bytes, blockByteCount: 64) { call, bytes in
        if call == last { throw BrokenPipe() }
        return bytes
      }
      let error = archiveError { _ = try Reading(Archive(source: source)) }
      #expect(error?.code == .sourceFailed)
      #expect(error?.message.contains("BrokenPipe") == true)
      #expect(error?.offset != nil)
    }
  }

  @Test func `A source that gives too few or too many bytes is refused`() throws {
    let bytes = try SmallArchives.graph()
    for wrong in [{ $0.dropLast() }, { $0 + [0] }, { _ in [] }] as [@Sendable ([UInt8]) -> [UInt8]]
    {
      let source = NotedSource(bytes) { call, bytes in call == 1 ? wrong(bytes) : bytes }
      #expect(
        archiveError { _ = try Reading(Archive(source: source)) }?.code == .sourceFailed)
    }
  }

  @Test(arguments: 0..<3)
  func `Every prefix is refused when it is opened`(index: Int) throws {
    let bytes = try SmallArchives.all()[index]
    for count in 0..<bytes.count {
      let source = NotedSource(Array(bytes[..<count]))
      let error = archiveError { _ = try Archive(source: source) }
      #expect(error?.code == .truncated, "\(count) bytes")
    }
  }

  @Test func `A record larger than the limit is not read`() throws {
    let bytes = try archiveBytes {
      $0.encode(ArchiveBytes([UInt8](repeating: 1, count: 2_000_000)), forKey: "b")
    }
    var limits = ArchiveLimits()
    limits.recordByteCount = 1_000_000
    let archive = try Archive(source: NotedSource(bytes), limits: limits)
    #expect(archiveError { _ = try archive.object(first) }?.code == .limitExceeded)
  }

  /// the search reads rows to find that of an object, and opening the segment reads this row again.
  @Test func `A row that changes while it is used never gives another object`() throws {
    var writer = ArchiveWriter()
    try writer.writeObjects([Point(x: 1, y: 2), Point(x: 3, y: 4)], typeName: "Point")
    let bytes = try writer.finish(root: first)
    let map = ArchiveMap(bytes)
    let segment = map.segments[0]
    // The search starts at the last row and moves away in steps that double. So it reads the row after the segment's, and
    // then rows of five other blocks until that one has left the cache. The rows before the segment's have no objects.
    let rowCount = 1 << 19
    let rowIndex = rowCount / 4 * 3 - 1
    let row = map.segmentDirectory + rowIndex * 20
    let end = patched(
      patched([UInt8](repeating: 0, count: 20), at: 0, byteCount: 8, UInt64(map.footer)),
      at: 8, byteCount: 4, 3)
    var original = Array(bytes[..<map.segmentDirectory])
    original += [UInt8](repeating: 0, count: rowIndex * 20)
    original += bytes[segment.row..<segment.row + 20]
    for _ in rowIndex + 1..<rowCount { original += end }
    original += bytes[map.tail...]
    let tail = original.count - 24
    original = patched(original, at: tail + 4, byteCount: 4, UInt64(rowCount))
    original = patched(original, at: tail + 8, byteCount: 4, UInt64(rowCount))
    let sound = try Archive(source: NotedSource(original, blockByteCount: 1 << 18))
    let point = try Point(from: sound.object(second))
    #expect(point == Point(x: 3, y: 4))
    // In the changed bytes the segment has one object, and the next segment has the second one.
    var changed = patched(
      original, at: row + 12, byteCount: 4, UInt64(segment.bodiesByteCount / 2))
    changed = patched(changed, at: row + 28, byteCount: 4, 2)
    let source = ChangingSource(original, later: changed, blockByteCount: 1 << 18)
    let archive = try Archive(source: source)
    let error = archiveError { _ = try archive.object(second) }
    #expect(error?.code == .damaged && error?.objectID == second)
    #expect(error?.message == "no segment holds object #2")
  }

  @Test func `Several threads read one archive at once`() async throws {
    let entries = Entry.list()
    let archive = try Archive(source: NotedSource(archiveBytes(of: entries)))
    try await withThrowingTaskGroup(of: [Entry].self) { group in
      for start in 1...4 as ClosedRange<UInt32> {
        group.addTask {
          try stride(from: start, through: 1500, by: 7).map { id in
            try Entry(from: archive.object(ArchiveObjectID(id)))
          }
        }
      }
      var count = 0
      for try await read in group {
        count += read.count
        #expect(read.allSatisfy { $0 == entries[$0.number] })
      }
      #expect(count > 800)
    }
  }
}

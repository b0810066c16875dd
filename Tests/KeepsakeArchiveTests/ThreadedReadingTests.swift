import Dispatch
import KeepsakeArchive
import TestSupport
import Testing

@Suite struct `Reading the objects on several threads` {
  private struct Entry: ArchiveRecord, Equatable {
    var number: Int32
    var text: String

    init(_ number: Int) {
      self.number = Int32(number)
      text = String(repeating: "x", count: 1000 + number % 100)
    }

    func encode(to coder: inout ObjectEncoder) {
      coder.encode(number, forKey: "number")
      coder.encode(text, forKey: "text")
    }

    init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
      number = try coder.decode(forKey: "number")
      text = try coder.decode(forKey: "text")
    }
  }

  /// The number of `CountedEntry` tokens that are alive; only one test uses it.
  private static let alive = Counter()

  private struct CountedEntry: ArchiveDecodableRecord, Sendable {
    final class Token: Sendable {
      init() { alive.add(1) }
      deinit { alive.add(-1) }
    }

    let token: Token

    init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
      token = Token()
      _ = try coder.decode(String.self, forKey: "text")
    }
  }

  /// The number of `TriedEntry` values that were begun; only one test uses it.
  private static let tried = Counter()

  private struct TriedEntry: ArchiveDecodableRecord, Sendable {
    let text: String

    init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
      tried.add(1)
      text = try coder.decode(forKey: "text")
    }
  }

  private struct TextEntry: ArchiveDecodableRecord, Sendable {
    let text: String

    init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
      text = try coder.decode(forKey: "text")
    }
  }

  private static let entries = (1...1500).map { Entry($0) }

  /// An archive of about 24 segments with 61 or 62 objects each; a thread reads four segments at a time.
  private func bytes() throws -> [UInt8] {
    var writer = ArchiveWriter()
    try writer.writeObjects(Self.entries, typeName: "Entry")
    return try writer.finish(root: first)
  }

  /// The same archive with ill-formed texts in some objects.
  private func damaged(_ objects: [Int]) throws -> [UInt8] {
    var bytes = try bytes()
    let map = ArchiveMap(bytes)
    for object in objects { bytes[map.record(object).upperBound - 1] = 0xFF }
    return bytes
  }

  private static let threads: @Sendable (Int, @Sendable () -> Void) -> Void = { count, work in
    DispatchQueue.concurrentPerform(iterations: count) { _ in work() }
  }

  /// Calls the work a fixed number of times, one call after the other, and ignores the requested number of threads.
  private static func times(_ count: Int) -> (Int, @Sendable () -> Void) -> Void {
    { _, work in for _ in 0..<count { work() } }
  }

  @Test(arguments: [-1, 0, 1, 2, 3, 64]) func `Threads read the same values as reading in order`(
    threads: Int
  ) throws {
    let archive = try Archive(bytes())
    #expect(try archive.decodeObjects(Entry.self) == Self.entries)
    let values = try archive.decodeObjects(Entry.self, threads: threads, on: Self.threads)
    #expect(values == Self.entries)
  }

  @Test(arguments: [0, 1, 7]) func `All objects are read, however often the work is called`(
    times: Int
  ) throws {
    let archive = try Archive(bytes())
    let values = try archive.decodeObjects(Entry.self, threads: 4, on: Self.times(times))
    #expect(values == Self.entries)
  }

  @Test(arguments: [[1], [1500], [700], [3, 1400], [500, 501], [260, 240, 1300]])
  func `Threads throw the error of reading in order`(objects: [Int]) throws {
    let archive = try Archive(damaged(objects))
    let inOrder = archiveError { _ = try archive.decodeObjects(Entry.self) }
    #expect(inOrder?.objectID == ArchiveObjectID(UInt32(objects.min() ?? 0)))
    #expect(inOrder?.keyPath == ["text"])
    for run in [Self.threads, Self.times(0), Self.times(2)] {
      #expect(
        archiveError { _ = try archive.decodeObjects(Entry.self, threads: 4, on: run) } == inOrder)
    }
  }

  // The two rows agree with each other and with their segments, but not with the rows before them.
  @Test(arguments: [1, 100] as [UInt64])
  func `Threads throw the error of reading in order if rows go back`(firstObject: UInt64)
    throws
  {
    var bytes = try bytes()
    let map = ArchiveMap(bytes)
    var next = firstObject
    for segment in map.segments[8...9] {
      bytes = patched(bytes, at: segment.row + 8, byteCount: 4, next)
      next += UInt64(segment.objectCount)
    }
    let archive = try Archive(bytes)
    let inOrder = archiveError { _ = try archive.decodeObjects(Entry.self) }
    let threaded = archiveError {
      _ = try archive.decodeObjects(Entry.self, threads: 3, on: Self.threads)
    }
    #expect(threaded == inOrder && inOrder?.code == .damaged)
  }

  @Test func `No value stays in memory when reading fails`() throws {
    for object in [1, 800, 1500] {
      let archive = try Archive(damaged([object]))
      for run in [Self.threads, Self.times(1)] {
        let error = archiveError {
          _ = try archive.decodeObjects(CountedEntry.self, threads: 3, on: run)
        }
        #expect(error?.code == .invalidUTF8)
        #expect(Self.alive.count == 0)
      }
    }
    var values = try Archive(bytes()).decodeObjects(
      CountedEntry.self, threads: 3, on: Self.threads)
    #expect(Self.alive.count == Self.entries.count)
    values = []
    #expect(Self.alive.count == 0 && values.isEmpty)
  }

  @Test func `Reading ends at the first error`() throws {
    let archive = try Archive(damaged([300]))
    let error = archiveError {
      _ = try archive.decodeObjects(TriedEntry.self, threads: 4, on: Self.times(3))
    }
    #expect(error?.objectID == ArchiveObjectID(300))
    #expect(Self.tried.count == 300)
    // Each of the two threads stops at its first error.
    let all = try Archive(damaged(Array(1...1500)))
    #expect(
      archiveError {
        _ = try all.decodeObjects(TriedEntry.self, threads: 2, on: Self.threads)
      } != nil)
    #expect(Self.tried.count <= 302)
  }

  /// The number of segments, and the number of threads that reading requests when three are allowed.
  ///
  /// 0 means that reading requests no threads.
  @Test(arguments: [(4, 0), (5, 2), (8, 2), (9, 3), (17, 3)])
  func `Reading requests a number of threads that depends on the segments`(
    segments: Int, threads: Int
  ) throws {
    var writer = ArchiveWriter()
    for _ in 0..<segments {
      try writer.writeObject(writer.nextObjectID, typeName: "Test") {
        $0.encode(String(repeating: "x", count: 40_000), forKey: "text")
      }
    }
    let bytes = try writer.finish(root: first)
    try #require(ArchiveMap(bytes).segments.count == segments)
    var requested = 0
    let values = try Archive(bytes).decodeObjects(TextEntry.self, threads: 3) { count, work in
      requested = count
      work()
    }
    #expect(values.count == segments)
    #expect(requested == threads)
  }

  @Test func `Threads read an archive in a source in the same way`() throws {
    let source = try NotedSource(bytes(), blockByteCount: 1 << 16)
    let archive = try Archive(source: source)
    let values = try archive.decodeObjects(Entry.self, threads: 3, on: Self.threads)
    #expect(values == Self.entries)
    let broken = try NotedSource(bytes(), blockByteCount: 1 << 16) { call, bytes in
      if call > 12 { throw CancellationError() }
      return bytes
    }
    let error = archiveError {
      _ = try Archive(source: broken).decodeObjects(Entry.self, threads: 3, on: Self.threads)
    }
    #expect(error?.code == .sourceFailed)
  }

  @Test func `Threads throw the error of reading in order if rows do not increase`() throws {
    let bytes = try bytes()
    let map = ArchiveMap(bytes)
    for row in [4, 5, 8] {
      for number in [0, 1, 100_000] as [UInt64] {
        let archive = try Archive(
          patched(bytes, at: map.segments[row].row + 8, byteCount: 4, number))
        let inOrder = archiveError { _ = try archive.decodeObjects(Entry.self) }
        #expect(inOrder?.code == .damaged)
        let threaded = archiveError {
          _ = try archive.decodeObjects(Entry.self, threads: 3, on: Self.threads)
        }
        #expect(threaded == inOrder)
      }
    }
  }
}

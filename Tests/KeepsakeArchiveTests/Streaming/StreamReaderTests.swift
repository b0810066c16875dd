import KeepsakeArchive
import Testing

@Suite struct `Reading an archive forward` {
  @Test func `A stream reader gives values one after the other, and a summary at the end`() throws {
    let entries = Entry.list()
    let bytes = try archiveBytes(of: entries)
    var reader = try ArchiveStreamReader(PiecewiseSource(bytes))
    #expect(reader.reserved.bundleVersion == "1.0")
    #expect(reader.summary == nil)
    var read: [Entry] = []
    while let entry = try reader.next(Entry.self) { read.append(entry) }
    #expect(read == entries)
    #expect(reader.summary?.byteCount == bytes.count)
    #expect(reader.summary?.objectCount == 1500)
    #expect(try reader.next(Entry.self) == nil)
  }

  @Test func `A segment is read only after all objects of the one before it`() throws {
    let bytes = try archiveBytes(of: Entry.list())
    let segment = ArchiveMap(bytes).segments[1].offset
    let source = PiecewiseSource(bytes, piece: 64)
    var reader = try ArchiveStreamReader(source)
    for _ in 0..<100 { _ = try reader.next(Entry.self) }
    #expect(source.given.count == segment)
  }

  @Test func `The complete segments of a truncated archive are read`() throws {
    let bytes = try archiveBytes(of: Entry.list())
    let map = ArchiveMap(bytes)
    for cut in [map.segments[2].offset, map.segments[2].offset + 1000, map.footer, bytes.count - 1]
    {
      var reader = try ArchiveStreamReader(PiecewiseSource(Array(bytes[..<cut])))
      var count = 0
      let error = archiveError { while try reader.next(Entry.self) != nil { count += 1 } }
      #expect(error?.code == .truncated)
      #expect(error?.offset == cut)
      let complete = map.segments.filter {
        $0.end < map.footer ? $0.end <= cut : map.conditionals <= cut
      }
      #expect(count == complete.map(\.objectCount).reduce(0, +))
      // The reader does not continue.
      #expect(archiveError { _ = try reader.next(Entry.self) } == error)
      #expect(reader.summary == nil)
    }
  }

  @Test func `A body that throws loses only its own object`() throws {
    let entries = Entry.list(3)
    var reader = try ArchiveStreamReader(PiecewiseSource(archiveBytes(of: entries)))
    _ = try reader.next(Entry.self)
    do {
      _ = try reader.withNextObject { _ in throw BrokenPipe() }
      Issue.record("the error was swallowed")
    } catch is BrokenPipe {}
    let last = try reader.next(Entry.self)
    #expect(last == entries[2])
  }

  @Test func `A source that fails at any call ends the reading with its error`() throws {
    let bytes = try SmallArchives.graph()
    let whole = PiecewiseSource(bytes, piece: 40)
    _ = try Reading(forward: whole)
    for successes in 0..<whole.calls.count {
      #expect(throws: BrokenPipe.self) {
        try Reading(forward: PiecewiseSource(bytes, piece: 40, successes: successes))
      }
    }
  }

  @Test func `A decoder that a caller keeps outlives the segment`() throws {
    var writer = ArchiveWriter()
    for number in 1...3 as ClosedRange<UInt32> {
      try writer.writeObject(.init(number), typeName: "T") { coder in
        coder.encode(ArchiveBytes([UInt8](repeating: 1, count: 300_000)), forKey: "fill")
        coder.withScope("Base") { $0.encode("text \(number)", forKey: "text") }
      }
    }
    var reader = try ArchiveStreamReader(PiecewiseSource(try writer.finish(root: first)))
    let kept = try reader.withNextObject { KeptDecoder($0.scope("Base")) }
    try reader.forEachObject { _ in }
    let text = try kept?.decoder.decode(String.self, forKey: "text")
    #expect(text == "text 1")
  }

  @Test func `A conditional reference can be followed only at the end`() throws {
    var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: "2"))
    writer.conditionalObjects = [first]
    try writer.writeObject(first, typeName: "T") { coder in
      coder.encode(ArchiveConditionalReference(1), forKey: "weak")
    }
    var reader = try ArchiveStreamReader(PiecewiseSource(try writer.finish(root: first)))
    try reader.forEachObject { object in
      let error = archiveError { _ = try object.decode(ArchiveReference.self, forKey: "weak") }
      #expect(error?.code == .notYetRead)
      let number = try object.decode(ArchiveConditionalReference.self, forKey: "weak")
      #expect(number == ArchiveConditionalReference(1))
      let version = try object.decode(String.self, forKey: .bundleVersion)
      #expect(version == "2")
    }
    #expect(reader.summary?.conditionalObjects == [first])
  }
}

/// A decoder that a test keeps.
private final class KeptDecoder {
  let decoder: ObjectDecoder

  init(_ decoder: consuming ObjectDecoder) { self.decoder = decoder }
}

import KeepsakeArchive
import Testing

@Suite struct `Writing an archive into a sink` {
  private func writer(_ sink: KeptBytes) -> ArchiveStreamWriter<KeptBytes> {
    ArchiveStreamWriter(to: sink, reserved: ReservedValues(bundleVersion: "1.0"))
  }

  @Test func `The bytes are those of the writer in memory, handed over by segments`() throws {
    let entries = Entry.list()
    let sink = KeptBytes()
    var writer = writer(sink)
    var ids: [ArchiveObjectID] = []
    for entry in entries { ids.append(try writer.write(entry)) }
    #expect(ids.map(\.rawValue) == Array(1...1500))
    #expect(writer.nextObjectID.rawValue == 1501)
    let taken = writer.byteCount
    #expect(taken == sink.bytes.count)
    try writer.finish()
    let expected = try archiveBytes(of: entries)
    #expect(sink.bytes == expected)
    #expect(sink.cuts.count == ArchiveMap(expected).segments.count)
    #expect(sink.cuts.dropLast().allSatisfy { (262_144..<300_000).contains($0) })
    #expect(taken > expected.count / 2)
  }

  @Test func `A small archive is handed over at once`() throws {
    let sink = KeptBytes()
    var writer = writer(sink)
    try writer.write(Entry(1, "one"))
    #expect(sink.cuts.isEmpty)
    try writer.finish()
    #expect(sink.cuts == [sink.bytes.count])
    let archive = try Archive(sink.bytes)
    try archive.verify()
    #expect(archive.rootID == first)
    #expect(try Entry(from: archive.object(first)) == Entry(1, "one"))
  }

  @Test func `A record that fails leaves no trace, and the stream goes on`() throws {
    let sink = KeptBytes()
    var writer = writer(sink)
    #expect(throws: BrokenPipe.self) {
      try writer.write(typeName: "Entry") { coder in
        coder.encode(1, forKey: "other")
        throw BrokenPipe()
      }
    }
    #expect(throws: ArchiveError.self) {
      try writer.write(typeName: "Entry") { coder in
        coder.encode(1, forKey: "twice")
        coder.encode(1, forKey: "twice")
      }
    }
    try writer.write(Entry(1, "one"))
    try writer.finish()
    #expect(try sink.bytes == archiveBytes(of: [Entry(1, "one")]))
  }

  @Test(arguments: 0..<4)
  func `A sink that fails is not called again`(successes: Int) throws {
    let sink = KeptBytes()
    sink.successes = successes
    var writer = writer(sink)
    var failed = false
    for entry in Entry.list() {
      do {
        try writer.write(entry)
        if failed { Issue.record("a record was written after the sink failed") }
      } catch is BrokenPipe {
        failed = true
        sink.successes = .max
      }
    }
    #expect(failed)
    #expect(throws: BrokenPipe.self) { try writer.writeGraph(Node(1)) }
    #expect(finishError(writer) is BrokenPipe)
    #expect(sink.cuts.count == successes)
  }

  @Test func `A stream ends at the limit of its bytes`() throws {
    var limits = ArchiveLimits()
    limits.byteCount = 500_000
    let sink = KeptBytes()
    var writer = ArchiveStreamWriter(to: sink, limits: limits)
    var error: ArchiveError?
    do {
      for entry in Entry.list() { try writer.write(entry) }
    } catch let thrown as ArchiveError {
      error = thrown
    }
    #expect(error?.code == .limitExceeded)
    #expect(sink.bytes.count < 500_000)
  }

  @Test func `A stream without records or with a missing reference cannot be completed`() throws {
    #expect(finishError(writer(KeptBytes())) is ArchiveError)
    var dangling = writer(KeptBytes())
    try dangling.write(typeName: "T") { $0.encode(ArchiveReference(second), forKey: "next") }
    #expect(finishError(dangling) is ArchiveError)
  }
}

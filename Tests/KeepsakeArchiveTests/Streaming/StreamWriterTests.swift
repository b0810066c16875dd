import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

@Suite struct `Writing an archive into a sink` {
  private func writer(_ sink: KeptBytes) -> ArchiveStreamWriter<KeptBytes> {
    ArchiveStreamWriter(to: sink, reserved: ReservedValues(bundleVersion: "1.0"))
  }

  @Test func `A stream has the bytes of the writer in memory, written segment by segment`() throws {
    let entries = Entry.list()
    let sink = KeptBytes()
    var writer = writer(sink)
    var ids: [ArchiveObjectID] = []
    for entry in entries { ids.append(try writer.writeObject(entry)) }
    #expect(ids.map(\.rawValue) == Array(1...1500))
    #expect(writer.nextObjectID.rawValue == 1501)
    let taken = writer.byteCount
    #expect(taken == sink.bytes.count)
    try writer.finish()
    let expected = try archiveBytes(of: entries)
    #expect(sink.bytes == expected)
    #expect(sink.cuts.count == ArchiveMap(expected).segments.count)
    #expect(sink.cuts.dropLast().allSatisfy { (60_000..<70_000).contains($0) })
    #expect(taken > expected.count / 2)
  }

  /// Writes objects with a template and with conditional references.
  private func writeDetails(
    _ write: (String?, (inout ObjectEncoder) throws -> Void) throws -> ArchiveObjectID
  ) rethrows -> [ArchiveObjectID?] {
    let first = try write("main") { coder in
      coder.encode(ArchiveConditionalReference(2), forKey: "owner")
      coder.encode(ArchiveConditionalReference(1), forKey: "target")
    }
    _ = try write(nil) { $0.encode(ArchiveReference(first), forKey: "previous") }
    return [nil, first]
  }

  @Test
  func `A stream writes templates and conditional references as the writer in memory does`() throws
  {
    let sink = KeptBytes()
    var stream = writer(sink)
    stream.conditionalObjects = try writeDetails { template, body in
      try stream.writeObject(typeName: "T", template: template, body)
    }
    try stream.writeObject(Entry(1, "one"), template: "line")
    #expect(stream.conditionalObjects == [nil, first])
    try stream.finish()
    var whole = ArchiveWriter(reserved: ReservedValues(bundleVersion: "1.0"))
    whole.conditionalObjects = try writeDetails { template, body in
      let id = whole.nextObjectID
      try whole.writeObject(id, typeName: "T", template: template, body)
      return id
    }
    try whole.writeObject(whole.nextObjectID, typeName: "Entry", template: "line") {
      Entry(1, "one").encode(to: &$0)
    }
    #expect(try sink.bytes == whole.finish(root: first))
    let archive = try Archive(sink.bytes)
    #expect(try archive.object(first).decode(String.self, forKey: .template) == "main")
    #expect(try archive.conditionalObjects == [nil, first])
    #expect(try archive.verdict() == .canonical)
  }

  @Test func `A conditional reference without an entry is refused at the end`() throws {
    var stream = writer(KeptBytes())
    try stream.writeObject(typeName: "T") { $0.encode(ArchiveConditionalReference(1), forKey: "a") }
    #expect((finishError(stream) as? ArchiveError)?.code == .unwrittenReference)
  }

  @Test func `A small archive is written at once`() throws {
    let sink = KeptBytes()
    var writer = writer(sink)
    try writer.writeObject(Entry(1, "one"))
    #expect(sink.cuts.isEmpty)
    try writer.finish()
    #expect(sink.cuts == [sink.bytes.count])
    let archive = try Archive(sink.bytes)
    try archive.requireCanonical()
    #expect(archive.rootID == first)
    #expect(try Entry(from: archive.object(first)) == Entry(1, "one"))
  }

  @Test func `A record that fails leaves no trace, and the stream continues`() throws {
    let sink = KeptBytes()
    var writer = writer(sink)
    #expect(throws: BrokenPipe.self) {
      try writer.writeObject(typeName: "Entry") { coder in
        coder.encode(1, forKey: "other")
        throw BrokenPipe()
      }
    }
    let error = #expect(throws: ArchiveError.self) {
      try writer.writeObject(typeName: "Entry") { coder in
        coder.encode(1, forKey: "twice")
        coder.encode(1, forKey: "twice")
      }
    }
    #expect(error?.code == .duplicateKey && error?.keyPath == ["twice"])
    try writer.writeObject(Entry(1, "one"))
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
        try writer.writeObject(entry)
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

  @Test func `A stream above the limit of its bytes is refused`() throws {
    var limits = ArchiveLimits()
    limits.byteCount = 500_000
    let sink = KeptBytes()
    var writer = ArchiveStreamWriter(to: sink, limits: limits)
    var error: ArchiveError?
    do {
      for entry in Entry.list() { try writer.writeObject(entry) }
    } catch let thrown as ArchiveError {
      error = thrown
    }
    #expect(error?.code == .limitExceeded)
    #expect(sink.bytes.count < 500_000)
  }

  @Test func `A stream without records or with a missing reference cannot be completed`() throws {
    #expect(finishError(writer(KeptBytes())) is ArchiveError)
    var dangling = writer(KeptBytes())
    try dangling.writeObject(typeName: "T") { $0.encode(ArchiveReference(second), forKey: "next") }
    #expect(finishError(dangling) is ArchiveError)
  }
}

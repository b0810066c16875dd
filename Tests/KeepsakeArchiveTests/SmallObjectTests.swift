import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// An object may take as little as an end in the directory of its segment.
///
/// Every reader accepts an archive of many such objects, from every writer.
@Suite struct `Archives of many small objects` {
  /// The content of an object.
  enum Content: CaseIterable {
    case nothing, bool, int16

    func encode(to coder: inout ObjectEncoder) {
      switch self {
      case .nothing: break
      case .bool: coder.encode(true, forKey: "a")
      case .int16: coder.encode(7 as Int16, forKey: "a")
      }
    }
  }

  /// Reads an archive in every way, and compares the results.
  private func checkReadings(_ bytes: [UInt8], objectCount: Int) throws {
    let whole = try Reading(Archive(bytes))
    #expect(whole.objects.count == objectCount)
    try Archive(bytes).requireCanonical()
    #expect(try Reading(Archive(source: NotedSource(bytes))) == whole)
    #expect(try Reading(forward: PiecewiseSource(bytes)) == whole)
  }

  @Test(arguments: Content.allCases)
  func `Every reader accepts any number of small objects`(content: Content) throws {
    for count in [1, 2, 101, 102, 103, 155, 156, 157, 233, 234, 235, 1_000] {
      var writer = ArchiveWriter()
      for number in 1...count {
        try writer.writeObject(ArchiveObjectID(UInt32(number)), typeName: "T") {
          content.encode(to: &$0)
        }
      }
      try checkReadings(writer.finish(root: first), objectCount: count)
    }
  }

  private struct Empty: ArchiveRecord {
    static let archiveTypeName = "Empty"
    init() {}
    init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {}
    func encode(to coder: inout ObjectEncoder) {}
  }

  private final class EmptyObject: ArchiveObject {
    static let archiveTypeName = "EmptyObject"
    var next: [EmptyObject] = []
    init() {}
    init(from coder: borrowing ObjectDecoder) throws {}
    func decode(from coder: borrowing ObjectDecoder) throws {}
    func encode(to coder: inout ObjectEncoder) {
      if !next.isEmpty { coder.encodeReferences(next, forKey: "next") }
    }
  }

  @Test func `Every writer makes archives of small objects that are read again`() throws {
    let count = 1_000
    var list = ArchiveWriter()
    try list.writeObjects([Empty](repeating: Empty(), count: count), typeName: "Empty")
    let listed = try list.finish(root: first)
    try checkReadings(listed, objectCount: count)
    var stream = ArchiveStreamWriter(to: KeptBytes())
    for _ in 0..<count { try stream.writeObject(Empty()) }
    try #expect(stream.finish().bytes == listed)
    try #expect(ArchiveDocument(Archive(listed)).encoded() == listed)
    let root = EmptyObject()
    root.next = (0..<count).map { _ in EmptyObject() }
    try checkReadings(Archive.encode(root), objectCount: count + 1)
  }

  @Test func `A number of objects that exceeds the bytes of the archive is refused`() throws {
    var writer = ArchiveWriter()
    try writer.writeObjects([Empty](repeating: Empty(), count: 5), typeName: "Empty")
    let bytes = try writer.finish(root: first)
    let tail = ArchiveMap(bytes).tail
    // Each object but the first of a segment takes at least a byte.
    let most = UInt64(bytes.count)
    for (count, isRefused) in [(most - 1, false), (most, false), (most + 1, true)] {
      let changed = patched(bytes, at: tail + 8, byteCount: 4, count)
      let error = openError(changed)
      #expect((error != nil) == isRefused)
      if isRefused {
        #expect(error?.code == .damaged)
        #expect(error?.offset == tail)
      } else {
        #expect(verifyError(changed)?.code == .damaged)
      }
    }
  }
}

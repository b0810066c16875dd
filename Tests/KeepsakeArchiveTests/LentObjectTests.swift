import TestSupport
import Testing

@testable import KeepsakeArchive

@Suite struct `A decoder that is lent` {
  @Test
  func `A decoder owns the bytes that it reads from a source, and not those in memory`() throws {
    let bytes = try archiveBytes { $0.encode("text", forKey: "a") }
    for (archive, isKept) in [
      (try Archive(bytes), false), (try Archive(source: NotedSource(bytes)), true),
    ] {
      var finder = ObjectFinder(archive)
      for _ in 0..<2 {
        let decoder = try finder.lentObject(first)
        #expect((decoder.owner.object is ArchiveStorage) == isKept)
        #expect(try decoder.decode(String.self, forKey: "a") == "text")
      }
    }
  }
}

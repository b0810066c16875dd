import KeepsakeArchive
import Testing

@Suite struct `Writing and reading an archive` {
  @Test func `Values come back under their keys`() throws {
    var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: "11.0"))
    try writer.writeObject(ArchiveObjectID(1), typeName: "Window", template: "main") { coder in
      coder.encode("Contacts", forKey: "title")
      coder.encode("A title that is longer than seven bytes", forKey: "long")
      coder.encode(42, forKey: "count")
      coder.encode(11.0, forKey: "version")
      coder.encode([1, 2, 3], forKey: "rows")
      coder.encode(["b": 2, "a": 1], forKey: "map")
      coder.encode(nil as Int?, forKey: "none")
      coder.encode(ArchiveReference(ArchiveObjectID(2)), forKey: "child")
    }
    try writer.writeObject(ArchiveObjectID(2), typeName: "View") { coder in
      coder.encode(true, forKey: "isHidden")
    }
    let bytes = try writer.finish(root: ArchiveObjectID(1))
    let archive = try Archive(bytes)
    try archive.verify()
    #expect(archive.reserved.bundleVersion == "11.0")
    let window = try archive.object(archive.rootID)
    #expect(try window.decode(String.self, forKey: "title") == "Contacts")
    #expect(
      try window.decode(String.self, forKey: "long") == "A title that is longer than seven bytes")
    #expect(try window.decode(Int.self, forKey: "count") == 42)
    #expect(try window.decode(Float.self, forKey: "version") == 11)
    #expect(try window.decode([Int].self, forKey: "rows") == [1, 2, 3])
    #expect(try window.decode([String: Int].self, forKey: "map") == ["a": 1, "b": 2])
    #expect(try window.decodeIfPresent(Int.self, forKey: "none") == nil)
    #expect(try window.decode(String.self, forKey: .template) == "main")
    #expect(try window.decode(String.self, forKey: .bundleVersion) == "11.0")
    let child = try window.decode(ArchiveReference.self, forKey: "child").objectID
    #expect(try archive.object(try #require(child)).decode(Bool.self, forKey: "isHidden"))
  }
}

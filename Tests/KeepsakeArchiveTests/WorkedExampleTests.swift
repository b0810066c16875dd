import Foundation
import KeepsakeArchive
import Testing

@Suite struct `The worked example of the archive's specification` {
  /// The bytes of section 8, which are what an implementation in another language goes by.
  private func exampleBytes() throws -> [UInt8] {
    let specification = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Spec/archive.md")
    let text = try String(contentsOf: specification, encoding: .utf8)
    let block = try #require(text.components(separatedBy: "```hex\n").last)
    let lines = block.components(separatedBy: "```")[0].split(separator: "\n")
    var bytes: [UInt8] = []
    for line in lines {
      let columns = line.split(separator: "|")[0].split(separator: " ")
      let offset = try #require(Int(columns[0], radix: 16))
      #expect(offset == bytes.count, "a line is missing before \(line)")
      bytes += try columns.dropFirst().map { try #require(UInt8($0, radix: 16)) }
    }
    return bytes
  }

  private func write() throws -> [UInt8] {
    let window = ArchiveObjectID(1)
    var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: "11.0"))
    try writer.writeObject(window, typeName: "Window") { coder in
      coder.encode("Contacts", forKey: "title")
      coder.encode(UInt8(3), forKey: "count")
      coder.encode(nil as Double?, forKey: "scale")
      coder.withScope("Base") { $0.encode(ArchiveReference(window), forKey: "owner") }
    }
    return try writer.finish(root: window)
  }

  @Test func `is what the writer writes, to the byte`() throws {
    let example = try exampleBytes()
    #expect(example.count > 500)
    #expect(try write() == example)
  }

  @Test func `is read as it says`() throws {
    let archive = try Archive(try exampleBytes())
    try archive.verify()
    #expect(archive.reserved == ReservedValues(bundleVersion: "11.0") && archive.objectCount == 1)
    let window = try archive.object(archive.rootID)
    let title = try window.decode(String.self, forKey: "title")
    let count = try window.decode(Int.self, forKey: "count")
    let scale = try window.decodeIfPresent(Double.self, forKey: "scale")
    let owner = try window.scope("Base").decode(ArchiveReference.self, forKey: "owner")
    #expect((window.typeName, title, count) == ("Window", "Contacts", 3))
    #expect(scale == nil && owner.objectID == archive.rootID)
  }
}

import Foundation
import KeepsakeArchive
import KeepsakeDocuments
import Testing

/// The example of Spec/archive.md, section 8.
enum WorkedExample {
  /// The text of the specification.
  static func specification() throws -> String {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Spec/archive.md")
    return try String(contentsOf: page, encoding: .utf8)
  }

  /// The bytes that the section prints.
  static func printedBytes() throws -> [UInt8] {
    let block = try #require(try specification().components(separatedBy: "```hex\n").last)
    let lines = block.components(separatedBy: "```")[0].split(separator: "\n")
    var bytes: [UInt8] = []
    for line in lines {
      let columns = line.split(separator: "|")[0].split(separator: " ")
      let offset = try #require(Int(columns[0], radix: 16))
      #expect(offset == bytes.count, "a line is missing before \(line)")
      if columns.count == 4, columns[2] == "x" {
        bytes += Array(repeating: 0, count: try #require(Int(columns[3])))
      } else {
        bytes += try columns.dropFirst().map { try #require(UInt8($0, radix: 16)) }
      }
    }
    return bytes
  }

  private static func point(_ x: Float, _ y: Float) -> DynamicValue {
    .record(.init(fields: [.init(key: "x", value: .float(x)), .init(key: "y", value: .float(y))]))
  }

  private static func person(_ name: String) -> DynamicValue {
    .record(.init(typeName: "Person", fields: [.init(key: "name", value: .string(name))]))
  }

  /// The bytes that the writer makes from the values in the section.
  static func writtenBytes() throws -> [UInt8] {
    var writer = ArchiveWriter(
      reserved: ReservedValues(
        bundleVersion: "11.0", timestamp: ArchiveDate(secondsSinceReferenceDate: 0.5)))
    try writer.writeObject(first, typeName: "Window") { coder in
      coder.encode("Contacts", forKey: "title")
      coder.encode(true, forKey: "open")
      coder.encode(nil as Float?, forKey: "scale")
      coder.encodeIfPresent(nil as String?, forKey: "note")
      coder.encode(point(0.5, 1), forKey: "origin")
      coder.withScope("Base") { $0.encode(ArchiveReference(second), forKey: "screen") }
      coder.encode(ArchiveConditionalReference(1), forKey: "focus")
      encodeArrays(to: &coder)
      coder.encode(["new": 1, "save": 2] as [String: UInt8], forKey: "menu")
      coder.encode([1, 256] as Set<UInt16>, forKey: "tags")
      let row = DynamicRecord(
        typeName: "Choice", fields: [.init(key: "index", value: .unsigned(84, bitWidth: 8))])
      coder.encode(DynamicValue.enumeration("row", row), forKey: "choice")
    }
    try writer.writeObject(second, typeName: "Screen", schemaVersion: 2) { coder in
      coder.encode(1920, forKey: "width")
    }
    writer.conditionalObjects = [first]
    return try writer.finish(root: first)
  }

  private static func encodeArrays(to coder: inout ObjectEncoder) {
    coder.encode([point(0, 0), point(2, 3)], forKey: "corners")
    coder.encode([[1, 2], [3, 4], [5, 6]] as [[UInt8]], forKey: "grid")
    coder.encode([1, 256] as [UInt16], forKey: "marks")
    coder.encode([true, false, true], forKey: "flags")
    coder.encode([1, nil, 3] as [UInt8?], forKey: "votes")
    coder.encode([Double](repeating: 0, count: 32), forKey: "curve")
    coder.encode(["Ann", "Bo"], forKey: "names")
    coder.encode([person("Ann"), person("Bo")], forKey: "people")
    coder.encode(
      DynamicValue.array([.unsigned(7, bitWidth: 8), .string("x"), .null]), forKey: "mixed")
  }
}

@Suite struct `The worked example of the archive's specification` {
  @Test func `The writer gives the bytes of the worked example`() throws {
    let example = try WorkedExample.printedBytes()
    #expect(example.count > 800)
    #expect(try WorkedExample.writtenBytes() == example)
  }

  @Test func `The worked example is read as the text of the section says`() throws {
    let archive = try Archive(try WorkedExample.printedBytes())
    #expect(try archive.verdict() == .canonical)
    #expect(archive.reserved.bundleVersion == "11.0" && archive.objectCount == 2)
    #expect(try archive.conditionalObjects == [archive.rootID])
    let window = try archive.object(archive.rootID)
    let title = try window.decode(String.self, forKey: "title")
    let screen = try window.scope("Base").decode(ArchiveReference.self, forKey: "screen")
    let focus = try window.decode(ArchiveReference.self, forKey: "focus")
    #expect((window.typeName, title) == ("Window", "Contacts"))
    #expect(window.contains("scale") && window.contains("note") == false)
    #expect(screen.objectID == second && focus.objectID == archive.rootID)
    #expect(try window.decode([[Int]].self, forKey: "grid") == [[1, 2], [3, 4], [5, 6]])
    #expect(try window.decode([Bool].self, forKey: "flags") == [true, false, true])
    #expect(try window.decode([String: Int].self, forKey: "menu") == ["new": 1, "save": 2])
    #expect(try window.decode(Set<Int>.self, forKey: "tags") == [1, 256])
    #expect(try archive.object(second).decode(Int.self, forKey: "width") == 1920)
  }
}

@Suite struct `The table of limits in the archive's specification` {
  @Test func `The table of limits names the default limits`() throws {
    let limits = ArchiveLimits()
    let numbers = [
      limits.nestingDepth, limits.nestingDepth, limits.nameByteCount, limits.keyCount,
      limits.typeCount, limits.slotCount, limits.recordByteCount, limits.byteCount,
    ]
    let page = try WorkedExample.specification()
    let table = try #require(page.components(separatedBy: "| what | how many |").last)
    let rows = table.split(separator: "\n").dropFirst().prefix(numbers.count)
    let stated = rows.map { row in Int(row.split(separator: "|")[1].filter(\.isNumber)) }
    #expect(stated == numbers && limits.shapeCount == limits.keyCount)
  }
}

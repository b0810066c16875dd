import Foundation
import Keepsake
import TestSupport
import Testing

@Suite struct `The memory of an import` {
  /// Objects of one class that each refer to the next one.
  private static func chain(_ count: Int) -> [UInt8] {
    var list = BinaryFile(referenceByteCount: 4)
    // The numbers of the objects in the list; the first numbers are those of names and classes.
    let (first, uids) = (14, 14 + count)
    list.add([0xD4], references: [1, 2, 3, 4, 5, 6, 7, 8])
    for name in ["$archiver", "$version", "$top", "$objects", "NSKeyedArchiver"] { list.add(name) }
    list.add([0x12, 0x00, 0x01, 0x86, 0xA0])
    list.add([0xD1], references: [9, uids + 1])
    list.add(
      [0xAF], length: count + 2, references: [9] + Array(first..<first + count) + [10])
    list.add("next")
    list.add([0xD1], references: [11, 12])
    list.add("$classname")
    list.add("Node")
    list.add("$class")
    for index in 1...count {
      let next = index == count ? 0 : index + 1
      list.add([0xD2], references: [13, 9, uids + count + 1, uids + next])
    }
    for index in 0...count + 1 { list.add([0x83] + BinaryFile.big(index, 4)) }
    return list.finish()
  }

  private static func small() -> Data { Data(chain(1)) }

  @Test func `A chain of 100,000 objects is imported in memory in proportion to the file`() throws {
    try Workplace.with { place in
      try place.write("small.plist", Self.small())
      let (_, least) = try Tool.measure(
        ["import", "small.plist", "-o", "small"], in: place.directory)
      let (count, bytes) = (100_000, Self.chain(100_000))
      try place.write("chain.plist", Data(bytes))
      let (result, most) = try Tool.measure(
        ["import", "chain.plist", "-o", "chain"], in: place.directory)
      #expect(result.exitCode == 0, "\(result.error)")
      // One more object holds the value at the top, since its key is not that of the root.
      #expect(try Archive(Array(place.read("chain"))).objectCount == count + 1)
      #expect(most - least <= 16 * bytes.count, "\(most - least) for \(bytes.count) bytes")
    }
  }

  /// Files that state more than they have, and files that would become much longer than they are.
  private static var refused: [(name: String, bytes: [UInt8])] {
    let million = 1_000_000
    var billions: [(String, [UInt8])] = []
    for (name, marker) in [("elements", 0xAF), ("bytes", 0x4F), ("entries", 0xDF)] as [(_, UInt8)] {
      var list = BinaryFile(referenceByteCount: 4)
      list.add([marker], length: 1 << 32, references: [0])
      billions.append(("billions of \(name)", list.finish()))
    }
    var table = BinaryFile(referenceByteCount: 4)
    table.add([0x09])
    var levels = BinaryFile(referenceByteCount: 4)
    for index in 1...million { levels.add([0xA1], references: [index]) }
    levels.add([0x09])
    var doubling = BinaryFile(referenceByteCount: 4)
    for index in 1...60 { doubling.add([0xA2], references: [index, index]) }
    doubling.add([0x09])
    var wide = BinaryFile(referenceByteCount: 4)
    wide.add([0xAF], length: million, references: repeatElement(1, count: million))
    wide.add([0x5F], length: million)
    let head = "<?xml version=\"1.0\"?>"
    let entities = (1...60).map { "<!ENTITY a\($0) \"&a\($0 - 1);&a\($0 - 1);\">" }.joined()
    return billions + [
      ("billions of objects", table.finish(objectCount: 1 << 32)),
      ("a million levels", levels.finish()),
      ("arrays that double", doubling.finish()),
      ("a text of a million bytes that is a million elements", wide.finish()),
      (
        "a million levels of XML",
        Array((head + "<plist>" + String(repeating: "<array>", count: million)).utf8)
      ),
      (
        "entities that double",
        Array((head + "<!DOCTYPE plist [\(entities)]><plist><string>&a60;</string></plist>").utf8)
      ),
      ("a reference beyond the file", Array(Self.chain(1_000).dropLast(40_000))),
    ]
  }

  @Test func `A file that is refused takes memory in proportion to the file`() throws {
    try Workplace.with { place in
      try place.write("small.plist", Self.small())
      let (_, least) = try Tool.measure(
        ["import", "small.plist", "-o", "small"], in: place.directory)
      for (name, bytes) in Self.refused {
        try place.write("hostile.plist", Data(bytes))
        let (result, most) = try Tool.measure(
          ["import", "hostile.plist", "-o", "new", "--format", "keyed"], in: place.directory)
        #expect(result.exitCode == 65, "\(name): \(result.error)")
        let limit = least + 16 * bytes.count + (8 << 20)
        #expect(most <= limit, "\(name): \(most - least) for \(bytes.count) bytes")
      }
      #expect(try place.names() == ["hostile.plist", "small", "small.plist"])
    }
  }
}

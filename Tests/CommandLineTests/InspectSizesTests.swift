import Foundation
import Keepsake
import struct TestSupport.RawArchive
import Testing

@testable import KeepsakeCommand

@Suite struct `The sizes of an archive` {
  @Test func `Sizes are printed by type and key, the largest first`() throws {
    try withTemporaryDirectory { directory in
      var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: "1.0"))
      try writer.writeObject(.init(1), typeName: "Small") { $0.encode(true, forKey: "flag") }
      try writer.writeObject(.init(2), typeName: "Large") { coder in
        coder.encode(ArchiveBytes([UInt8](repeating: 1, count: 400)), forKey: "blob")
        coder.withScope("Base") { $0.encode(7, forKey: "number") }
      }
      let bytes = try writer.finish(root: .init(1))
      let file = directory.appendingPathComponent("plain.archive")
      try Data(bytes).write(to: file)
      let result = try Tool.run("inspect", "--sizes", file.path)
      #expect(result.exitCode == 0, "\(result.error)")
      let lines = result.output.split(separator: "\n").map(String.init)
      #expect(lines.count == 7)
      #expect(lines[0] == "\(file.path): an archive of \(bytes.count) bytes, not sealed")
      #expect(lines[1].hasPrefix("Sizes: \(bytes.count) bytes, of which "))
      #expect(lines[2].hasPrefix("  Large: ") && lines[2].hasSuffix(" bytes in 1 object"))
      #expect(lines[3].hasPrefix("    blob: 40"))
      #expect(lines[4] == "    Base.number: 4 bytes, 1x")
      #expect(lines[5].hasPrefix("  Small: "))
      #expect(lines[6] == "    flag: 1 byte, 1x")
    }
  }

  @Test func `Sizes count the values and the bytes of the objects of each type`() throws {
    var writer = ArchiveWriter()
    try writer.writeObject(.init(1), typeName: "List") { $0.encode([1, 2, 3], forKey: "groups") }
    for number in 0..<3 as Range<UInt32> {
      try writer.writeObject(.init(number + 2), typeName: "Contact") { coder in
        coder.encode("Ada", forKey: "nm")
        coder.encode(36, forKey: "age")
        coder.encodeIfPresent(number == 0 ? "555-0100" : nil, forKey: "phone")
        if number == 1 {
          coder.withScope("Base") { $0.encode("a note that is longer than a slot", forKey: "note") }
        }
      }
    }
    let archive = try Archive(writer.finish(root: .init(1)))
    let sizes = try archive.sizes()
    #expect(sizes.byteCount == archive.byteCount)
    #expect(sizes.types.map(\.typeName) == ["Contact", "List"])
    #expect(sizes.types[0].objectCount == 3)
    let total = try (1...4).reduce(0) { sum, number in
      try sum + archive.object(.init(UInt32(number))).byteCount
    }
    #expect(sizes.types.reduce(0) { $0 + $1.byteCount } == total)
    #expect(sizes.types[0].keys.map(\.name) == ["Base.note", "age", "nm", "phone"])
    // A value that is left out is not counted.
    #expect(sizes.types[0].keys.map(\.valueCount) == [1, 3, 3, 1])
    #expect(sizes.types[0].keys[1].byteCount == 12)
    #expect(sizes.types[0].keys[0].byteCount > 33)
  }

  /// Each key but one is in 63 nested scopes with long names, so its path has four megabytes.
  @Test func `Paths of long scopes are printed shortened, and looked up whole`() throws {
    try withTemporaryDirectory { directory in
      var archive = RawArchive()
      archive.keys =
        RawArchive.scopes((0..<63).map { _ in String(repeating: "s", count: 65_535) })
        + (0..<64).map { RawArchive.key("k\($0)", scope: 62) } + [RawArchive.key("top")]
      archive.types = [RawArchive.type("T")]
      archive.shapes = [
        RawArchive.shape(
          type: 0,
          (0..<64).map { RawArchive.slot(0x0F, 63 + $0) } + [
            RawArchive.slot(0x19, 127)
          ])
      ]
      archive.segments = [([[UInt8](repeating: 0xFF, count: 8) + [7]], RawArchive.fixedWidth)]
      let file = directory.appendingPathComponent("long.archive")
      try Data(archive.bytes).write(to: file)
      for arguments in [["inspect", "--sizes"], ["inspect"], ["export"], ["inspect", "--json"]] {
        let result = try Tool.run(program: "keepsake", arguments + [file.path])
        #expect(result.exitCode == 0, "\(result.error)")
        #expect(result.output.utf8.count < 100_000 && result.output.contains("…"))
        for key in ["k0", "k63"] { #expect(result.output.contains("s.\(key)")) }
      }
      let whole = try Tool.run("get", file.path, "@1")
      #expect(whole.exitCode == 0 && whole.output.utf8.count < 100_000)
      let single = try Tool.run("get", file.path, "@1.top")
      #expect(single.exitCode == 0 && single.output == "7\n")
    }
  }
}

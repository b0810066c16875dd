import ArgumentParser
import Foundation
import Keepsake
import TestSupport
import Testing

@testable import KeepsakeCommand

/// The memory of the verbs whose output may be thousands of times as long as the archive.
@Suite struct `Output that is longer than the archive` {
  /// 600 records of 64 truth values, each under a key in scopes with long names: 7 KB that are printed as 38 MB.
  private static func archiveInScopes(recordCount: Int = 600, lastByte: UInt8 = 0xFF) -> [UInt8] {
    var archive = RawArchive()
    // A name of more than 1,024 bytes would be cut.
    archive.keys =
      RawArchive.scopes((0..<8).map { String(repeating: "\($0)", count: 120) })
      + (0..<64).map { RawArchive.key(String($0, radix: 16), scope: 7) }
      + [RawArchive.key("a")]
    archive.types = [RawArchive.type("T"), RawArchive.type("")]
    archive.shapes = [
      RawArchive.shape(type: 1, (0..<64).map { RawArchive.slot(0x0F, 8 + $0) }),
      RawArchive.shape(type: 0, [RawArchive.slot(0x6E, 72)]),
    ]
    let records = [UInt8](repeating: 0xFF, count: 8 * recordCount - 1) + [lastByte]
    archive.segments = [([[0x60, 0] + records], 1)]
    return archive.bytes
  }

  /// One object with 400,000 truth values, in an eighth of as many bytes.
  private static func archiveOfTruthValues() -> [UInt8] {
    var archive = RawArchive()
    archive.keys = [RawArchive.key("a")]
    archive.types = [RawArchive.type("T")]
    archive.shapes = [RawArchive.shape(type: 0, [RawArchive.slot(0x6E, 0)])]
    archive.segments = [([[0x0F] + [UInt8](repeating: 0xFF, count: 50_000) + [0x01]], 0)]
    return archive.bytes
  }

  @Test(
    .enabled(if: Allocation.isCounted),
    arguments: [
      ["--format", "json"], ["--format", "lines"], ["a"], ["a", "--format", "lines"],
      ["a", "--format", "csv"],
    ])
  func `Export takes little more memory than the archive has bytes`(arguments: [String]) throws {
    try Workplace.with { place in
      for archive in [Self.archiveInScopes(recordCount: 96), Self.archiveOfTruthValues()] {
        try place.write("archive", Data(archive))
        let file = place.url("printed").path
        let command = try ExportCommand.parse(
          [place.url("archive").path, "-o", file] + arguments)
        let most = try Allocation.most { try command.run() }
        let printed = try place.read("printed").count
        #expect(most < 2 * archive.count + 1_500_000, "\(most) bytes for \(printed)")
        #expect(printed > 20 * archive.count)
      }
    }
  }

  @Test(
    arguments: [
      ["export", "archive"], ["export", "archive", "a"], ["inspect", "archive"],
      ["inspect", "--json", "archive"], ["get", "archive", ""], ["get", "--json", "archive", "a"],
      ["diff", "archive", "other"], ["diff", "--json", "archive", "other"], ["verify", "archive"],
    ])
  func `A verb prints in less memory than its output has bytes`(arguments: [String]) throws {
    try Workplace.with { place in
      try place.write("archive", Data(Self.archiveInScopes()))
      try place.write("other", Data(Self.archiveInScopes(lastByte: 0)))
      // The kibibytes that the process may have; on one core, since every thread has a stack.
      let core = "$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')"
      let limited = "ulimit -d 24576; exec taskset -c \(core) \"$0\" \"$@\" > printed"
      let result = try Tool.run(
        program: "keepsake", arguments, under: ["bash", "-c", limited], in: place.directory)
      #expect(result.exitCode == (arguments[0] == "diff" ? 1 : 0), "\(result.error)")
      #expect(result.error.isEmpty, "\(result.error)")
    }
  }

  @Test func `An export that cannot be written to its end leaves the old file`() throws {
    try Workplace.with { place in
      try place.write("archive", Data(Self.archiveInScopes(recordCount: 24)))
      try place.write("printed", "the old one")
      // The first pieces are written, and the rest is more than a file may have.
      let limited = "trap '' XFSZ; ulimit -f 512; exec \"$0\" \"$@\""
      for arguments in [["export", "archive"], ["export", "archive", "a"]] {
        let result = try Tool.run(
          program: "keepsake", arguments + ["-o", "printed"], under: ["bash", "-c", limited],
          in: place.directory)
        #expect(result.exitCode == 74, "\(result.error)")
        #expect(try place.read("printed") == Data("the old one".utf8))
        #expect(try place.names() == ["archive", "printed"])
      }
    }
  }

  @Test(
    arguments: [
      ["export", "archive"], ["inspect", "--json", "archive"], ["get", "archive", ""],
    ])
  func `Standard output that ends midway is an error`(arguments: [String]) throws {
    try Workplace.with { place in
      try place.write("archive", Data(Self.archiveInScopes(recordCount: 24)))
      let limited = "trap '' XFSZ; ulimit -f 512; exec \"$0\" \"$@\" > printed"
      let result = try Tool.run(
        program: "keepsake", arguments, under: ["bash", "-c", limited], in: place.directory)
      #expect(result.exitCode == 74, "\(result.error)")
      #expect(
        result.error.hasSuffix("the output is incomplete.\n")
          && result.error.split(separator: "\n").count == 1, "\(result.error)")
      #expect(try place.read("printed").count == 512 * 1_024)
    }
  }

  /// The second of two objects has an element that is no proper string.
  @Test func `Damage that is found midway leaves the old file`() throws {
    var archive = RawArchive()
    archive.keys = [RawArchive.key("a")]
    archive.types = [RawArchive.type("T")]
    archive.shapes = [RawArchive.shape(type: 0, [RawArchive.slot(0x2E, 0)])]
    archive.segments = [([Array(repeating: 0x61, count: 200_000)], 0), ([[0xFF]], 0)]
    try Workplace.with { place in
      try place.write("archive", Data(archive.bytes))
      try place.write("printed", "the old one")
      let error = try place.fail(65, "export", "archive", "-o", "printed")
      #expect(error.contains("object #2") && error.contains("UTF-8"), "\(error)")
      #expect(try place.read("printed") == Data("the old one".utf8))
      #expect(try place.names() == ["archive", "printed"])
    }
  }
}

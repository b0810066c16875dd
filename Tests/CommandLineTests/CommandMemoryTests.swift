import Foundation
import Keepsake
import TestSupport
import Testing

/// Verbs read archives that have many values in few bytes, and the most memory of each process is compared with what
/// it takes for a small archive (Spec/archive.md, 7.6).
@Suite struct `The memory of the command` {
  private static let verbs = [["inspect"], ["get"], ["export"], ["verify"]]

  /// Records of one shape, whose values are bits.
  private static func cells(_ keys: [[UInt8]], _ words: [UInt32], count: Int) -> [UInt8] {
    var archive = RawArchive()
    archive.keys = keys + [RawArchive.key("a")]
    archive.types = [RawArchive.type("T"), RawArchive.type("")]
    archive.shapes = [
      RawArchive.shape(type: 1, words),
      RawArchive.shape(type: 0, [RawArchive.slot(0x6E, keys.count)]),
    ]
    let body = [0x60, 0] + [UInt8](repeating: 0xFF, count: count * words.count / 8)
    archive.segments = [([body], 1)]
    return archive.bytes
  }

  private static func archives() throws -> [(name: String, bytes: [UInt8])] {
    let bool: UInt32 = 0x0F
    let text = DynamicValue.enumeration(
      "on", DynamicRecord(fields: [.init(key: "k", value: .string(""))]))
    let dictionary = DynamicValue.dictionary(
      (0..<256).map { DynamicEntry(key: .unsigned($0, bitWidth: 8), value: text) })
    var writer = ArchiveWriter()
    try writer.writeObject(.init(1), typeName: "T") {
      $0.encode(DynamicValue.array([DynamicValue](repeating: dictionary, count: 32)), forKey: "a")
    }
    return [
      ("small", cells([RawArchive.key("k")], [RawArchive.slot(bool, 0)], count: 8)),
      (
        "truth values in scopes with long names",
        cells(
          RawArchive.scopes((0..<8).map { String(repeating: "\($0)", count: 120) })
            + (0..<64).map { RawArchive.key("k\($0)", scope: 7) },
          (0..<64).map { RawArchive.slot(bool, 8 + $0) }, count: 1_024)
      ),
      (
        "records of eight truth values",
        cells(
          (0..<8).map { RawArchive.key("k\($0)") }, (0..<8).map { RawArchive.slot(bool, $0) },
          count: 16_384)
      ),
      ("dictionaries of cases", try writer.finish(root: .init(1))),
    ]
  }

  @Test func `Each verb takes memory in proportion to the archive`() throws {
    try withTemporaryDirectory { directory in
      var least: [[String]: Int] = [:]
      for (name, bytes) in try Self.archives() {
        let file = directory.appendingPathComponent("archive")
        try Data(bytes).write(to: file)
        for verb in Self.verbs {
          let path = verb == ["get"] ? [file.path, "@1.a"] : [file.path]
          let (result, most) = try Tool.measure(verb + path)
          #expect(result.exitCode == 0, "\(verb) of \(name): \(result.error)")
          guard let base = least[verb] else {
            least[verb] = most
            continue
          }
          // The allocator and the output take a few pages more.
          let limit = base + 64 * bytes.count + (4 << 20)
          #expect(most <= limit, "\(verb) of \(name): \(most - base) for \(bytes.count) bytes")
        }
      }
    }
  }
}

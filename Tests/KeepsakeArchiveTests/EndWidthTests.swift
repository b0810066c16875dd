import KeepsakeArchive
import Testing

/// Spec/archive.md, 4.4: how wide the ends of payloads are.
@Suite struct `The ends of payloads` {
  /// Lengths of a tail with the width of its ends, as the head states it.
  static let tails = [
    (0, 0), (1, 0), (255, 0), (256, 1), (65_535, 1), (65_536, 2), (300_000, 2),
  ]

  private func payload(_ count: Int) -> ArchiveBytes {
    ArchiveBytes((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
  }

  /// The bytes of a record: its head without the shape, its slots, its ends and its tail.
  private func record(slots: [UInt8] = [], ends: [Int], width: Int, tail: [UInt8]) -> [UInt8] {
    [UInt8(width), 0, 0, 0] + slots
      + ends.flatMap { end in (0..<1 << width).map { UInt8(truncatingIfNeeded: end >> (8 * $0)) } }
      + tail
  }

  /// The bytes of a record, without the number of its shape, which is below 64.
  private func headed(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var bytes = Array(bytes)
    bytes[0] &= 3
    return bytes
  }

  @Test(arguments: tails) func `are as wide as their tail needs`(tail: (Int, Int)) throws {
    let (count, width) = tail
    let bytes = try archiveBytes { coder in
      coder.encode(UInt8(5), forKey: "slot")
      coder.encode(payload(count / 3), forKey: "a")
      coder.encode(payload(count - count / 3), forKey: "b")
    }
    let archive = try Archive(bytes)
    try archive.verify()
    let payloads = payload(count / 3).bytes + payload(count - count / 3).bytes
    #expect(
      headed(bytes[ArchiveMap(bytes).record(1)])
        == record(slots: [5], ends: [count / 3, count], width: width, tail: payloads))
    #expect(try archive.object(first).decode(ArchiveBytes.self, forKey: "a") == payload(count / 3))
  }

  @Test(arguments: tails) func `of a nested record go by its own tail`(tail: (Int, Int)) throws {
    let (count, width) = tail
    let bytes = try archiveBytes { coder in
      coder.encode(WrittenRecord { $0.encode(payload(count), forKey: "a") }, forKey: "inner")
      coder.encode(true, forKey: "flag")
    }
    try Archive(bytes).verify()
    let inner = record(ends: [count], width: width, tail: payload(count).bytes)
    let outer = Self.tails.last { $0.0 <= inner.count }?.1 ?? 0
    // The shape of the nested record is numbered before that of the object, whose head comes first.
    let found = Array(bytes[ArchiveMap(bytes).record(1)])
    let start = 4 + 1 + 1 << outer
    #expect(headed(found.dropFirst(start)) == inner)
    #expect(
      headed(found).prefix(start)
        == record(slots: [1], ends: [inner.count], width: outer, tail: [])[...])
  }

  @Test func `of no payload take no bytes`() throws {
    let bytes = try archiveBytes { $0.encode(UInt16(0x0201), forKey: "slot") }
    #expect(
      headed(bytes[ArchiveMap(bytes).record(1)])
        == record(slots: [1, 2], ends: [], width: 0, tail: []))
  }

  /// Values around a payload of a length, numbers among them, that all have the same keys.
  private func encode(_ count: Int, to coder: inout ObjectEncoder) {
    coder.encode([1.5, -2], forKey: "before")
    coder.encode(UInt8(count & 0xFF), forKey: "slot")
    coder.encode(payload(count), forKey: "payload")
    let inmost = WrittenRecord { coder in
      coder.encode(payload(count / 4), forKey: "payload")
      coder.encode([UInt32(3)], forKey: "numbers")
    }
    let inner = WrittenRecord { coder in
      coder.encode([Int16(count & 0x7FFF)], forKey: "numbers")
      coder.encode(payload(count / 2), forKey: "payload")
      coder.encode(inmost, forKey: "inmost")
    }
    coder.encode(inner, forKey: "inner")
    coder.encode([[Int64(count)], [], [1]], forKey: "behind")
  }

  @Test(arguments: 0..<8)
  func `do not depend on the records before`(phase: Int) throws {
    var counts = Self.tails.map(\.0)
    // Every length behind every other, so that each width is guessed wrong in every way.
    counts = counts.flatMap { one in counts.flatMap { [one, $0] } }
    counts = counts.filter { $0 < 70_000 }
    let together = try archiveBytes(
      phase: phase, counts.map { count in { encode(count, to: &$0) } })
    try Archive(together).verify()
    for (count, range) in zip(counts, ArchiveMap(together).records.dropFirst(2)) {
      let alone = try archiveBytes(phase: range.lowerBound & 7, [{ encode(count, to: &$0) }])
      let same = alone[ArchiveMap(alone).record(2)].elementsEqual(together[range])
      #expect(same, "\(count) bytes at \(range)")
    }
  }

  @Test func `are refused when they are of no width, and told when they are too wide`() throws {
    let bytes = try archiveBytes { $0.encode("ab", forKey: "text") }
    let start = ArchiveMap(bytes).record(1).lowerBound
    var refused = bytes
    refused[start] |= 3
    let archive = try Archive(refused)
    #expect(archiveError { _ = try archive.object(first).typeName }?.code == .damaged)
    // An end of two bytes and a payload of one, in as many bytes.
    var wide = bytes
    wide[start] |= 1
    wide.replaceSubrange(start + 4..<start + 7, with: [1, 0, 0x61])
    let other = try Archive(wide)
    #expect(try other.object(first).decode(String.self, forKey: "text") == "a")
    #expect(throws: ArchiveError.self) { try other.verify() }
  }
}

import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// Spec/archive.md, 4.4: the width of the ends of payloads.
@Suite struct `The ends of payloads` {
  /// The length of two payloads together, and the width of the one end between them, after a slot of one byte: with
  /// an end of one byte the body has two bytes more than the payloads.
  static let tails = [
    (0, 1), (1, 1), (253, 1), (254, 2), (65_532, 2), (65_533, 4), (300_000, 4),
  ]

  /// The beginning of each payload, made once.
  private static let longest = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  private func payload(_ count: Int) -> ArchiveBytes {
    ArchiveBytes(Array(Self.longest.prefix(count)))
  }

  /// The bytes of a body: its slots, its ends and its payloads.
  private func body(
    slots: [UInt8] = [], ends: [Int] = [], width: Int = 1, payloads: [UInt8] = []
  ) -> [UInt8] {
    slots
      + ends.flatMap { end in (0..<width).map { UInt8(truncatingIfNeeded: end >> (8 * $0)) } }
      + payloads
  }

  // Holds.
  @Test(arguments: tails)
  func `Ends of payloads are as wide as their body needs`(tail: (Int, Int)) throws {
    let (count, width) = tail
    let bytes = try archiveBytes { coder in
      coder.encode(UInt8(5), forKey: "slot")
      coder.encode(payload(count / 3), forKey: "a")
      coder.encode(payload(count - count / 3), forKey: "b")
    }
    let archive = try Archive(bytes)
    try archive.requireCanonical()
    let payloads = payload(count / 3).bytes + payload(count - count / 3).bytes
    #expect(
      Array(bytes[ArchiveMap(bytes).body()])
        == body(slots: [5], ends: [count / 3], width: width, payloads: payloads))
    #expect(try archive.object(first).decode(ArchiveBytes.self, forKey: "a") == payload(count / 3))
    #expect(
      try archive.object(first).decode(ArchiveBytes.self, forKey: "b")
        == payload(count - count / 3))
  }

  @Test(arguments: tails)
  func `Ends in a nested record are as wide as its own body needs`(tail: (Int, Int)) throws {
    let (count, width) = tail
    let inner = WrittenRecord { coder in
      coder.encode(UInt8(7), forKey: "slot")
      coder.encode(payload(count), forKey: "a")
      coder.encode(payload(0), forKey: "b")
    }
    let bytes = try archiveBytes { coder in
      coder.encode(inner, forKey: "inner")
      coder.encode(true, forKey: "flag")
    }
    try Archive(bytes).requireCanonical()
    // The shape of the nested record, 0, is numbered before that of the object.
    let nested = body(
      slots: [7], ends: [count], width: width, payloads: payload(count).bytes)
    #expect(
      Array(bytes[ArchiveMap(bytes).body()]) == body(slots: [1], payloads: [0] + nested))
  }

  @Test func `A body with at most one payload has no ends`() throws {
    let number = try archiveBytes { $0.encode(UInt16(0x0201), forKey: "slot") }
    #expect(Array(number[ArchiveMap(number).body()]) == [1, 2])
    let text = try archiveBytes { $0.encode("ab", forKey: "text") }
    #expect(Array(text[ArchiveMap(text).body()]) == [0x61, 0x62])
  }

  /// Encodes a payload of a length between other values, numbers among them, always under the same keys.
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

  @Test(arguments: [0, 1, 4, 7])
  func `Ends do not depend on earlier records`(phase: Int) throws {
    var counts = Self.tails.map(\.0)
    // Each length follows every other one, so that each width is predicted wrong in every way.
    counts = counts.flatMap { one in counts.flatMap { [one, $0] } }
    counts = counts.filter { $0 < 70_000 }
    let together = try archiveBytes(
      phase: phase, counts.map { count in { encode(count, to: &$0) } })
    try Archive(together).requireCanonical()
    for (count, range) in zip(counts, ArchiveMap(together).records.dropFirst()) {
      let alone = try archiveBytes(phase: range.lowerBound & 7, [{ encode(count, to: &$0) }])
      let same = alone[ArchiveMap(alone).record(2)].elementsEqual(together[range])
      #expect(same, "\(count) bytes at \(range)")
    }
  }

  /// With two ends, 253 other bytes make 255 or 257: either width agrees with the length that results from it.
  @Test func `Ends that are wider than needed are not canonical`() throws {
    let bytes = try archiveBytes { coder in
      for (key, count) in [("a", 1), ("b", 0), ("c", 252)] {
        coder.encode(payload(count), forKey: ArchiveKey(key))
      }
    }
    let map = ArchiveMap(bytes)
    #expect(map.body().count == 255)
    let payloads = payload(1).bytes + payload(252).bytes
    let narrow = body(ends: [1, 1], payloads: payloads)
    #expect(map.replacingLastRecord(with: narrow) == bytes)
    let wide = body(ends: [1, 1], width: 2, payloads: payloads)
    let changed = map.replacingLastRecord(with: wide)
    let archive = try Archive(changed)
    #expect(
      try archive.object(first).dynamicRecord() == Archive(bytes).object(first).dynamicRecord())
    guard case .notCanonical(let error) = try archive.verdict() else {
      Issue.record("ends that are too wide are canonical")
      return
    }
    #expect(error.message == "a writer writes the same values in other bytes")
    // The first end is the same number in the first of its two bytes.
    #expect(error.objectID == first && error.offset == map.body().lowerBound + 1)
    #expect(throws: SpecificationReader.Breach.self) { try SpecificationReader.read(changed) }
  }
}

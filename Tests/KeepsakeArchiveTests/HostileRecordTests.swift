import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// Ends of payloads and numbers of shapes that no writer makes (Spec/archive.md, 5.2 and 5.4).
@Suite struct `Hostile records` {
  /// An archive of two objects; the last one has this number of payloads, of this many bytes together.
  private func archive(payloads: Int, byteCount: Int) throws -> [UInt8] {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "T") { $0.encode(7, forKey: "v") }
    try writer.writeObject(second, typeName: "U") { coder in
      coder.encode(UInt8(1), forKey: "number")
      for index in 0..<payloads {
        let length = index == payloads - 1 ? byteCount : 0
        coder.encode(
          ArchiveBytes((0..<length).map { UInt8(truncatingIfNeeded: $0) }),
          forKey: ArchiveKey("\(index)"))
      }
    }
    return try writer.finish(root: first)
  }

  /// The payloads of the last object, read in memory and from a source; nil where they are refused.
  private func readings(_ bytes: [UInt8]) -> [[[UInt8]]?] {
    func values(_ open: () throws -> Archive) -> [[UInt8]]? {
      var result: [[UInt8]]?
      let error = archiveError {
        let object = try open().object(second)
        let keys = object.keys.filter { $0 != "number" }
        result = try keys.indices.map { index in
          try object.decode(ArchiveBytes.self, forKey: ArchiveKey("\(index)")).bytes
        }
      }
      #expect(error == nil || error?.code == .damaged && error?.objectID == second)
      return error == nil ? result : nil
    }
    // A source gives the bytes of the record alone, with nothing after it.
    return [values { try Archive(bytes) }, values { try Archive(source: NotedSource(bytes)) }]
  }

  /// The payloads between their ends; nil if an end is before the end before it.
  ///
  /// The last payload ends with the bytes.
  private func payloads(_ ends: [Int], _ tail: ArraySlice<UInt8>) -> [[UInt8]]? {
    var last = 0
    var result: [[UInt8]] = []
    for end in ends + [tail.count] {
      guard end >= last, end <= tail.count else { return nil }
      result.append(Array(tail.dropFirst(last).prefix(end - last)))
      last = end
    }
    return result
  }

  private func check(_ ends: [Int], _ map: ArchiveMap) {
    let tail = map.bytes[map.tail(of: 2)..<map.record(2).upperBound]
    let width = map.endByteCount(of: 2)
    var changed = map.bytes
    for (index, end) in ends.enumerated() {
      changed = patched(
        changed, at: map.tail(of: 2) - (ends.count - index) * width, byteCount: width, UInt64(end))
    }
    let expected = payloads(ends, tail)
    for reading in readings(changed) { #expect(reading == expected, "\(ends)") }
    let isSound = (try? Archive(changed).verdict()) == .canonical
    #expect(isSound == (expected != nil), "\(ends)")
  }

  @Test(arguments: Array(2...11) + [18], [40, 255, 300, 70_000])
  func `A payload that ends before it begins is refused`(count: Int, byteCount: Int) throws {
    let map = ArchiveMap(try archive(payloads: count, byteCount: byteCount))
    let step = byteCount / count
    let sound = (1..<count).map { $0 * step }
    check(sound, map)
    for index in sound.indices {
      // The end moves before its payload begins, after the next one ends, and to the edges of both.
      let previous = index == 0 ? 0 : sound[index - 1]
      let next = index == sound.count - 1 ? byteCount : sound[index + 1]
      let most = 1 << (8 * map.endByteCount(of: 2)) - 1
      for end in [0, previous - 1, previous, next, next + 1, most] where 0...most ~= end {
        var ends = sound
        ends[index] = end
        check(ends, map)
      }
    }
  }

  @Test(arguments: 1..<12)
  func `Random ends are accepted if and only if they are in order`(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    for byteCount in [0, 1, 127, 128, 200, 255, 256, 40_000, 70_000] {
      let map = ArchiveMap(try archive(payloads: count, byteCount: byteCount))
      let most = 1 << (8 * map.endByteCount(of: 2)) - 1
      for _ in 0..<(byteCount > 1000 ? 6 : 60) {
        var ends = (1..<count).map { _ in
          switch generator.below(4) {
          case 0: [0, 1, 127, 128, 129, byteCount, most][generator.below(7)] & most
          case 1: generator.below(most + 1)
          default: generator.below(byteCount + 1)
          }
        }
        if !generator.chance(of: 4) { ends.sort() }
        if generator.chance(of: 4), count > 1 {
          ends.swapAt(generator.below(count - 1), generator.below(count - 1))
        }
        check(ends, map)
      }
    }
  }

  @Test(arguments: [0, 1, 8, 9])
  func `A body that is shorter than its slots and ends is refused`(payloads: Int) throws {
    let bytes = try archive(payloads: payloads, byteCount: 0)
    let map = ArchiveMap(bytes)
    let record = Array(bytes[map.record(2)])
    #expect(record.count == 1 + max(payloads - 1, 0))
    for length in 0..<record.count {
      let changed = map.replacingLastRecord(with: Array(record.prefix(length)))
      #expect(readings(changed) == [nil, nil])
      let opened = archiveError { _ = try Archive(changed).object(second) }
      #expect(opened?.code == .damaged)
      #expect(opened?.offset == map.record(2).lowerBound)
      #expect(verifyError(changed)?.code == .damaged)
      #expect(archiveError { try Archive(changed).forEachObject { _ in } }?.objectID == second)
      let stream = archiveError { _ = try Reading(forward: PiecewiseSource(changed)) }
      #expect(stream?.code == .damaged)
    }
    // A longer body has a longer last payload; without payloads it is refused.
    let longer = map.replacingLastRecord(with: record + [9])
    #expect((verifyError(longer) == nil) == (payloads > 0))
  }

  /// The number of a shape before a body may have one, three or five bytes.
  @Test
  func `A shape's number that is unknown or cut is refused, and a wide one is not canonical`()
    throws
  {
    let nested = WrittenRecord {
      $0.encode(UInt8(7), forKey: "n"); $0.encode("x", forKey: "t")
    }
    let bytes = try archiveBytes { $0.encode(nested, forKey: "v") }
    let map = ArchiveMap(bytes)
    let record = Array(bytes[map.record(1)])
    #expect(record == [0, 7, 0x78])
    let long: [([UInt8], Bool)] = [
      ([254, 0, 0], true), ([255, 0, 0, 0, 0], true), ([254, 99, 0], false),
      ([255, 0, 0, 1, 0], false), ([253], false), ([254], false), ([255, 0, 0], false),
    ]
    for (number, isDeclared) in long {
      let changed = map.replacingLastRecord(with: number + record.dropFirst())
      #expect(verifyError(changed)?.code == (isDeclared ? .nonCanonical : .damaged), "\(number)")
      let value = try? Archive(changed).object(first).decode(DynamicValue.self, forKey: "v")
      #expect(
        try value
          == (isDeclared
            ? Archive(bytes).object(first).decode(DynamicValue.self, forKey: "v") : nil))
      #expect(throws: SpecificationReader.Breach.self) { try SpecificationReader.read(changed) }
    }
    for number in [[], [254], [254, 0], [255], [255, 0, 0, 0]] as [[UInt8]] {
      let changed = map.replacingLastRecord(with: number)
      #expect(verifyError(changed)?.code == .damaged)
    }
  }

  @Test func `The shape number of a nested value is checked`() throws {
    let point = Point(x: 1, y: 2)
    for (bytes, payload) in [
      try single(Route.home),
      try single(DynamicValue.record(.init(fields: [.init(key: "n", value: .string("a"))]))),
    ].map({ ($0.bytes, $0.payload) })
      + [try single([point]).bytes].map({ ($0, ArchiveMap($0).payload("v") + 1) })
    {
      let changed = patched(bytes, at: payload, byteCount: 1, 99)
      #expect(verifyError(changed)?.code == .damaged)
      #expect(verifyError(changed)?.offset == payload && verifyError(changed)?.keyPath.first == "v")
      #expect((try? Archive(changed).object(first).decode(DynamicValue.self, forKey: "v")) == nil)
      #expect(throws: SpecificationReader.Breach.self) { try SpecificationReader.read(changed) }
    }
  }
}

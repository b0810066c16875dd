import KeepsakeArchive
import TestSupport
import Testing

@Suite struct `Hostile streams` {
  private func error(_ bytes: [UInt8], limits: ArchiveLimits = .init()) -> ArchiveError? {
    archiveError { _ = try Reading(forward: PiecewiseSource(bytes), limits: limits) }
  }

  @Test(arguments: 0..<3)
  func `Every prefix of a stream is refused with an offset`(index: Int) throws {
    let bytes = try SmallArchives.all()[index]
    for count in 0..<bytes.count {
      let error = error(Array(bytes[..<count]))
      #expect(error?.code == .truncated, "\(count) bytes")
      #expect((error?.offset ?? .max) <= count, "\(count) bytes")
    }
  }

  @Test(arguments: 0..<3)
  func `A flipped bit is refused if and only if it is refused in memory`(
    index: Int
  ) throws {
    let bytes = try SmallArchives.all()[index]
    // One bit of each byte, at the next position in each next byte.
    for bit in stride(from: 0, to: 8 * bytes.count, by: 9) {
      var changed = bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      let inMemory = try? Reading(Archive(changed))
      let forward = try? Reading(forward: PiecewiseSource(changed))
      #expect(forward == inMemory, "bit \(bit)")
      let atRandom = try? Reading(Archive(source: NotedSource(changed)))
      #expect(atRandom == inMemory, "bit \(bit)")
    }
  }

  @Test func `The error for a footer that differs from the segments gives the first wrong byte`()
    throws
  {
    let bytes = try archiveBytes(of: Entry.list(3))
    let map = ArchiveMap(bytes)
    // Where the forgery changes no count that is checked before, the whole footer is compared.
    let compared = (map.footer..<map.tail).filter { offset in
      error(patched(bytes, at: offset, byteCount: 1, UInt64(~bytes[offset])))?.message
        == "the footer does not agree with the segments"
    }
    #expect(compared.count > 8)
    for offset in compared {
      let changed = patched(bytes, at: offset, byteCount: 1, UInt64(~bytes[offset]))
      #expect(error(changed)?.offset == offset)
    }
  }

  @Test func `Forged lengths and counts are refused`() throws {
    let bytes = try SmallArchives.values()
    let map = ArchiveMap(bytes)
    let fields = [16, map.valuesEnd + 4, map.valuesEnd + 8] + (0..<5).map { map.footer + 4 * $0 }
    for field in fields {
      for value in [0xFFFF_FFFF, 1 << 31, 1 << 29] as [UInt64] {
        #expect(error(patched(bytes, at: field, byteCount: 4, value)) != nil)
      }
    }
    // The segment claims half a GiB of bodies, but no bytes follow.
    let forged = patched(bytes, at: map.valuesEnd + 4, byteCount: 4, 1 << 29)
    #expect(error(forged)?.code == .truncated)
  }

  @Test func `A stream with a repeated segment is refused`() throws {
    let bytes = try archiveBytes(of: Entry.list(1))
    let map = ArchiveMap(bytes)
    // The same segment as one that is not the last, with empty tables.
    var segment = Array(bytes[map.valuesEnd..<map.footer])
    segment[3] = UInt8(ascii: "g")
    segment += ArchiveMap(bytes).emptyTables
    for count in [0, 1] {
      let before =
        Array(bytes[..<map.valuesEnd]) + Array(repeating: segment, count: 1 + count).joined()
      let error = error(before + Array(bytes[map.valuesEnd...]))
      #expect(error != nil)
    }
  }

  /// The tables of a segment declare only new entries.
  @Test
  func `A key that an earlier segment declared is refused before any object with it`() throws {
    var writer = ArchiveWriter()
    for (number, key) in ["v", "w", "x"].enumerated() {
      try writer.writeObject(.init(UInt32(number + 1)), typeName: "T") { coder in
        coder.encode(ArchiveBytes([UInt8](repeating: 1, count: 300_000)), forKey: ArchiveKey(key))
      }
    }
    let bytes = try writer.finish(root: first)
    let map = ArchiveMap(bytes)
    try #require(map.segments.count == 3)
    let key = map.segments[1].tables + 20
    #expect(Array(bytes[key..<key + 3]) == [0, 1, UInt8(ascii: "w")])
    let changed = patched(bytes, at: key + 2, byteCount: 1, UInt64(UInt8(ascii: "v")))
    var count = 0
    let error = archiveError {
      var reader = try ArchiveStreamReader(PiecewiseSource(changed))
      try reader.forEachObject { _ in count += 1 }
    }
    #expect(error?.code == .duplicateKey)
    #expect(error?.offset == key + 3)
    #expect(count == 1)
  }

  @Test func `Bytes after the end of a stream are refused`() throws {
    let bytes = try SmallArchives.values()
    let error = error(bytes + [0])
    #expect(error?.code == .damaged)
    #expect(error?.offset == bytes.count)
  }

  @Test func `References to objects that do not exist are found at the end`() throws {
    let bytes = try archiveBytes { $0.encode(ArchiveReference(first), forKey: "r") }
    let map = ArchiveMap(bytes)
    let changed = patched(bytes, at: map.slot("r"), byteCount: 4, 2)
    let error = error(changed)
    #expect(error?.code == .damaged)
    #expect(error?.offset == map.slot("r"))
  }

  @Test func `Limits are checked in streams`() throws {
    let bytes = try archiveBytes(of: Entry.list())
    for (path, limit) in [
      (\ArchiveLimits.byteCount, bytes.count - 1), (\.byteCount, 1000), (\.keyCount, 2),
      (\.nameByteCount, 5), (\.typeCount, 0), (\.shapeCount, 1), (\.slotCount, 2),
    ] as [(WritableKeyPath<ArchiveLimits, Int> & Sendable, Int)] {
      var limits = ArchiveLimits()
      limits[keyPath: path] = limit
      #expect(error(bytes, limits: limits)?.code == .limitExceeded, "\(limit)")
      limits[keyPath: path] = limit + 1
      if limit != 1000 { #expect(error(bytes, limits: limits) == nil, "\(limit)") }
    }
  }
}

import KeepsakeArchive
import Testing

@Suite struct `Hostile streams` {
  private func error(_ bytes: [UInt8], limits: ArchiveLimits = .default) -> ArchiveError? {
    archiveError { _ = try Reading(forward: PiecewiseSource(bytes), limits: limits) }
  }

  @Test(arguments: 0..<3)
  func `Every prefix is an error with a place`(index: Int) throws {
    let bytes = try SmallArchives.all()[index]
    for count in 0..<bytes.count {
      let error = error(Array(bytes[..<count]))
      #expect(error?.code == .truncated, "\(count) bytes")
      #expect((error?.offset ?? .max) <= count, "\(count) bytes")
    }
  }

  @Test(arguments: 0..<3)
  func `A flipped bit is refused just where reading all in memory refuses it`(
    index: Int
  ) throws {
    let bytes = try SmallArchives.all()[index]
    // One bit of each byte, another one in the next byte.
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

  @Test func `Lengths are no reason to allocate`() throws {
    let bytes = try SmallArchives.values()
    for (field, value) in [
      (40, 1 << 60), (40, 1 << 29), (48, 1 << 60), (32, 1 << 60), (32, UInt64.max),
    ] as [(Int, UInt64)] {
      #expect(error(patched(bytes, at: 64 + field, byteCount: 8, value)) != nil)
    }
    for field in [12, 16, 20, 24] {
      #expect(error(patched(bytes, at: 64 + field, byteCount: 4, 0xFFFF_FFFF)) != nil)
    }
    // A segment that agrees with itself and claims half a GiB, of which nothing comes.
    var forged = patched(bytes, at: 64 + 40, byteCount: 8, 1 << 29)
    forged = patched(forged, at: 64 + 32, byteCount: 8, 0)
    let directory = (number(in: bytes, at: 64 + 12, byteCount: 4) * 4 + 11) & ~7
    forged = patched(forged, at: 64 + 48, byteCount: 8, 64 + 1 << 29 + directory)
    #expect(error(forged)?.code == .truncated)
  }

  @Test func `A segment that ends too early is not followed by another`() throws {
    let bytes = try archiveBytes(of: Entry.list(1))
    let map = ArchiveMap(bytes)
    let segment = Array(bytes[64..<map.footer])
    let error = error(bytes[..<map.footer] + segment + bytes[map.footer...])
    #expect(error?.code == .nonCanonical)
    #expect(error?.offset == 64)
  }

  @Test func `Bytes behind the end are refused`() throws {
    let bytes = try SmallArchives.values()
    let error = error(bytes + [0])
    #expect(error?.code == .damaged)
    #expect(error?.offset == bytes.count)
  }

  @Test func `References to what never comes are found at the end`() throws {
    let bytes = try archiveBytes { $0.encode(ArchiveReference(first), forKey: "r") }
    let map = ArchiveMap(bytes)
    let changed = patched(bytes, at: map.slot("r"), byteCount: 4, 2)
    let error = error(changed)
    #expect(error?.code == .damaged)
    #expect(error?.offset == map.slot("r"))
  }

  @Test func `Limits hold`() throws {
    let bytes = try archiveBytes(of: Entry.list())
    for (path, limit) in [
      (\ArchiveLimits.byteCount, bytes.count - 1), (\.byteCount, 1000), (\.keyCount, 3),
      (\.nameByteCount, 12), (\.typeCount, 1), (\.shapeCount, 2), (\.slotCount, 2),
    ] as [(WritableKeyPath<ArchiveLimits, Int> & Sendable, Int)] {
      var limits = ArchiveLimits()
      limits[keyPath: path] = limit
      #expect(error(bytes, limits: limits)?.code == .limitExceeded, "\(limit)")
      limits[keyPath: path] = limit + 1
      if limit != 1000 { #expect(error(bytes, limits: limits) == nil, "\(limit)") }
    }
  }
}

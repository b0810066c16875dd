import KeepsakeArchive
import Testing

/// Archives that a writer never makes.
@Suite struct `Hostile archives` {
  private func openError(_ bytes: [UInt8], limits: ArchiveLimits = .default) -> ArchiveError? {
    archiveError { _ = try Archive(bytes, limits: limits) }
  }

  private func readError<Read: ArchiveValue>(_ bytes: [UInt8], _ type: Read.Type) -> ArchiveError? {
    archiveError { _ = try Archive(bytes).object(first).decode(type, forKey: "v") }
  }

  /// The bytes of an object with one key, and where its slot is.
  private func single(
    _ value: some ArchiveValue
  ) throws -> (bytes: [UInt8], slot: Int, payload: Int) {
    let bytes = try archiveBytes { $0.encode(value, forKey: "v") }
    let map = ArchiveMap(bytes)
    return (bytes, map.slot("v"), map.payload("v"))
  }

  @Test func `Later versions and unknown features are told apart from damage`() throws {
    let bytes = try SmallArchives.values()
    #expect(openError(patched(bytes, at: 8, byteCount: 2, 1))?.code == .unsupportedVersion)
    #expect(openError(patched(bytes, at: 12, byteCount: 4, 4))?.code == .unsupportedFeature)
    #expect(openError(patched(bytes, at: 10, byteCount: 2, 9)) == nil)
    #expect(openError(patched(bytes, at: 16, byteCount: 4, 9)) == nil)
    #expect(openError(patched(bytes, at: 40, byteCount: 1, 1))?.code == .nonCanonical)
  }

  @Test(arguments: [0, 8, 63, 64, 65, 1 << 31, 1 << 62, UInt64.max, UInt64.max - 7])
  func `A footer anywhere else is refused`(offset: UInt64) throws {
    let bytes = try SmallArchives.values()
    let tail = bytes.count - 32
    #expect(openError(patched(bytes, at: tail, byteCount: 8, offset))?.code == .damaged)
    #expect(openError(patched(bytes, at: tail + 8, byteCount: 8, offset))?.code == .damaged)
    #expect(openError(patched(bytes, at: tail + 16, byteCount: 8, offset))?.code == .truncated)
  }

  @Test func `Counts are held against the bytes before anything is allocated`() throws {
    let bytes = try SmallArchives.values()
    let footer = ArchiveMap(bytes).footer
    for field in [4, 8, 16, 20, 24, 28] {
      for value in [UInt64(UInt32.max), 1 << 31, 1 << 19] {
        #expect(openError(patched(bytes, at: footer + field, byteCount: 4, value)) != nil)
      }
    }
    for field in [32, 40, 48] {
      for value in [UInt64.max, 1 << 63, 1 << 40, 8] {
        #expect(
          openError(patched(bytes, at: footer + field, byteCount: 8, value))?.code == .damaged)
      }
    }
    #expect(openError(patched(bytes, at: footer + 12, byteCount: 4, 0))?.code == .damaged)
    #expect(openError(patched(bytes, at: footer + 12, byteCount: 4, 2))?.code == .damaged)
  }

  @Test func `Limits hold while opening`() throws {
    let bytes = try SmallArchives.graph()
    for path in [
      \ArchiveLimits.byteCount, \.nestingDepth, \.nameByteCount, \.keyCount, \.typeCount,
      \.shapeCount, \.slotCount,
    ] {
      var limits = ArchiveLimits()
      limits[keyPath: path] = 0
      #expect(openError(bytes, limits: limits)?.code == .limitExceeded)
    }
  }

  @Test func `Segment rows that describe no segment are refused when touched`() throws {
    let bytes = try SmallArchives.values()
    let row = ArchiveMap(bytes).segmentDirectory
    let wrong: [(Int, UInt64)] = [
      (0, UInt64.max), (0, 0), (0, 65), (0, 1 << 63), (8, UInt64.max), (8, 8), (8, 1 << 62),
      (24, UInt64.max), (24, UInt64.max - 7), (24, 1 << 62), (24, 12),
    ]
    for (field, value) in wrong {
      #expect(openError(patched(bytes, at: row + field, byteCount: 8, value))?.code == .damaged)
    }
    #expect(openError(patched(bytes, at: row + 16, byteCount: 4, 1))?.code == .damaged)
    #expect(openError(patched(bytes, at: row + 20, byteCount: 4, 0))?.code == .damaged)
  }

  @Test func `Exchanged segments are found out`() throws {
    var writer = ArchiveWriter()
    for number in 1...4 as ClosedRange<UInt32> {
      try writer.writeObject(.init(number), typeName: "T") { coder in
        coder.encode(ArchiveBytes([UInt8](repeating: 1, count: 200_000)), forKey: "v")
      }
    }
    let bytes = try writer.finish(root: first)
    let segments = ArchiveMap(bytes).segments
    #expect(segments.count == 2)
    let exchanged = patched(
      patched(bytes, at: segments[0].row, byteCount: 8, UInt64(segments[1].offset)),
      at: segments[1].row, byteCount: 8, UInt64(segments[0].offset))
    #expect(
      archiveError { try Archive(exchanged).verify() }?.code == .damaged)
  }

  @Test func `A record directory increases strictly and stays in its segment`() throws {
    let bytes = try SmallArchives.graph()
    let directory = ArchiveMap(bytes).directoryWord(0)
    let start = number(in: bytes, at: directory + 8, byteCount: 4)
    for value in [start, 0, UInt64(UInt32.max)] {
      let changed = patched(bytes, at: directory + 12, byteCount: 4, value)
      #expect(archiveError { _ = try Archive(changed).object(second) }?.code == .damaged)
    }
  }

  @Test func `Records that overlap cost no more than the archive has bytes`() throws {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "Node") { coder in
      coder.withScope("Node") { coder in
        coder.encode(1, forKey: "number")
        coder.encode("", forKey: "label")
        coder.encode(ArchiveReference(nil), forKey: "next")
        let odd = stride(from: 3 as UInt32, to: 99, by: 2)
        coder.encode(odd.map { ArchiveReference(.init($0)) }, forKey: "others")
      }
    }
    for number in 2...100 as ClosedRange<UInt32> {
      let size = number == 2 ? 100_000 : 8
      try writer.writeObject(.init(number), typeName: "Node") { coder in
        coder.withScope("Node") { coder in
          coder.encode(1, forKey: "number")
          coder.encode(String(repeating: "x", count: size), forKey: "label")
          coder.encode(ArchiveReference(nil), forKey: "next")
          coder.encode([ArchiveReference](), forKey: "others")
        }
      }
    }
    var bytes = try writer.finish(root: first)
    let directory = ArchiveMap(bytes).directoryWord(0)
    let start = number(in: bytes, at: directory + 8, byteCount: 4)
    let end = number(in: bytes, at: directory + 12, byteCount: 4)
    for id in stride(from: 3, to: 99, by: 2) {
      bytes = patched(bytes, at: directory + 4 * id, byteCount: 4, start)
      bytes = patched(bytes, at: directory + 4 * id + 4, byteCount: 4, end)
    }
    var registry = TypeRegistry()
    try registry.register(Node.self)
    let error = archiveError { _ = try Archive(bytes).decodeRoot(Node.self, registry: registry) }
    #expect(error?.code == .damaged)
    #expect(error?.reason == "records overlap")
  }

  @Test func `Payloads lie behind each other and nowhere else`() throws {
    let bytes = try archiveBytes { coder in
      coder.encode("the first payload", forKey: "a")
      coder.encode("the other payload", forKey: "v")
    }
    let map = ArchiveMap(bytes)
    // The first ends behind the second, or the second before the first, or behind the record.
    for value in [35, 64, UInt64(UInt32.max), 1 << 31] {
      let changed = patched(bytes, at: map.slot("a"), byteCount: 4, value)
      #expect(archiveError { _ = try Archive(changed).object(first) }?.code == .damaged)
    }
    for value in [0, 16, 64, UInt64(UInt32.max), 1 << 31] {
      let changed = patched(bytes, at: map.slot("v"), byteCount: 4, value)
      #expect(archiveError { _ = try Archive(changed).object(first) }?.code == .damaged)
    }
  }

  @Test(arguments: [1 << 31, UInt64(UInt32.max), 1 << 29, 0x2000_0003, 0, 2, 4])
  func `Array counts that cannot be are refused`(count: UInt64) throws {
    let (bytes, _, payload) = try single([1, 2, 3])
    let changed = patched(bytes, at: payload + 4, byteCount: 4, count)
    #expect(readError(changed, [Int].self)?.code == .damaged)
    #expect(readError(changed, ArchivedValue.self)?.code == .damaged)
  }

  @Test func `Elements of no width are refused`() throws {
    let (bytes, _, payload) = try single([1, 2, 3])
    for tag in [0, 7, 0b11111_000, 0b11111_111, 0b00001_010] as [UInt64] {
      let changed = patched(bytes, at: payload, byteCount: 1, tag)
      #expect(readError(changed, ArchivedValue.self)?.code == .damaged)
    }
  }

  @Test func `Deep nesting ends at the limit`() throws {
    var limits = ArchiveLimits()
    limits.nestingDepth = 200
    var value = ArchivedValue.null
    for _ in 0..<150 { value = .array([value]) }
    let bytes = try archiveBytes(limits: limits) { $0.encode(value, forKey: "v") }
    try Archive(bytes, limits: limits).verify()
    let archive = try Archive(bytes)
    #expect(archiveError { try archive.verify() }?.code == .limitExceeded)
    #expect(readError(bytes, ArchivedValue.self)?.code == .limitExceeded)
  }

  @Test func `Scalars that no writer makes are refused`() throws {
    let (flag, slot, _) = try single(true)
    #expect(readError(patched(flag, at: slot, byteCount: 1, 2), Bool.self)?.code == .nonCanonical)
    let (none, noneSlot, _) = try single(nil as Int?)
    let changed = patched(none, at: noneSlot, byteCount: 8, 1)
    #expect(readError(changed, Int?.self)?.code == .nonCanonical)
    let (link, linkSlot, _) = try single(ArchiveReference(nil))
    let wild = patched(link, at: linkSlot, byteCount: 4, 2)
    #expect(readError(wild, ArchiveReference.self)?.code == .damaged)
  }

  @Test func `Strings that are not UTF-8 are refused and never repaired`() throws {
    let (bytes, _, payload) = try single("a string of some length")
    for value in [0xFF, 0xC0AF, 0xED_A080, 0xF5, 0x80] as [UInt64] {
      let changed = patched(bytes, at: payload, byteCount: 4, value)
      #expect(readError(changed, String.self)?.code == .invalidUTF8)
    }
  }

  @Test func `Padding that is not zero is found by a full check`() throws {
    let bytes = try archiveBytes { coder in
      coder.encode(UInt8(7), forKey: "a")
      coder.encode("odd", forKey: "s")
      coder.encode([1, 2], forKey: "v")
      coder.encode("odd", forKey: "z")
    }
    let map = ArchiveMap(bytes)
    let end = map.record(1).upperBound
    for offset in [map.tail() - 1, map.payload("v") - 1, end - 1] {
      let archive = try Archive(patched(bytes, at: offset, byteCount: 1, 1))
      #expect(archiveError { try archive.verify() }?.code == .nonCanonical)
      #expect(try archive.object(first).decode([Int].self, forKey: "v") == [1, 2])
    }
  }

  @Test func `A value of an unknown kind is skipped by its width`() throws {
    for tag in [20 << 3 | 6, 31 << 3 | 6] {
      var bytes = try archiveBytes { coder in
        coder.encode("before..", forKey: "a")
        coder.encode("of a kind yet to come", forKey: "v")
        coder.encode("behind the unknown one", forKey: "z")
      }
      let map = ArchiveMap(bytes)
      let row = try #require(map.shape(of: 1).slots.first { $0.key == "v" }).row
      bytes = map.patchingTables(at: row + 4, byteCount: 1, UInt64(tag))
      let archive = try Archive(bytes)
      try archive.verify()
      let object = try archive.object(first)
      #expect(try object.decode(String.self, forKey: "z") == "behind the unknown one")
      let value = try object.dynamicValue(forKey: "v")
      #expect(
        value
          == .unknown(
            ArchiveTag(rawValue: UInt8(tag)), bytes: Array("of a kind yet to come".utf8)))
      #expect(
        archiveError { _ = try object.decode(String.self, forKey: "v") }?.code == .typeMismatch)
    }
  }
}

import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// The parts of an archive and their offsets, A-5 to.
///
/// Truncated archives and flipped bits are among the damaged archives.
@Suite struct `Hostile structure` {
  @Test func `Later versions and unknown features are told apart from damage`() throws {
    let bytes = try SmallArchives.values()
    for version in [0, 2, 0xFFFF] as [UInt64] {
      let error = openError(patched(bytes, at: 8, byteCount: 2, version))
      #expect(error?.code == .unsupportedVersion && error?.offset == 8)
      #expect(error?.message.contains("draft") == (version == 0))
    }
    #expect(openError(patched(bytes, at: 12, byteCount: 4, 4))?.code == .unsupportedFeature)
    #expect(openError(patched(bytes, at: 10, byteCount: 2, 9)) == nil)
    #expect(openError(patched(bytes, at: 16, byteCount: 4, 9))?.code == .damaged)
    #expect(openError(patched(bytes, at: 0, byteCount: 1, 0))?.code == .notAnArchive)
  }

  @Test(arguments: [0, 8, 63, 64, 65, 1 << 31, 1 << 62, 1 << 63, UInt64.max, UInt64.max - 7])
  func `A footer at a wrong offset is refused`(offset: UInt64) throws {
    let bytes = try SmallArchives.values()
    let tail = ArchiveMap(bytes).tail
    #expect(openError(patched(bytes, at: tail + 16, byteCount: 8, offset))?.code == .damaged)
    let itself = patched(bytes, at: tail + 16, byteCount: 8, UInt64(tail))
    #expect(openError(itself)?.code == .damaged)
    #expect(openError(patched(bytes, at: tail, byteCount: 4, offset))?.code == .truncated)
  }

  /// Numbers that are in the footer and in a segment must agree.
  @Test func `A footer that disagrees with the segments is found by a full check`() throws {
    for bytes in try SmallArchives.all() {
      let map = ArchiveMap(bytes)
      let segment = try #require(map.segments.first)
      let fields =
        Array(stride(from: segment.offset, to: segment.bodies, by: 4))
        + Array(stride(from: map.footer, to: map.footer + 20, by: 4))
        + Array(stride(from: map.segmentDirectory, to: bytes.count, by: 4))
      for field in fields {
        for delta in [1, 8, -1] {
          let changed = patched(
            bytes, at: field, byteCount: 4, UInt64(truncatingIfNeeded: map.word(field) + delta))
          // Another object as the root makes another archive, which is sound.
          if field == map.tail + 12, openError(changed) == nil { continue }
          #expect(verifyError(changed) != nil, "byte \(field) by \(delta)")
          readEverything(changed)
        }
      }
    }
  }

  /// An archive of three segments, with three objects in each.
  private func segmented() throws -> [UInt8] {
    var writer = ArchiveWriter()
    for number in 1...9 as ClosedRange<UInt32> {
      try writer.writeObject(.init(number), typeName: "T") { coder in
        coder.encode(number, forKey: "number")
        coder.encode(ArchiveBytes([UInt8](repeating: 1, count: 20_000)), forKey: "v")
      }
    }
    return try writer.finish(root: first)
  }

  @Test func `Exchanged and repeated segments are found by a full check`() throws {
    let bytes = try segmented()
    let segments = ArchiveMap(bytes).segments
    #expect(segments.count == 3)
    for one in 0..<3 {
      for other in 0..<3 where one != other {
        var exchanged = bytes
        let (left, right) = (segments[one].row, segments[other].row)
        for index in 0..<20 {
          exchanged[left + index] = bytes[right + index]
          exchanged[right + index] = bytes[left + index]
        }
        #expect(verifyError(exchanged)?.code == .damaged)
        var repeated = bytes
        for index in 0..<20 { repeated[left + index] = bytes[right + index] }
        #expect(verifyError(repeated)?.code == .damaged)
        // Only the offsets are exchanged: each segment states its number.
        let moved = patched(
          patched(bytes, at: left, byteCount: 8, UInt64(segments[other].offset)),
          at: right, byteCount: 8, UInt64(segments[one].offset))
        #expect(verifyError(moved)?.code == .damaged)
        for wrong in [exchanged, repeated, moved] { readEverything(wrong) }
      }
    }
  }

  @Test func `A missing segment is found by a full check`() throws {
    let bytes = try segmented()
    for (index, segment) in ArchiveMap(bytes).segments.enumerated() {
      var shorter = bytes
      shorter.removeSubrange(segment.row..<segment.row + 20)
      shorter = patched(shorter, at: shorter.count - 20, byteCount: 4, 2)
      #expect(verifyError(shorter)?.code == .damaged)
      readEverything(shorter)
      guard index > 0 else { continue }
      let archive = try Archive(shorter)
      let lost = ArchiveObjectID(UInt32(segment.firstObject))
      #expect(archiveError { _ = try archive.object(lost) }?.code == .damaged)
      #expect(archiveError { try archive.forEachObject { _ in } }?.code == .damaged)
      // Objects of the segments before it may be read.
      if index == 2 {
        #expect(try archive.object(first).decode(Int.self, forKey: "number") == 1)
      }
    }
  }

  ///
  @Test func `A segment row that describes no segment is refused when it is read`() throws {
    let bytes = try SmallArchives.values()
    let map = ArchiveMap(bytes)
    let row = map.segmentDirectory
    let length = UInt64(map.segments[0].bodiesByteCount)
    let wrong: [(Int, Int, UInt64)] = [
      (0, 8, UInt64.max), (0, 8, 0), (0, 8, 21), (0, 8, 1 << 63), (8, 4, 0), (8, 4, 2),
      (8, 4, UInt64(UInt32.max)), (12, 4, UInt64(UInt32.max)), (12, 4, 1 << 31),
      (12, 4, UInt64(bytes.count)), (16, 4, 1), (16, 4, 1 << 31), (16, 4, 0x7FFF_FFFF),
    ]
    for (field, byteCount, value) in wrong {
      let changed = patched(bytes, at: row + field, byteCount: byteCount, value)
      for error in [
        archiveError { _ = try Archive(changed).object(first) },
        archiveError { try Archive(changed).forEachObject { _ in } }, verifyError(changed),
        archiveError { _ = try Archive(source: NotedSource(changed)).object(first) },
      ] {
        #expect(error?.code == .damaged, "\(value) at \(field)")
      }
    }
    for change in [1, -1] as [Int64] {
      let changed = patched(
        bytes, at: row + 12, byteCount: 4, UInt64(bitPattern: Int64(length) + change))
      #expect(verifyError(changed)?.code == .damaged)
    }
  }

  @Test func `Ends of bodies that decrease or leave their segment are refused`() throws {
    let bytes = try SmallArchives.graph()
    let map = ArchiveMap(bytes)
    let segment = map.segments[0]
    #expect(segment.endByteCount == 1 && segment.objectCount == 3)
    let start = UInt64(map.record(2).lowerBound - segment.bodies)
    for value in [start - 1, 0, UInt64(segment.bodiesByteCount) + 1, 255] {
      let changed = patched(bytes, at: map.directoryEntry(2), byteCount: 1, value)
      for error in [
        archiveError { _ = try Archive(changed).object(second) },
        archiveError { _ = try Archive(source: NotedSource(changed)).object(second) },
        archiveError { try Archive(changed).forEachObject { _ in } },
      ] {
        #expect(error?.code == .damaged && error?.objectID == second)
      }
      #expect(verifyError(changed)?.code == .damaged)
    }
  }

  ///
  @Test func `A payload that ends after its record is refused`() throws {
    let bytes = try archiveBytes { coder in
      coder.encode("the first payload", forKey: "a")
      coder.encode("the other payload", forKey: "v")
    }
    let map = ArchiveMap(bytes)
    // The end of the first payload is after that of the record, where the second one ends.
    for end in [35, 36, 64, 128, 255] {
      let changed = map.patchingEnd(of: "a", end)
      #expect(archiveError { _ = try Archive(changed).object(first) }?.code == .damaged)
      #expect(verifyError(changed)?.code == .damaged)
    }
    for end in [0, 16, 34] { #expect(verifyError(map.patchingEnd(of: "a", end)) == nil) }
  }

  /// A-42, in arrays whose elements share a tag and in others.
  @Test func `An element of an array that ends at an impossible offset is refused`() throws {
    let packed = try single(["one", "other"])
    let mixed = try single(DynamicValue.array([.string("one"), .bytes([1, 2, 3, 4, 5])]))
    // The end of the first element is where the second one begins.
    for (archive, end) in [(packed, 2), (mixed, 2 + 2)] {
      #expect(archive.bytes[archive.payload + end] == 3)
      for value in [9, 100, 255] as [UInt64] {
        let changed = patched(archive.bytes, at: archive.payload + end, byteCount: 1, value)
        #expect(readError(changed, DynamicValue.self)?.code == .damaged)
        #expect(verifyError(changed)?.code == .damaged)
      }
    }
    // A number among others takes the bytes of its width.
    let (bytes, _, payload) = try single(
      DynamicValue.array([.signed(1, bitWidth: 16), .bool(true)]))
    for end in [0, 1, 3] as [UInt64] {
      let changed = patched(bytes, at: payload + 2 + 2, byteCount: 1, end)
      #expect(readError(changed, DynamicValue.self)?.code == .damaged)
    }
  }

  /// Every word of an archive is set to the edges of its range.
  @Test(arguments: [0, 1, 2, 3])
  func `Numbers at the edges of their range lead to errors and not to traps`(index: Int) throws {
    let bytes = try SmallArchives.all()[index]
    for offset in stride(from: 0, to: bytes.count - 8, by: 4) {
      for value in [UInt64(UInt32.max), 0x7FFF_FFFF, 1 << 31, 0xFFFF_FFF8, 0x1FFF_FFFF] {
        readEverything(patched(bytes, at: offset, byteCount: 4, value))
      }
      for value in [UInt64.max, 1 << 63, UInt64.max - 7, 1 << 61] {
        readEverything(patched(bytes, at: offset, byteCount: 8, value))
      }
    }
  }

  /// Each row can be read: the second one has no object, so a reader never uses it.
  @Test func `A document refuses two rows for one segment, though each row can be read`() throws {
    var writer = ArchiveWriter()
    for (index, count) in [300_000, 8, 100_000, 8, 8].enumerated() {
      try writer.writeObject(.init(UInt32(index + 1)), typeName: "T") { coder in
        coder.encode(ArchiveBytes([UInt8](repeating: 1, count: count)), forKey: "blob")
      }
    }
    var bytes = try writer.finish(root: first)
    let map = ArchiveMap(bytes)
    let segments = map.segments
    try #require(segments.map(\.objectCount) == [1, 1, 1, 2])
    // The third row claims the first segment as that of object 2, and the last one begins with object 3.
    bytes = patched(bytes, at: segments[2].row, byteCount: 8, UInt64(segments[0].offset))
    bytes = patched(bytes, at: segments[2].row + 8, byteCount: 4, 2)
    bytes = patched(
      bytes, at: segments[2].row + 12, byteCount: 4, UInt64(segments[0].bodiesByteCount))
    bytes = patched(bytes, at: segments[3].row + 8, byteCount: 4, 3)
    bytes = patched(bytes, at: map.tail + 8, byteCount: 4, 4)
    let document = try ArchiveDocument(Archive(bytes))
    #expect(try document.object(second) == document.object(first))
    let error = archiveError { _ = try document.encoded() }
    #expect(error?.code == .damaged && error?.objectID == second)
    #expect(error?.message == "records overlap")
    #expect(error?.offset == map.record(1).lowerBound)
  }
}

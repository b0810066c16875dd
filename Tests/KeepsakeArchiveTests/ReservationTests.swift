import KeepsakeArchive
import TestSupport
import Testing

/// A value that takes at least 520 bytes in memory, whatever its record has.
private struct Wide: ArchiveDecodableRecord, Sendable {
  static let archiveTypeName = "T"
  var number: Int
  var rest = SIMD64<Int>()

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    number = try coder.decode(Int.self, forKey: "number")
  }
}

private final class Shell: ArchiveObject {
  static let archiveTypeName = "T"
  init(from coder: borrowing ObjectDecoder) {}
  func encode(to coder: inout ObjectEncoder) {}
  func decode(from coder: borrowing ObjectDecoder) {}
}

/// Archives that announce more objects than they have: no memory is reserved for them (Spec/archive.md, 7.6).
@Suite(.enabled(if: Allocation.isCounted)) struct `Room for announced objects` {
  private static let segmentCount = 16
  private static let byteCount = 1 << 20

  /// An archive of few objects and many bytes, whose directory announces as many objects as it has bytes.
  private static func forged() -> [UInt8] {
    var archive = RawArchive()
    archive.keys = [RawArchive.key("bit"), RawArchive.key("bytes")]
    archive.types = [RawArchive.type("T")]
    archive.shapes = [
      RawArchive.shape(type: 0, [RawArchive.slot(0x0F, 0)]),
      RawArchive.shape(type: 0, [RawArchive.slot(0x36, 1)]),
    ]
    // The last segment is one object of many bytes; each of the others is one object of one byte.
    for _ in 0..<segmentCount { archive.segments.append(([[1]], RawArchive.fixedWidth)) }
    archive.segments.append(([[UInt8](repeating: 0, count: byteCount)], 1))
    return announcing(byteCount - 100, archive.bytes)
  }

  /// Changes the number of objects in the rows and in the tail; the first segment stays as it is.
  private static func announcing(_ count: Int, _ archive: [UInt8]) -> [UInt8] {
    var bytes = archive
    let tail = bytes.count - 24
    let rows = tail - 20 * (segmentCount + 1)
    func put(_ number: UInt32, at offset: Int) {
      bytes.replaceSubrange(offset..<offset + 4, with: RawArchive.word(number))
    }
    for row in 1...segmentCount { put(UInt32(2 + (row - 1) * 65_000), at: rows + 20 * row + 8) }
    put(UInt32(count), at: tail + 8)
    return bytes
  }

  /// An archive that has all the objects that it announces, of one byte each.
  private static func full() -> [UInt8] {
    var archive = RawArchive()
    archive.keys = [RawArchive.key("bit")]
    archive.types = [RawArchive.type("T")]
    archive.shapes = [RawArchive.shape(type: 0, [RawArchive.slot(0x0F, 0)])]
    for _ in 0..<8 {
      archive.segments.append(
        ([[UInt8]](repeating: [1], count: 65_535), RawArchive.fixedWidth))
    }
    return archive.bytes
  }

  @Test func `Values of announced objects that do not exist get no memory`() throws {
    let archive = try Archive(Self.forged())
    #expect(archive.objectCount > 1_000_000)
    let most = Allocation.most { _ = try? archive.decodeObjects(Wide.self) }
    #expect(most < 100_000, "\(most)")
    let threaded = Allocation.most {
      _ = try? archive.decodeObjects(Wide.self, threads: 2) { _, work in work() }
    }
    #expect(threaded < 100_000, "\(threaded)")
    #expect(archiveError { _ = try archive.decodeObjects(Wide.self) }?.code == .absentKey)
  }

  @Test func `Announced objects of a graph that do not exist get no memory`() throws {
    let archive = try Archive(Self.forged())
    var registry = TypeRegistry()
    try registry.register(Shell.self)
    let most = try Allocation.most { _ = try archive.decodeRoot(Shell.self, registry: registry) }
    #expect(most < 100_000, "\(most)")
    let finder = Allocation.most { _ = ObjectFinder(archive) }
    #expect(finder < 100_000, "\(finder)")
  }

  @Test func `Values that are much larger than their objects get memory in proportion`() throws {
    let bytes = Self.full()
    let archive = try Archive(bytes)
    #expect(archive.objectCount == 8 * 65_535)
    for threads in [1, 2] {
      let most = Allocation.most {
        _ = try? archive.decodeObjects(Wide.self, threads: threads) { _, work in work() }
      }
      #expect(most <= 65 * bytes.count, "\(threads): \(most)")
    }
  }

  @Test func `All objects of a long list are read, however little was reserved at first`() throws {
    struct Bit: ArchiveDecodableRecord, Sendable {
      static let archiveTypeName = "T"
      var bit: Bool
      var rest = SIMD16<Int>()
      init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
        bit = try coder.decode(Bool.self, forKey: "bit")
      }
    }
    let bytes = Self.full()
    for archive in [try Archive(bytes), try Archive(source: NotedSource(bytes))] {
      let bits = try archive.decodeObjects(Bit.self)
      #expect(bits.count == archive.objectCount && bits.allSatisfy(\.bit))
      let again = try archive.decodeObjects(Bit.self, threads: 2) { _, work in work() }
      #expect(again.count == archive.objectCount && again.allSatisfy(\.bit))
    }
  }
}

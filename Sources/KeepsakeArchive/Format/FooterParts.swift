// The parts at the end of an archive, except the entries of its tables (Spec/archive.md, 3.4, 3.5 and 4).

/// The first bytes of the tables of the footer or of a segment (Spec/archive.md, 4).
struct TablesHead: Equatable, Sendable {
  static let byteCount = 20
  /// The bytes of an entry in the list of conditional references.
  static let conditionalByteCount = 4

  var counts: TableCounts
  /// The number of entries in the list of conditional references; 0 in a segment.
  var conditionalCount: Int
  var entriesByteCount: Int

  var tablesByteCount: Int { TablesHead.byteCount + entriesByteCount }

  var conditionalsByteCount: Int { conditionalCount * TablesHead.conditionalByteCount }

  func write(to bytes: inout ByteBuffer) {
    counts.write(to: &bytes)
    // `ArchiveWriter.complete` refuses more.
    bytes.append(UInt32(clamping: conditionalCount))
    bytes.append(UInt32(clamping: entriesByteCount))
  }
}

extension TablesHead {
  /// Reads the head at an offset; nil when the bytes end before it does.
  init?(_ bytes: ByteRegion, at offset: Int) {
    var fields = FieldCursor(bytes, at: offset)
    guard let counts = TableCounts(&fields), let conditionals: UInt32 = fields.next(),
      let length: UInt32 = fields.next()
    else { return nil }
    self.init(
      counts: counts, conditionalCount: Int(conditionals), entriesByteCount: Int(length))
  }

  /// Checks that the tables of a segment count no conditional references.
  func checkIsOfSegment(at offset: Int) throws(ArchiveError) {
    guard conditionalCount == 0 else {
      throw .damaged("the tables of a segment count conditional references", at: offset)
    }
  }
}

/// The last bytes of every archive (Spec/archive.md, 3.5).
struct ArchiveTail: Equatable, Sendable {
  static let byteCount = 24
  private static let marker: UInt32 = 0x6454_534B  // "KSTd"

  var segmentCount: Int
  var objectCount: Int
  var root: UInt32
  var footerOffset: Int

  func write(to bytes: inout ByteBuffer) {
    bytes.append(ArchiveTail.marker)
    bytes.append(UInt32(segmentCount))
    bytes.append(UInt32(objectCount))
    bytes.append(root)
    bytes.append(UInt64(footerOffset))
  }
}

extension ArchiveTail {
  /// Reads the tail at an offset, and checks its numbers.
  init(_ bytes: ByteRegion, at place: Int) throws(ArchiveError) {
    var fields = FieldCursor(bytes, at: place)
    guard fields.next() == ArchiveTail.marker, let segments: UInt32 = fields.next(),
      let objects: UInt32 = fields.next(), let root: UInt32 = fields.next(),
      let footer: UInt64 = fields.next()
    else {
      throw ArchiveError(
        .truncated, "the archive does not end as an archive does",
        offset: place + ArchiveTail.byteCount)
    }
    self.init(
      segmentCount: Int(segments), objectCount: Int(objects), root: root,
      footerOffset: Int(exactly: footer) ?? .max)
    guard segmentCount >= 1, objectCount >= segmentCount,
      objectCount <= segmentCount * SegmentHead.fullCount, root >= 1, root <= objects
    else { throw .damaged("the tail counts objects that cannot be in so many segments", at: place) }
  }
}

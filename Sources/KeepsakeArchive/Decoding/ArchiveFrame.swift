/// What header, tail and footer header say, checked against each other (Spec/archive.md, section 3).
struct ArchiveFrame: Sendable {
  /// The length of the archive.
  var byteCount: Int
  var footerOffset: Int
  var segmentCount: Int
  var objectCount: Int
  var root: UInt32
  var counts: TableCounts
  var lengths: TableLengths

  var tablesOffset: Int { footerOffset + FormatConstants.footerHeaderByteCount }
  /// Where the objects of conditional references are listed.
  var conditionalsOffset: Int { tablesOffset + lengths.total }
  var conditionalCount: Int
  var rowsOffset: Int { conditionalsOffset + ((conditionalCount * 4 + 7) & ~7) }

  /// What is known of an archive while it is read forward: no bounds.
  static let ofStream = ArchiveFrame()

  private init() {
    (byteCount, footerOffset, segmentCount, objectCount) = (.max, .max, 0, .max)
    (root, counts, lengths, conditionalCount) = (0, TableCounts(), TableLengths(), 0)
  }

  /// Reads the frame of an archive of a length.
  ///
  /// Its parts are given by `read`: the bytes of a range that lies within the archive, or more.
  init(
    byteCount: Int, limits: ArchiveLimits,
    _ read: (Range<Int>) throws(ArchiveError) -> ByteRegion
  ) throws(ArchiveError) {
    self.byteCount = byteCount
    guard byteCount <= limits.byteCount else {
      throw ArchiveError(
        .limitExceeded, "the archive has \(byteCount) bytes, more than the limit", offset: 0)
    }
    try ArchiveFrame.checkHeader(
      try read(0..<min(max(byteCount, 0), FormatConstants.headerByteCount)))
    let tail = byteCount - FormatConstants.tailByteCount
    guard tail >= FormatConstants.headerByteCount, byteCount.isMultiple(of: 8) else {
      throw ArchiveFrame.truncated(byteCount)
    }
    let end = try read(tail..<byteCount)
    guard end.load(UInt32.self, at: tail + 28) == FormatConstants.tailMarker,
      let total = end.load(UInt64.self, at: tail + 16), total == UInt64(byteCount)
    else { throw ArchiveFrame.truncated(byteCount) }
    // The footer lies between header and tail and fills its part of the archive to the byte.
    guard let offset = end.load(UInt64.self, at: tail), offset <= UInt64(tail),
      offset >= UInt64(FormatConstants.headerByteCount), offset.isMultiple(of: 8),
      let length = end.load(UInt64.self, at: tail + 8), length == UInt64(tail) - offset,
      length >= UInt64(FormatConstants.footerHeaderByteCount)
    else {
      throw ArchiveError(.damaged, "the tail points to no footer", offset: tail)
    }
    footerOffset = Int(offset)
    let bytes = try read(footerOffset..<footerOffset + FormatConstants.footerHeaderByteCount)
    let words = ArchiveFrame.words(bytes, at: footerOffset)
    guard words[0] == FormatConstants.footerMarker else {
      throw ArchiveError(.damaged, "the footer does not begin as it must", offset: footerOffset)
    }
    segmentCount = Int(words[1])
    objectCount = Int(words[2])
    root = words[3]
    counts = TableCounts(keys: Int(words[4]), types: Int(words[5]), shapes: Int(words[6]))
    lengths = TableLengths()
    let room = Int(length) - FormatConstants.footerHeaderByteCount
    lengths.keys = try ArchiveFrame.length(bytes, at: footerOffset + 32, atMost: room)
    lengths.types = try ArchiveFrame.length(
      bytes, at: footerOffset + 40, atMost: room - lengths.keys)
    lengths.shapes = try ArchiveFrame.length(
      bytes, at: footerOffset + 48, atMost: room - lengths.keys - lengths.types)
    conditionalCount = Int(words[7])
    let conditionals = (conditionalCount * 4 + 7) & ~7
    guard segmentCount >= 1,
      segmentCount <= room / FormatConstants.segmentRowByteCount,
      room - lengths.total - conditionals == segmentCount * FormatConstants.segmentRowByteCount,
      end.load(UInt32.self, at: tail + 24) == words[1],
      bytes.load(UInt64.self, at: footerOffset + 56) == 0
    else {
      throw ArchiveError(
        .damaged, "the footer is not as long as its tables", offset: footerOffset)
    }
    // The archive's own record is no object.
    guard objectCount < byteCount / FormatConstants.leastRecordByteCount, root >= 1,
      root <= UInt32(objectCount)
    else {
      throw ArchiveError(
        .damaged, "the footer counts objects that the archive has no room for",
        offset: footerOffset + 8)
    }
  }

  private static func truncated(_ byteCount: Int) -> ArchiveError {
    ArchiveError(.truncated, "the archive does not end as an archive does", offset: byteCount)
  }

  /// Checks the first bytes, as many as there are of the header (Spec/archive.md, 3.1).
  static func checkHeader(_ bytes: ByteRegion) throws(ArchiveError) {
    guard let magic = bytes.load(UInt64.self, at: 0) else {
      throw ArchiveError(.truncated, "the archive has only \(bytes.end) bytes", offset: 0)
    }
    guard magic == FormatConstants.magic else {
      throw ArchiveError(.notAnArchive, "the bytes do not begin as an archive does", offset: 0)
    }
    guard bytes.end >= FormatConstants.headerByteCount else {
      throw ArchiveError(
        .truncated, "the archive ends inside its header", offset: bytes.end)
    }
    let version = bytes.load(UInt16.self, at: 8) ?? .max
    guard version == FormatConstants.version else {
      throw ArchiveError(
        .unsupportedVersion,
        "the archive is of format version \(version), and this library reads version 0",
        offset: 8)
    }
    guard bytes.load(UInt32.self, at: 12) == 0 else {
      throw ArchiveError(
        .unsupportedFeature, "the archive uses a feature that this library does not know",
        offset: 12)
    }
    guard bytes.isZero(in: 20..<FormatConstants.headerByteCount) else {
      throw ArchiveError(.nonCanonical, "reserved bytes of the header are not zero", offset: 20)
    }
  }

  private static func words(_ bytes: ByteRegion, at offset: Int) -> [UInt32] {
    (0..<8).map { bytes.load(UInt32.self, at: offset + 4 * $0) ?? 0 }
  }

  /// A table length: a multiple of eight that leaves the rest of the footer its room.
  private static func length(
    _ bytes: ByteRegion, at offset: Int, atMost room: Int
  ) throws(ArchiveError) -> Int {
    guard let raw = bytes.load(UInt64.self, at: offset), raw.isMultiple(of: 8),
      let length = Int(exactly: raw), length <= room
    else {
      throw ArchiveError(
        .damaged, "a table of the footer is longer than the footer", offset: offset)
    }
    return length
  }
}

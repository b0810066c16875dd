/// What header, tail and the head of the tables say of an archive, checked against each other
/// (Spec/archive.md, 3).
struct ArchiveFrame: Sendable {
  /// The length of the archive.
  let byteCount: Int
  /// Where the archive values end and the first segment begins.
  let valuesEnd: Int
  let head: TablesHead
  private let tail: ArchiveTail

  var segmentCount: Int { tail.segmentCount }
  var objectCount: Int { tail.objectCount }
  var root: UInt32 { tail.root }
  var conditionalCount: Int { head.conditionalCount }

  /// Where the segments end and the tables begin.
  var footerOffset: Int { tail.footerOffset }
  /// Where the objects of conditional references are listed.
  var conditionalsOffset: Int { footerOffset + head.tablesByteCount }
  var rowsOffset: Int { conditionalsOffset + head.conditionalsByteCount }

  /// Where the list says what the object of a conditional reference is.
  func conditionalOffset(_ number: Int) -> Int {
    conditionalsOffset + (number - 1) * TablesHead.conditionalByteCount
  }

  /// Where a row of the segment directory lies.
  func rowOffset(_ index: Int) -> Int { rowsOffset + index * SegmentRow.byteCount }

  /// What is known of an archive while it is read forward: no bounds.
  static func ofStream(valuesEnd: Int) -> ArchiveFrame { ArchiveFrame(valuesEnd: valuesEnd) }

  private init(valuesEnd: Int) {
    byteCount = .max
    self.valuesEnd = valuesEnd
    head = TablesHead(counts: TableCounts(), conditionalCount: 0, entriesByteCount: 0)
    tail = ArchiveTail(segmentCount: 0, objectCount: .max, root: 0, footerOffset: .max)
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
      throw ArchiveError.tooLong(byteCount, limits, offset: 0)
    }
    valuesEnd = try ArchiveHeader.read(
      try read(0..<min(max(byteCount, 0), ArchiveHeader.byteCount)))
    let end = byteCount - ArchiveTail.byteCount
    guard end >= valuesEnd + SegmentHead.byteCount + TablesHead.byteCount else {
      throw ArchiveError(
        .truncated, "the archive does not end as an archive does", offset: byteCount)
    }
    tail = try ArchiveTail(try read(end..<byteCount), at: end)
    let room = valuesEnd + SegmentHead.byteCount...end - TablesHead.byteCount
    guard room ~= tail.footerOffset else {
      throw ArchiveError(.damaged, "the tail points to no footer", offset: end)
    }
    let place = tail.footerOffset
    guard
      let head = TablesHead(try read(place..<place + TablesHead.byteCount), at: place),
      head.tablesByteCount + head.conditionalsByteCount + tail.segmentCount * SegmentRow.byteCount
        == end - place
    else {
      throw ArchiveError(
        .damaged, "the footer is not as long as its parts", offset: place)
    }
    self.head = head
    // Each object but the first of a segment has a byte of its own, and each segment its head.
    guard tail.objectCount <= byteCount else {
      throw ArchiveError(
        .damaged, "the tail counts objects that the archive has no room for", offset: end)
    }
  }
}

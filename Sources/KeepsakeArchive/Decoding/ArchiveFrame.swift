/// What header, tail and footer say of an archive, checked against each other (Spec/archive.md, 3).
struct ArchiveFrame: Sendable {
  /// The length of the archive.
  let byteCount: Int
  let footerOffset: Int
  private let head: FooterHead

  var segmentCount: Int { head.segmentCount }
  var objectCount: Int { head.objectCount }
  var root: UInt32 { head.root }
  var counts: TableCounts { head.counts }
  var lengths: TableLengths { head.lengths }
  var conditionalCount: Int { head.conditionalCount }

  var tablesOffset: Int { footerOffset + FooterHead.byteCount }
  /// Where the objects of conditional references are listed.
  var conditionalsOffset: Int { tablesOffset + lengths.total }
  var rowsOffset: Int { conditionalsOffset + head.conditionalsByteCount }

  /// Where the list says what the object of a conditional reference is.
  func conditionalOffset(_ number: Int) -> Int {
    conditionalsOffset + (number - 1) * FooterHead.conditionalByteCount
  }

  /// Where a row of the segment directory lies.
  func rowOffset(_ index: Int) -> Int { rowsOffset + index * SegmentRow.byteCount }

  /// What is known of an archive while it is read forward: no bounds.
  static let ofStream = ArchiveFrame()

  private init() {
    (byteCount, footerOffset) = (.max, .max)
    head = FooterHead(
      segmentCount: 0, objectCount: .max, root: 0, counts: TableCounts(), lengths: TableLengths(),
      conditionalCount: 0)
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
    try ArchiveHeader.check(try read(0..<min(max(byteCount, 0), ArchiveHeader.byteCount)))
    let end = byteCount - ArchiveTail.byteCount
    guard end >= ArchiveHeader.byteCount, byteCount.isMultiple(of: 8) else {
      throw ArchiveError(
        .truncated, "the archive does not end as an archive does", offset: byteCount)
    }
    let tail = try ArchiveTail(try read(end..<byteCount), archiveByteCount: byteCount)
    footerOffset = tail.footerOffset
    let room = tail.footerByteCount - FooterHead.byteCount
    head = try FooterHead(
      try read(footerOffset..<footerOffset + FooterHead.byteCount), at: footerOffset, room: room)
    guard tail.segmentCount == head.segmentCount else {
      throw ArchiveError(
        .damaged, "the footer counts other segments than the tail", offset: footerOffset)
    }
    // The archive's own record is no object.
    guard objectCount < byteCount / ShapeNumber.leastObjectByteCount, root >= 1,
      Int(root) <= objectCount
    else {
      throw ArchiveError(
        .damaged, "the footer counts objects that the archive has no room for",
        offset: footerOffset + FooterHead.objectCountOffset)
    }
  }
}

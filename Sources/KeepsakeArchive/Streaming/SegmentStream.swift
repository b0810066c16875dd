/// Reads an archive segment by segment and checks each as a whole (Spec/archive.md, 7.7).
struct SegmentStream: ~Copyable {
  /// The segment that was read last.
  private(set) var segment: ArchiveStorage?
  private(set) var row = SegmentRow(
    offset: 0, byteCount: 0, firstRecord: 0, recordCount: 0, recordsByteCount: 0)

  private var input: StreamInput
  private let limits: ArchiveLimits
  private var tables = GrowingTables()
  private var index: ArchiveIndex
  private var verification: SegmentVerification
  /// What holds the archive's own record.
  private var start: ArchiveStart?
  /// The rows that the segment directory of the footer must have.
  private var rows: [SegmentRow] = []

  init(_ source: any ArchiveSource, limits: ArchiveLimits) throws {
    input = StreamInput(source, limit: limits.byteCount)
    self.limits = limits
    index = ArchiveIndex(
      limits: limits, frame: .ofStream, tables: ReaderTables(), isStream: true)
    verification = SegmentVerification(ArchiveStorage(ByteRegion([]), index, start: nil))
    var header: [UInt8] = []
    try input.read(FormatConstants.headerByteCount, into: &header)
    try ArchiveFrame.checkHeader(ByteRegion(header))
  }

  /// Reads the next segment, or what comes behind the last one.
  ///
  /// - Returns: Nil if there was a segment.
  mutating func next() throws -> ArchiveStreamSummary? {
    // The one before is given back first, so that there is one segment at a time.
    segment = nil
    let head = try input.part(FormatConstants.segmentHeaderByteCount)
    let marker = head.load(UInt32.self, at: head.origin)
    if marker == FormatConstants.footerMarker, !rows.isEmpty {
      return try StreamFooter(head, rows, tables.counts).read(
        from: &input, tables: tables.bytes(), verification)
    }
    guard marker == FormatConstants.segmentMarker else {
      throw ArchiveError(
        .damaged, "there is neither a segment nor the footer where one must be",
        offset: head.origin)
    }
    try checkEnd()
    let (row, delta) = try parse(head)
    var bytes = head.bytes
    bytes.reserveCapacity(min(row.byteCount, 2 * FormatConstants.segmentFlushByteCount))
    try input.readExactly(row.byteCount - bytes.count, into: &bytes)
    let region = ByteRegion(bytes, origin: row.offset)
    let declared = row.offset + row.tablesOffset..<row.offset + row.byteCount
    if !declared.isEmpty || delta != TableCounts() {
      try tables.add(delta, from: region, at: declared, limits: limits)
      index = ArchiveIndex(
        limits: limits, frame: .ofStream, tables: tables.copy(), isStream: true)
    }
    let storage = ArchiveStorage(region, index, start: start)
    try verification.verify(segment: rows.count, row, isLast: true, in: storage)
    if start == nil {
      // Kept for as long as the stream is read, and not the segment that it is in.
      let range = try row.recordRange(0, in: storage.view)
      let record = ByteRegion(storage.view.copy(range), origin: range.lowerBound)
      start = ArchiveStart(storage: ArchiveStorage(record, index, start: nil), record: range)
      segment = ArchiveStorage(region, index, start: start)
    } else {
      segment = storage
    }
    self.row = row
    rows.append(row)
    return nil
  }

  /// The segment that was read last is not the last one: it has to be full, so that there are few
  /// of them, however the stream was forged.
  private func checkEnd() throws(ArchiveError) {
    guard let last = rows.last,
      last.recordsByteCount < FormatConstants.segmentFlushByteCount
    else { return }
    throw ArchiveError(
      .nonCanonical, "a segment does not end where a writer ends it", offset: last.offset)
  }

  /// Reads the header of a segment (Spec/archive.md, 4.1).
  private func parse(
    _ head: ByteRegion
  ) throws(ArchiveError) -> (row: SegmentRow, delta: TableCounts) {
    func word(_ field: Int) -> UInt32 { head.load(UInt32.self, at: head.origin + field) ?? 0 }
    func length(_ field: Int) -> Int? {
      head.load(UInt64.self, at: head.origin + field).flatMap { Int(exactly: $0) }
    }
    let firstRecord = rows.last.map { $0.firstRecord + $0.recordCount } ?? 0
    let largest = FormatConstants.segmentFlushByteCount + limits.recordByteCount
    guard word(4) == UInt32(rows.count), word(8) == firstRecord,
      let tables = length(32), let records = length(40), let total = length(48),
      tables.isMultiple(of: 8), tables <= total,
      word(12) >= 1, Int(word(12)) <= records / FormatConstants.recordHeaderByteCount,
      word(12) <= .max - firstRecord
    else {
      throw ArchiveError(
        .damaged, "the header of segment \(rows.count) describes no segment", offset: head.origin)
    }
    guard records <= largest else {
      throw ArchiveError(
        .limitExceeded, "a record has more bytes than the limit allows", offset: head.origin)
    }
    let row = SegmentRow(
      offset: head.origin, byteCount: total, firstRecord: firstRecord, recordCount: word(12),
      recordsByteCount: records)
    guard row.tablesOffset == total - tables else {
      throw ArchiveError(
        .damaged, "segment \(rows.count) is not as long as its parts", offset: head.origin)
    }
    let delta = TableCounts(
      keys: Int(word(16)), types: Int(word(20)), shapes: Int(word(24)))
    return (row, delta)
  }
}

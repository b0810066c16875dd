/// Reads an archive segment by segment and checks each as a whole (Spec/archive.md, 7.7).
struct SegmentStream: ~Copyable {
  /// The segment that was read last.
  private(set) var segment: ArchiveStorage?
  private(set) var row = SegmentRow(
    offset: 0, byteCount: 0, firstRecord: 0, recordCount: 0, recordsByteCount: 0)

  private var input: StreamInput
  private let limits: ArchiveLimits
  private var tables = ReaderTables()
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
    try input.read(ArchiveHeader.byteCount, into: &header)
    try ArchiveHeader.check(ByteRegion(header))
  }

  /// Reads the next segment, or what comes after the last one.
  ///
  /// - Returns: Nil if there was a segment.
  mutating func next() throws -> ArchiveStreamSummary? {
    // The one before is given back first, so that there is one segment at a time.
    segment = nil
    let head = try input.part(SegmentHead.byteCount)
    let marker = head.load(UInt32.self, at: head.origin)
    if marker == FooterHead.marker, !rows.isEmpty {
      return try StreamFooter(head, rows, tables.entries).read(from: &input, verification)
    }
    guard marker == SegmentHead.marker else {
      throw ArchiveError(
        .damaged, "there is neither a segment nor the footer where one must be",
        offset: head.origin)
    }
    try checkEnd()
    let (row, newEntries) = try parse(head)
    var bytes = head.bytes
    bytes.reserveCapacity(min(row.byteCount, 2 * SegmentRow.fullByteCount))
    try input.readExactly(row.byteCount - bytes.count, into: &bytes)
    let region = ByteRegion(bytes, origin: row.offset)
    let declared = row.offset + row.tablesOffset..<row.offset + row.byteCount
    if !declared.isEmpty || newEntries != TableCounts() {
      try tables.add(newEntries, from: region, at: declared, limits: limits)
      index = ArchiveIndex(
        limits: limits, frame: .ofStream, tables: ReaderTables(tables), isStream: true)
    }
    let storage = ArchiveStorage(region, index, start: start)
    try verification.verify(segment: rows.count, row, isLast: true, in: storage)
    if start == nil {
      // Kept for as long as the stream is read, and not the segment that it is in.
      let range = try row.recordRange(0, in: storage.view, limits: limits)
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
      last.recordsByteCount < SegmentRow.fullByteCount
    else { return }
    throw ArchiveError(
      .nonCanonical, "a segment does not end where a writer ends it", offset: last.offset)
  }

  /// Reads the head of the segment that has to come next (Spec/archive.md, 4.1).
  private func parse(
    _ bytes: ByteRegion
  ) throws(ArchiveError) -> (row: SegmentRow, newEntries: TableCounts) {
    let firstRecord = rows.last.map { $0.firstRecord + $0.recordCount } ?? 0
    guard let head = SegmentHead(bytes, at: bytes.origin), head.number == UInt32(rows.count),
      head.firstRecord == firstRecord, head.tablesByteCount.isMultiple(of: 8),
      head.tablesByteCount <= head.segmentByteCount, head.recordCount >= 1,
      Int(head.recordCount) <= head.recordsByteCount,
      head.recordCount <= .max - firstRecord
    else {
      throw ArchiveError(
        .damaged, "the header of segment \(rows.count) describes no segment",
        offset: bytes.origin)
    }
    guard head.recordsByteCount <= SegmentRow.fullByteCount + limits.recordByteCount else {
      throw ArchiveError(
        .limitExceeded, "a record has more bytes than the limit allows", offset: bytes.origin)
    }
    let row = head.row(at: bytes.origin)
    guard row.tablesOffset == head.segmentByteCount - head.tablesByteCount else {
      throw ArchiveError(
        .damaged, "segment \(rows.count) is not as long as its parts", offset: bytes.origin)
    }
    return (row, head.newEntries)
  }
}

/// The bytes of a stream, and how many there were so far.
struct StreamInput {
  private var source: any ArchiveSource
  private var hasEnded = false
  private let limit: Int
  /// Where in the archive the next byte lies.
  private(set) var offset = 0

  init(_ source: any ArchiveSource, limit: Int) {
    self.source = source
    self.limit = limit
  }

  /// Appends the next bytes, fewer at the end of the stream.
  ///
  /// However many are asked for, memory grows only with those that come.
  mutating func read(_ count: Int, into bytes: inout [UInt8]) throws {
    guard count <= limit - offset else {
      throw ArchiveError(
        .limitExceeded, "the archive has more bytes than the limit", offset: offset)
    }
    var rest = count
    while rest > 0, !hasEnded {
      let length = min(rest, max(bytes.count, SegmentRow.fullByteCount))
      let start = bytes.count
      try bytes.append(addingCapacity: length) { output in
        while output.freeCapacity > 0, !hasEnded {
          let before = output.count
          try source.read(into: &output)
          hasEnded = output.count == before
        }
      }
      rest -= bytes.count - start
      offset += bytes.count - start
    }
  }

  /// Exactly so many bytes more.
  mutating func readExactly(_ count: Int, into bytes: inout [UInt8]) throws {
    let end = bytes.count + count
    try read(count, into: &bytes)
    guard bytes.count == end else {
      throw ArchiveError(.truncated, "the archive ends before its end", offset: offset)
    }
  }

  /// Whether nothing more comes; asked once, at the end.
  mutating func isAtEnd() throws -> Bool {
    if hasEnded { return true }
    var bytes: [UInt8] = []
    try bytes.append(addingCapacity: 1) { output in try source.read(into: &output) }
    return bytes.isEmpty
  }

  /// Exactly so many bytes, with where they lie.
  mutating func part(_ count: Int) throws -> ByteRegion {
    let origin = offset
    var bytes: [UInt8] = []
    try readExactly(count, into: &bytes)
    return ByteRegion(bytes, origin: origin)
  }
}

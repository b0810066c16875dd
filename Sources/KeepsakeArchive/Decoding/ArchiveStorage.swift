/// The bytes of an opened archive with its tables, shared by all decoders of it.
@usableFromInline
final class ArchiveStorage: Sendable {
  let bytes: [UInt8]
  @usableFromInline let view: ByteView
  @usableFromInline let shapes: RawSlice<ShapeRow>
  let limits: ArchiveLimits
  let frame: ArchiveFrame
  let tables: ReaderTables

  init(_ bytes: [UInt8], limits: ArchiveLimits) throws(ArchiveError) {
    let frame = try ArchiveFrame(bytes, limits: limits)
    tables = try ReaderTables(
      bytes, at: frame.tablesOffset, counts: frame.counts, lengths: frame.lengths, limits: limits)
    shapes = RawSlice(tables.shapes, 0..<tables.shapes.count)
    self.frame = frame
    self.bytes = bytes
    self.limits = limits
    view = ByteView(constant: bytes)
  }

  /// Opens the record of an object.
  func openedRecord(_ range: Range<Int>) throws(ArchiveError) -> OpenedRecord {
    try OpenedRecord(view, shapes, object: range)
  }

  /// One row of the segment directory, checked against the archive's extent.
  func segmentRow(_ index: Int) throws(ArchiveError) -> SegmentRow {
    let offset = frame.rowsOffset + index * FormatConstants.segmentRowByteCount
    guard let start = exactly(at: offset), let length = exactly(at: offset + 8),
      let records = exactly(at: offset + 24),
      start.isMultiple(of: 8), start >= FormatConstants.headerByteCount,
      start <= frame.footerOffset, length.isMultiple(of: 8), length <= frame.footerOffset - start,
      records.isMultiple(of: 8), records <= length
    else { throw badRow(index) }
    let row = SegmentRow(
      offset: start, byteCount: length, firstRecord: view.load(UInt32.self, at: offset + 16),
      recordCount: view.load(UInt32.self, at: offset + 20), recordsByteCount: records)
    guard row.recordCount >= 1, row.tablesOffset <= length else { throw badRow(index) }
    return row
  }

  private func badRow(_ index: Int) -> ArchiveError {
    ArchiveError(
      .damaged, "row \(index) of the segment directory describes no segment",
      offset: frame.rowsOffset + index * FormatConstants.segmentRowByteCount)
  }

  private func exactly(at offset: Int) -> Int? {
    Int(exactly: view.load(UInt64.self, at: offset))
  }

  /// The segment that holds a record, found by searching the segment directory.
  func segmentRow(holding number: UInt32) throws(ArchiveError) -> SegmentRow {
    var low = 0
    var high = frame.segmentCount - 1
    while low < high {
      let middle = (low + high + 1) / 2
      let offset = frame.rowsOffset + middle * FormatConstants.segmentRowByteCount + 16
      if view.load(UInt32.self, at: offset) <= number { low = middle } else { high = middle - 1 }
    }
    let row = try segmentRow(low)
    guard number >= row.firstRecord, number - row.firstRecord < row.recordCount else {
      throw ArchiveError(
        .damaged, "no segment holds object #\(number)", offset: frame.rowsOffset)
    }
    return row
  }

  /// The bytes of a record.
  func recordRange(_ number: UInt32) throws(ArchiveError) -> Range<Int> {
    let row = try segmentRow(holding: number)
    return try recordRange(Int(number - row.firstRecord), in: row)
  }

  /// The bytes of a record of a segment: from its word of the directory to the next one.
  func recordRange(_ index: Int, in row: SegmentRow) throws(ArchiveError) -> Range<Int> {
    let word = row.offset + row.directoryOffset + index * 4
    let records = row.offset + row.recordsOffset
    let start = view.load(UInt32.self, at: word)
    let end = view.load(UInt32.self, at: word + 4)
    guard start < end, Int(end) <= row.recordsByteCount / 8 else {
      throw ArchiveError(
        .damaged, "the record directory does not increase strictly", offset: word)
    }
    return records + Int(start) * 8..<records + Int(end) * 8
  }

  /// The object of a conditional reference, or nil when it was not stored.
  func conditionalObject(_ number: UInt32) throws(ArchiveError) -> ArchiveObjectID? {
    guard number >= 1, Int(number) <= frame.conditionalCount else {
      throw ArchiveError(
        .damaged, "a conditional reference to number \(number), which does not exist")
    }
    let offset = frame.conditionalsOffset + 4 * (Int(number) - 1)
    let id = view.load(UInt32.self, at: offset)
    guard Int(id) <= frame.objectCount else {
      throw ArchiveError(
        .damaged, "a conditional reference leads to object #\(id), which does not exist",
        offset: offset)
    }
    return id == 0 ? nil : ArchiveObjectID(id)
  }
}

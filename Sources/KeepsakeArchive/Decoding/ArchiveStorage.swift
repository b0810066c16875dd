/// The bytes of an opened archive with its tables, shared by all decoders of it.
final class ArchiveStorage: Sendable {
  let bytes: [UInt8]
  let limits: ArchiveLimits
  let frame: ArchiveFrame
  let tables: ReaderTables

  init(_ bytes: [UInt8], limits: ArchiveLimits) throws(ArchiveError) {
    let frame = try ArchiveFrame(bytes, limits: limits)
    tables = try ReaderTables(
      bytes, at: frame.tablesOffset, counts: frame.counts, lengths: frame.lengths, limits: limits)
    self.frame = frame
    self.bytes = bytes
    self.limits = limits
  }

  /// One row of the segment directory, checked against the archive's extent.
  func segmentRow(_ index: Int) throws(ArchiveError) -> SegmentRow {
    let offset = frame.rowsOffset + index * FormatConstants.segmentRowByteCount
    guard let start = exactly(at: offset), let length = exactly(at: offset + 8),
      let first = bytes.load(UInt32.self, at: offset + 16),
      let count = bytes.load(UInt32.self, at: offset + 20),
      let recordsOffset = exactly(at: offset + 24), let records = exactly(at: offset + 32),
      start.isMultiple(of: 8), start >= FormatConstants.headerByteCount,
      start <= frame.footerOffset, length <= frame.footerOffset - start,
      recordsOffset.isMultiple(of: 8), recordsOffset >= FormatConstants.segmentHeaderByteCount,
      recordsOffset <= length, records.isMultiple(of: 8), records <= length - recordsOffset,
      count >= 1,
      length - recordsOffset - records == (Int(count) * 4 + 4 + 7) & ~7,
      bytes.load(UInt64.self, at: offset + 40) == 0
    else {
      throw ArchiveError(
        .damaged, "row \(index) of the segment directory describes no segment", offset: offset)
    }
    return SegmentRow(
      offset: start, byteCount: length, firstRecord: first, recordCount: count,
      recordsOffset: recordsOffset, recordsByteCount: records)
  }

  private func exactly(at offset: Int) -> Int? {
    bytes.load(UInt64.self, at: offset).flatMap { Int(exactly: $0) }
  }

  /// The bytes of a record, found by searching the segment directory.
  func recordRange(_ number: UInt32) throws(ArchiveError) -> Range<Int> {
    var low = 0
    var high = frame.segmentCount - 1
    while low < high {
      let middle = (low + high + 1) / 2
      let offset = frame.rowsOffset + middle * FormatConstants.segmentRowByteCount + 16
      if let first = bytes.load(UInt32.self, at: offset), first <= number {
        low = middle
      } else {
        high = middle - 1
      }
    }
    let row = try segmentRow(low)
    guard number >= row.firstRecord, number - row.firstRecord < row.recordCount else {
      throw ArchiveError(
        .damaged, "no segment holds object #\(number)", offset: frame.rowsOffset)
    }
    return try recordRange(Int(number - row.firstRecord), in: row)
  }

  /// The bytes of a record of a segment: from its word of the directory to the next one.
  func recordRange(_ index: Int, in row: SegmentRow) throws(ArchiveError) -> Range<Int> {
    let word = row.offset + row.directoryOffset + index * 4
    let records = row.offset + row.recordsOffset
    guard let start = bytes.load(UInt32.self, at: word),
      let end = bytes.load(UInt32.self, at: word + 4), start < end,
      Int(end) <= row.recordsByteCount / 8
    else {
      throw ArchiveError(
        .damaged, "the record directory does not increase strictly", offset: word)
    }
    return records + Int(start) * 8..<records + Int(end) * 8
  }
}

/// One row of the segment directory in the footer (Spec/archive.md, 3.2).
struct SegmentRow: Equatable {
  var offset: Int
  var byteCount: Int
  /// The number of the first record; record 0 is the archive's own, record n that of object n.
  var firstRecord: UInt32
  var recordCount: UInt32
  var recordsByteCount: Int

  /// Where the records begin, from the start of the segment.
  var recordsOffset: Int { FormatConstants.segmentHeaderByteCount }

  /// Where the record directory begins, from the start of the segment: behind the padding of the
  /// records.
  var directoryOffset: Int { (recordsOffset + recordsByteCount + 7) & ~7 }

  /// The bytes of the record directory with its padding.
  var directoryByteCount: Int { (Int(recordCount) * 4 + 4 + 7) & ~7 }

  /// Where the new entries of the tables begin, from the start of the segment.
  var tablesOffset: Int { directoryOffset + directoryByteCount }

  func append(to bytes: inout ByteBuffer) {
    bytes.append(UInt64(offset))
    bytes.append(UInt64(byteCount))
    bytes.append(firstRecord)
    bytes.append(recordCount)
    bytes.append(UInt64(recordsByteCount))
  }
}

/// One row of the segment directory in the footer (Spec/archive.md, 4.7).
struct SegmentRow: Equatable {
  var offset: Int
  var byteCount: Int
  /// The number of the first record; record 0 is the archive's own, record n that of object n.
  var firstRecord: UInt32
  var recordCount: UInt32
  /// Where the records begin, from the start of the segment.
  var recordsOffset: Int
  var recordsByteCount: Int

  /// Where the record directory begins, from the start of the segment.
  var directoryOffset: Int { recordsOffset + recordsByteCount }

  func append(to bytes: inout ByteBuffer) {
    bytes.append(UInt64(offset))
    bytes.append(UInt64(byteCount))
    bytes.append(firstRecord)
    bytes.append(recordCount)
    bytes.append(UInt64(recordsOffset))
    bytes.append(UInt64(recordsByteCount))
    bytes.append(UInt64(0))
  }
}

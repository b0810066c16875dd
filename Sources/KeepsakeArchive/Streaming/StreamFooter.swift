/// What comes behind the last segment of a stream, held against the segments
/// (Spec/archive.md, 3.2 and 3.3).
struct StreamFooter {
  private let head: ByteRegion
  private let rows: [SegmentRow]
  private let counts: TableCounts

  init(_ head: ByteRegion, _ rows: [SegmentRow], _ counts: TableCounts) {
    self.head = head
    self.rows = rows
    self.counts = counts
  }

  private func word(_ field: Int) -> UInt32 {
    head.load(UInt32.self, at: head.origin + field) ?? 0
  }

  /// The number of objects that the segments hold.
  private var objectCount: Int {
    rows.last.map { Int($0.firstRecord) + Int($0.recordCount) - 1 } ?? 0
  }

  /// Reads everything to the end of the stream.
  func read(
    from input: inout StreamInput, tables: (bytes: [UInt8], lengths: TableLengths),
    _ segments: SegmentVerification
  ) throws -> ArchiveStreamSummary {
    var segments = segments
    var expected = ByteBuffer()
    for word in [
      FormatConstants.footerMarker, UInt32(rows.count), UInt32(objectCount), word(12),
      UInt32(counts.keys), UInt32(counts.types), UInt32(counts.shapes), word(28),
    ] { expected.append(word) }
    for length in [tables.lengths.keys, tables.lengths.types, tables.lengths.shapes, 0] {
      expected.append(UInt64(length))
    }
    try require(head, expected.take())
    try require(try input.part(tables.bytes.count), tables.bytes)
    let root = word(12)
    guard root >= 1, Int(root) <= objectCount else {
      throw ArchiveError(
        .damaged, "the root is no object of the archive", offset: head.origin + 12)
    }
    try checkReferences(segments.records)
    let conditionals = try conditionalObjects(from: &input, &segments)
    for row in rows { row.append(to: &expected) }
    let directory = expected.take()
    try require(try input.part(directory.count), directory)
    for length in [
      head.origin, input.offset - head.origin, input.offset + FormatConstants.tailByteCount,
    ] { expected.append(UInt64(length)) }
    expected.append(UInt32(rows.count))
    expected.append(FormatConstants.tailMarker)
    try require(try input.part(FormatConstants.tailByteCount), expected.take())
    let end = input.offset
    guard try input.isAtEnd() else {
      throw ArchiveError(.damaged, "there are bytes behind the end of the archive", offset: end)
    }
    return ArchiveStreamSummary(
      byteCount: end, objectCount: objectCount, rootID: ArchiveObjectID(root),
      conditionalObjects: conditionals, verdict: segments.verdict)
  }

  private func require(_ part: ByteRegion, _ expected: [UInt8]) throws(ArchiveError) {
    guard part.bytes == expected else {
      let same = zip(part.bytes, expected).prefix { $0 == $1 }.count
      throw ArchiveError(
        .damaged, "the footer does not agree with the segments", offset: part.origin + same)
    }
  }

  /// What the segments refer to exists, as is known only now.
  private func checkReferences(_ records: RecordVerification) throws(ArchiveError) {
    if Int(records.highestReference.number) > objectCount {
      throw ArchiveError(
        .damaged,
        "a reference to object #\(records.highestReference.number), which does not exist",
        offset: records.highestReference.offset)
    }
    if records.highestConditional.number > word(28) {
      throw ArchiveError(
        .damaged,
        "a conditional reference to number \(records.highestConditional.number), which does not "
          + "exist", offset: records.highestConditional.offset)
    }
  }

  private func conditionalObjects(
    from input: inout StreamInput, _ segments: inout SegmentVerification
  ) throws -> [ArchiveObjectID?] {
    let count = Int(word(28))
    let list = try input.part((4 * count + 7) & ~7)
    let end = list.origin + 4 * count
    var objects: [ArchiveObjectID?] = []
    for offset in stride(from: list.origin, to: end, by: 4) {
      let id = list.load(UInt32.self, at: offset) ?? 0
      guard Int(id) <= objectCount else {
        throw ArchiveError(
          .damaged, "a conditional reference leads to object #\(id), which does not exist",
          offset: offset)
      }
      objects.append(id == 0 ? nil : ArchiveObjectID(id))
    }
    if !list.isZero(in: end..<list.end) {
      segments.note("the padding of the conditional references is not zero", at: end)
    }
    return objects
  }
}

/// What comes after the last segment of a stream, checked against the segments
/// (Spec/archive.md, 3.2 and 3.3).
struct StreamFooter {
  private let bytes: ByteRegion
  private let rows: [SegmentRow]
  private let tables: ArchiveTables

  init(_ bytes: ByteRegion, _ rows: [SegmentRow], _ tables: ArchiveTables) {
    self.bytes = bytes
    self.rows = rows
    self.tables = tables
  }

  /// The number of objects that the segments hold.
  private var objectCount: Int {
    rows.last.map { Int($0.firstRecord) + Int($0.recordCount) - 1 } ?? 0
  }

  /// Reads everything to the end of the stream.
  ///
  /// All but the root and the list of conditional references follows from the segments: it is written
  /// as a writer does, and has to be the same.
  func read(
    from input: inout StreamInput, _ segments: SegmentVerification
  ) throws -> ArchiveStreamSummary {
    var segments = segments
    var expected = ByteBuffer()
    let lengths = tables.write(after: TableCounts(), to: &expected) ?? TableLengths()
    let tables = expected.take()
    let stored = try FooterHead(bytes, at: bytes.origin)
    let head = FooterHead(
      segmentCount: rows.count, objectCount: objectCount, root: stored.root,
      counts: self.tables.counts, lengths: lengths, conditionalCount: stored.conditionalCount)
    head.write(to: &expected)
    try require(bytes, expected.take())
    try require(try input.part(tables.count), tables)
    guard head.root >= 1, Int(head.root) <= objectCount else {
      throw ArchiveError(
        .damaged, "the root is no object of the archive",
        offset: bytes.origin + FooterHead.rootOffset)
    }
    try checkReferences(segments.records, head)
    let conditionals = try conditionalObjects(of: head, from: &input, &segments)
    for row in rows { row.write(to: &expected) }
    let directory = expected.take()
    try require(try input.part(directory.count), directory)
    ArchiveTail(footer: bytes.origin..<input.offset, segmentCount: rows.count).write(to: &expected)
    try require(try input.part(ArchiveTail.byteCount), expected.take())
    let end = input.offset
    guard try input.isAtEnd() else {
      throw ArchiveError(.damaged, "there are bytes after the end of the archive", offset: end)
    }
    return ArchiveStreamSummary(
      byteCount: end, objectCount: objectCount, rootID: ArchiveObjectID(head.root),
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
  private func checkReferences(
    _ records: RecordVerification, _ head: FooterHead
  ) throws(ArchiveError) {
    if Int(records.highestReference.number) > objectCount {
      throw ArchiveError(
        .damaged,
        "a reference to object #\(records.highestReference.number), which does not exist",
        offset: records.highestReference.offset)
    }
    if Int(records.highestConditional.number) > head.conditionalCount {
      throw ArchiveError(
        .damaged,
        "a conditional reference to number \(records.highestConditional.number), which does not "
          + "exist", offset: records.highestConditional.offset)
    }
  }

  private func conditionalObjects(
    of head: FooterHead, from input: inout StreamInput, _ segments: inout SegmentVerification
  ) throws -> [ArchiveObjectID?] {
    let list = try input.part(head.conditionalsByteCount)
    var fields = FieldCursor(list, at: list.origin)
    var objects: [ArchiveObjectID?] = []
    for _ in 0..<head.conditionalCount {
      let offset = fields.offset
      let id: UInt32 = fields.next() ?? 0
      guard Int(id) <= objectCount else {
        throw ArchiveError(
          .damaged, "a conditional reference leads to object #\(id), which does not exist",
          offset: offset)
      }
      objects.append(id == 0 ? nil : ArchiveObjectID(id))
    }
    if !list.isZero(in: fields.offset..<list.end) {
      segments.note("the padding of the conditional references is not zero", at: fields.offset)
    }
    return objects
  }
}

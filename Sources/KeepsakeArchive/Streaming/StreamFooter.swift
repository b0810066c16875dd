/// The part of a stream's footer that comes after the tables, checked against the segments
/// (Spec/archive.md, 3.4 and 3.5).
struct StreamFooter {
  /// The offset of the footer.
  let offset: Int
  /// The number of entries in the list of conditional references.
  let conditionalCount: Int

  /// Reads everything to the end of the stream.
  ///
  /// Everything except the root and the list of conditional references follows from the segments. So it is
  /// written again as a writer does, and compared.
  func read(
    from input: inout StreamInput, _ segments: SegmentVerification, _ rows: [SegmentRow],
    objectCount: Int
  ) throws -> ArchiveStreamSummary {
    try checkReferences(segments.records, objectCount: objectCount)
    let conditionals = try conditionalObjects(from: &input, objectCount: objectCount)
    var expected = ByteBuffer()
    for row in rows { row.write(to: &expected) }
    let directory = expected.take()
    try require(try input.part(directory.count), directory)
    let part = try input.part(ArchiveTail.byteCount)
    let root = try ArchiveTail(part, at: part.origin).root
    ArchiveTail(
      segmentCount: rows.count, objectCount: objectCount, root: root, footerOffset: offset
    ).write(to: &expected)
    try require(part, expected.take())
    let end = input.offset
    guard try input.isAtEnd() else {
      throw ArchiveError(.damaged, "there are bytes after the end of the archive", offset: end)
    }
    return ArchiveStreamSummary(
      byteCount: end, objectCount: objectCount, rootID: ArchiveObjectID(root),
      conditionalObjects: conditionals)
  }

  private func require(_ part: ByteRegion, _ expected: [UInt8]) throws(ArchiveError) {
    guard part.bytes == expected else {
      let same = zip(part.bytes, expected).prefix { $0 == $1 }.count
      throw ArchiveError(
        .damaged, "the footer does not agree with the segments", offset: part.origin + same)
    }
  }

  /// Checks that the objects which the segments refer to exist: that is known only now.
  private func checkReferences(
    _ records: RecordVerification, objectCount: Int
  ) throws(ArchiveError) {
    if Int(records.highestReference.number) > objectCount {
      throw ArchiveError(
        .damaged,
        "a reference to object #\(records.highestReference.number), which does not exist",
        offset: records.highestReference.offset)
    }
    if Int(records.highestConditional.number) > conditionalCount {
      throw ArchiveError(
        .damaged,
        "a conditional reference to number \(records.highestConditional.number), which does not "
          + "exist", offset: records.highestConditional.offset)
    }
  }

  private func conditionalObjects(
    from input: inout StreamInput, objectCount: Int
  ) throws -> [ArchiveObjectID?] {
    let list = try input.part(conditionalCount * TablesHead.conditionalByteCount)
    var fields = FieldCursor(list, at: list.origin)
    var objects: [ArchiveObjectID?] = []
    for _ in 0..<conditionalCount {
      let offset = fields.offset
      let id: UInt32 = fields.next() ?? 0
      guard Int(id) <= objectCount else {
        throw ArchiveError(
          .damaged, "a conditional reference leads to object #\(id), which does not exist",
          offset: offset)
      }
      objects.append(id == 0 ? nil : ArchiveObjectID(id))
    }
    return objects
  }
}

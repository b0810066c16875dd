/// Reads an archive segment by segment and checks each as a whole (Spec/archive.md, 7.7).
struct SegmentStream: ~Copyable {
  let reserved: ReservedValues
  /// The segment that was read last.
  private(set) var segment: ArchiveStorage?
  var objects: SegmentCursor

  private var input: StreamInput
  private let limits: ArchiveLimits
  private var tables = ReaderTables()
  private var index: ArchiveIndex
  private var verification: SegmentVerification
  /// The storage that holds the archive values.
  private let start: ArchiveStorage
  /// The rows that the segment directory of the footer must have.
  private var rows: [SegmentRow] = []
  /// The number of objects of the segment that was read last.
  private var lastCount = 0
  private var nextObject: UInt32 = 1
  /// The part of the footer that comes after its tables, once the last segment was read.
  private var footer: StreamFooter?

  init(_ source: any ArchiveSource, limits: ArchiveLimits) throws {
    input = StreamInput(source, limit: limits.byteCount)
    self.limits = limits
    var header: [UInt8] = []
    try input.read(ArchiveHeader.byteCount, into: &header)
    let end = try ArchiveHeader.read(ByteRegion(header))
    try input.readExactly(end - header.count, into: &header)
    let region = ByteRegion(header)
    let values = try ArchiveValueRow.read(region, to: end)
    reserved = try ReservedValues(values, of: region)
    index = ArchiveIndex(
      limits: limits, frame: ArchiveFrame(ofStreamFrom: end), values: values,
      tables: OpenedTables(ReaderTables()), isStream: true)
    start = ArchiveStorage(region, index, start: nil)
    verification = SegmentVerification(start)
    objects = SegmentCursor(before: 1, in: start)
  }

  /// Reads the next segment, or what comes after the last one; nil if there was a segment.
  mutating func next() throws -> ArchiveStreamSummary? {
    // The previous segment is released first, so that only one is in memory.
    segment = nil
    if let footer {
      return try footer.read(from: &input, verification, rows, objectCount: Int(nextObject) - 1)
    }
    let part = try input.part(SegmentHead.byteCount)
    let (head, row) = try parse(part)
    // The bytes start at a multiple of eight, so that what is aligned in the archive is aligned in memory.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(row.bodiesByteCount, SegmentHead.fullCount) + 4096)
    bytes.append(contentsOf: repeatElement(0, count: row.offset & 7))
    bytes += part.bytes
    var layout = try readBodies(head, row, &bytes)
    if head.isLast {
      try readFooterTables()
    } else {
      try readTables(at: layout.endOffset, &bytes)
    }
    let storage = ArchiveStorage(
      ByteRegion(bytes, origin: row.offset & ~7), index, start: start)
    try layout.resolve(in: storage.shapes)
    _ = try verification.verify(layout, isLast: head.isLast, in: storage)
    segment = storage
    objects = SegmentCursor(layout, in: storage)
    rows.append(row)
    lastCount = head.objectCount
    nextObject = layout.nextObject
    return nil
  }

  /// Reads the head of the segment that has to come next (Spec/archive.md, 3.3).
  private func parse(
    _ bytes: ByteRegion
  ) throws(ArchiveError) -> (head: SegmentHead, row: SegmentRow) {
    guard let head = SegmentHead(bytes, at: bytes.origin),
      head.objectCount <= Int(UInt32.max - nextObject)
    else { throw .damaged("there is no segment where one must be", at: bytes.origin) }
    // Two segments that fit into one are refused, so even a forged stream has few of them.
    if let last = rows.last, lastCount + head.objectCount <= SegmentHead.fullCount,
      last.bodiesByteCount + head.bodiesByteCount <= SegmentHead.fullCount
    {
      throw ArchiveError(
        .nonCanonical, "two segments that follow each other would fit into one",
        offset: bytes.origin)
    }
    let row = SegmentRow(
      offset: bytes.origin, firstObject: nextObject, bodiesByteCount: head.bodiesByteCount,
      shapes: head.shapes)
    return (head, row)
  }

  /// Reads the bodies and the directory of a segment after its head.
  private mutating func readBodies(
    _ head: SegmentHead, _ row: SegmentRow, _ bytes: inout [UInt8]
  ) throws -> SegmentLayout {
    try row.checkLength(limits)
    try input.readExactly(row.bodiesByteCount, into: &bytes)
    if row.shapes == .several { try input.readExactly(1, into: &bytes) }
    let first = row.shapes == .several ? bytes[bytes.count - 1] : 0
    let layout = try SegmentLayout(row, objectCount: head.objectCount, limit: .max) { _ in first }
    try input.readExactly(layout.endOffset - input.offset, into: &bytes)
    return layout
  }

  private mutating func readTables(at offset: Int, _ bytes: inout [UInt8]) throws {
    try input.readExactly(TablesHead.byteCount, into: &bytes)
    let origin = input.offset - bytes.count
    guard let head = TablesHead(ByteRegion(bytes, origin: origin), at: offset) else { return }
    try head.checkIsOfSegment(at: offset)
    try input.readExactly(head.entriesByteCount, into: &bytes)
    if head.counts == TableCounts(), head.entriesByteCount == 0 { return }
    try tables.add(head, from: ByteRegion(bytes, origin: origin), at: offset, limits: limits)
    index = ArchiveIndex(
      limits: limits, frame: index.frame, values: index.values,
      tables: OpenedTables(ReaderTables(tables)), isStream: true)
  }

  /// Reads the tables of the footer, without which the objects of the last segment are not known.
  private mutating func readFooterTables() throws {
    let offset = input.offset
    var bytes: [UInt8] = []
    try input.readExactly(TablesHead.byteCount, into: &bytes)
    guard let head = TablesHead(ByteRegion(bytes, origin: offset), at: offset) else { return }
    try input.readExactly(head.entriesByteCount, into: &bytes)
    let complete = try ReaderTables(
      ByteRegion(bytes, origin: offset), at: offset, head, limits: limits)
    guard complete.entries.begins(with: tables.entries) else {
      throw ArchiveError.damaged(
        "the tables of the footer are not those of the segments", at: offset)
    }
    index = ArchiveIndex(
      limits: limits, frame: index.frame, values: index.values, tables: OpenedTables(complete),
      isStream: true)
    footer = StreamFooter(offset: offset, conditionalCount: head.conditionalCount)
  }
}

/// The bytes of a stream, and the number of bytes read so far.
struct StreamInput {
  private var source: any ArchiveSource
  private var hasEnded = false
  private let limit: Int
  /// The offset of the next byte in the archive.
  private(set) var offset = 0

  init(_ source: any ArchiveSource, limit: Int) {
    self.source = source
    self.limit = limit
  }

  /// Appends the next bytes, fewer at the end of the stream; memory grows only with the bytes that are read.
  mutating func read(_ count: Int, into bytes: inout [UInt8]) throws {
    guard count <= limit - offset else {
      throw ArchiveError(
        "the archive has more bytes", exceeds: .byteCount, of: limit, offset: offset)
    }
    var rest = count
    while rest > 0, !hasEnded {
      let length = min(rest, max(bytes.count, SegmentHead.fullCount))
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

  mutating func readExactly(_ count: Int, into bytes: inout [UInt8]) throws {
    let end = bytes.count + count
    try read(count, into: &bytes)
    guard bytes.count == end else {
      throw ArchiveError(.truncated, "the bytes end before the archive does", offset: offset)
    }
  }

  /// True when the source has no more bytes; called once, at the end.
  mutating func isAtEnd() throws -> Bool {
    if hasEnded { return true }
    var bytes: [UInt8] = []
    try bytes.append(addingCapacity: 1) { output in try source.read(into: &output) }
    return bytes.isEmpty
  }

  /// Reads exactly a number of bytes, and returns them with their offset.
  mutating func part(_ count: Int) throws -> ByteRegion {
    let origin = offset
    var bytes: [UInt8] = []
    try readExactly(count, into: &bytes)
    return ByteRegion(bytes, origin: origin)
  }
}

/// The part of a stream's footer that comes after the tables, checked against the segments
/// (Spec/archive.md, 3.4 and 3.5).
struct StreamFooter {
  let offset: Int
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
      throw ArchiveError.damaged("there are bytes after the end of the archive", at: end)
    }
    return ArchiveStreamSummary(
      byteCount: end, objectCount: objectCount, rootID: ArchiveObjectID(root),
      conditionalObjects: conditionals)
  }

  private func require(_ part: ByteRegion, _ expected: [UInt8]) throws(ArchiveError) {
    guard part.bytes == expected else {
      let same = zip(part.bytes, expected).prefix { $0 == $1 }.count
      throw .damaged("the footer does not agree with the segments", at: part.origin + same)
    }
  }

  /// Checks that the objects which the segments refer to exist: that is known only now.
  private func checkReferences(
    _ records: RecordVerification, objectCount: Int
  ) throws(ArchiveError) {
    if Int(records.highestReference.number) > objectCount {
      throw .damaged(
        "a reference to object #\(records.highestReference.number), which does not exist",
        at: records.highestReference.offset)
    }
    if Int(records.highestConditional.number) > conditionalCount {
      throw .damaged(
        "a conditional reference to number \(records.highestConditional.number), which does not "
          + "exist",
        at: records.highestConditional.offset)
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
        throw ArchiveError.damaged(
          "a conditional reference leads to object #\(id), which does not exist", at: offset)
      }
      objects.append(id == 0 ? nil : ArchiveObjectID(id))
    }
    return objects
  }
}

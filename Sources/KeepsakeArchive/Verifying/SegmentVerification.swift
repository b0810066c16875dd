/// Checks one segment after the other for damage (Spec/archive.md, 7.4).
struct SegmentVerification {
  /// The entries of the tables that the segments so far declare.
  private(set) var seen = TableCounts()
  private(set) var records: RecordVerification

  init(_ storage: ArchiveStorage) {
    records = RecordVerification(storage)
  }

  /// Checks the next segment, which the storage holds whole; returns where it ends.
  mutating func verify(
    _ segment: SegmentLayout, isLast: Bool, in storage: ArchiveStorage
  ) throws(ArchiveError) -> Int {
    records.enter(storage)
    try checkHead(of: segment, isLast: isLast, storage)
    let firstShape = seen.shapes
    var end = segment.endOffset
    if isLast {
      seen = storage.tables.counts
    } else {
      end = try checkTables(
        at: end, limit: min(segment.limit, storage.view.range.upperBound), storage)
    }
    try checkNewShapes(firstShape..<seen.shapes, at: segment.endOffset, storage)
    try checkObjects(of: segment, storage)
    return end
  }

  /// The head of a segment repeats its row.
  private func checkHead(
    of segment: SegmentLayout, isLast: Bool, _ storage: ArchiveStorage
  ) throws(ArchiveError) {
    let row = segment.row
    let bytes = storage.view.copy(row.offset..<row.bodiesOffset)
    let head = SegmentHead(ByteRegion(bytes, origin: row.offset), at: row.offset)
    let expected = SegmentHead(
      isLast: isLast, bodiesByteCount: row.bodiesByteCount, objectCount: segment.objectCount,
      shapes: row.shapes)
    guard head == expected else {
      throw .damaged("the head of a segment does not agree with the footer", at: row.offset)
    }
  }

  /// The tables of a segment repeat those of the footer; returns where they end.
  private mutating func checkTables(
    at start: Int, limit: Int, _ storage: ArchiveStorage
  ) throws(ArchiveError) -> Int {
    let view = storage.view
    let entries = start + TablesHead.byteCount
    guard entries <= limit,
      let head = TablesHead(ByteRegion(view.copy(start..<entries), origin: start), at: start),
      head.tablesByteCount <= limit - start
    else { throw .damaged("the tables of a segment do not fit their place", at: start) }
    try head.checkIsOfSegment(at: start)
    let end = start + head.tablesByteCount
    let counts = seen + head.counts
    let tables = storage.tables.counts
    guard counts.keys <= tables.keys, counts.types <= tables.types,
      counts.shapes <= tables.shapes
    else { throw differentTables(start) }
    var expected = ByteBuffer()
    storage.tables.entries.write(from: seen, to: counts, to: &expected)
    let bytes = view.copy(start..<end)
    if expected.take() != bytes {
      try checkEntries(ByteRegion(bytes, origin: start), head, storage)
    }
    seen = counts
    return end
  }

  /// Compares the entries of a segment by what they say: one of the two may be longer than it has to be.
  private func checkEntries(
    _ bytes: ByteRegion, _ head: TablesHead, _ storage: ArchiveStorage
  ) throws(ArchiveError) {
    var cursor = FieldCursor(bytes, at: bytes.origin + TablesHead.byteCount)
    for number in seen.keys..<seen.keys + head.counts.keys {
      var (entry, length) = try KeyEntry.readHead(&cursor)
      entry.name = try cursor.name(length.byteCount)
      if entry != storage.tables.keys[number] { throw differentTables(bytes.origin) }
    }
    for number in seen.types..<seen.types + head.counts.types {
      var (entry, length) = try TypeEntry.readHead(&cursor)
      entry.name = try cursor.name(length.byteCount)
      if entry != storage.tables.types[number] { throw differentTables(bytes.origin) }
    }
    for number in seen.shapes..<seen.shapes + head.counts.shapes {
      var (entry, rest) = try ShapeEntry.readHead(&cursor)
      while rest > 0 {
        let slot = try SlotDeclaration.read(&cursor)
        entry.slots.append(slot)
        rest -= slot.wordCount
      }
      if entry != storage.tables.entries.shapes[number] { throw differentTables(bytes.origin) }
    }
    try cursor.finish()
  }

  private func differentTables(_ offset: Int) -> ArchiveError {
    .damaged("the tables of a segment do not agree with the footer", at: offset)
  }

  /// Checks that new shapes name no key and no type that only a later segment declares, since a reader that goes
  /// forward could not know it.
  private func checkNewShapes(
    _ numbers: Range<Int>, at offset: Int, _ storage: ArchiveStorage
  ) throws(ArchiveError) {
    for shape in storage.tables.entries.shapes[numbers] {
      // The scopes of a key come before it in the table.
      guard shape.enumerationCase < seen.keys, shape.type < seen.types,
        shape.slots.allSatisfy({ Int($0.key) < seen.keys })
      else { throw .damaged("a shape names a key or a type of a later segment", at: offset) }
    }
  }

  private mutating func checkObjects(
    of segment: SegmentLayout, _ storage: ArchiveStorage
  ) throws(ArchiveError) {
    records.knownShapes = seen.shapes
    var cursor = SegmentCursor(segment, in: storage)
    if let bodies = cursor.bodiesOfOneShape,
      records.areSoundRecords(bodies, level: 1, longest: cursor.recordLimit)
    {
      return
    }
    while cursor.rest > 0 {
      let record = try cursor.next()
      try records.verify(record, object: ArchiveObjectID(cursor.number - 1))
      // All objects have one shape. If any bytes are a valid record of it, checking one record is enough.
      if segment.fixedByteCount > 0, records.isSound(shape: cursor.shape) { break }
    }
  }
}

extension ArchiveStorage {
  /// Reads the archive once, segment by segment; true when a value is of an unknown kind (Spec/archive.md, 7.4).
  package func checkForDamage() throws(ArchiveError) -> Bool {
    var segments = SegmentVerification(self)
    var offset = frame.valuesEnd
    for index in 0..<frame.segmentCount {
      let segment = try self.segment(index)
      guard segment.row.offset == offset else {
        throw .damaged("segment \(index) does not follow the one before it", at: segment.row.offset)
      }
      try segment.row.checkLength(limits)
      offset = try segments.verify(
        segment, isLast: index == frame.segmentCount - 1,
        in: try part(offset..<segment.limit))
    }
    guard offset == frame.footerOffset else {
      throw .damaged("the last segment does not end where the footer begins", at: offset)
    }
    for number in 0..<frame.conditionalCount {
      _ = try conditionalObject(UInt32(number + 1))
    }
    return segments.records.hasUnknown
  }
}

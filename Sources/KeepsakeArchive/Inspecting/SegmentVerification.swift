/// Holds one segment after the other against the format (Spec/archive.md, 7.4 and 7.5).
struct SegmentVerification {
  /// The entries of the tables that the segments so far declare.
  private(set) var seen = TableCounts()
  /// The keys and types that the shapes so far use.
  private var used = TableCounts()
  /// The shapes so far.
  private var shapes: Set<ShapeEntry> = []
  private(set) var records: RecordVerification

  init(_ storage: ArchiveStorage) {
    records = RecordVerification(storage)
  }

  /// What is to be said of all segments so far.
  var verdict: ArchiveVerdict {
    if let error = records.nonCanonical { return .notCanonical(error) }
    return records.hasUnknown ? .canonicalWithUnknownKinds : .canonical
  }

  /// Keeps the first breach of the canonical form.
  mutating func note(_ reason: String, at offset: Int) { records.note(reason, at: offset) }

  /// Checks the next segment, which the storage holds whole.
  mutating func verify(
    segment index: Int, _ row: SegmentRow, isLast: Bool, in storage: ArchiveStorage
  ) throws(ArchiveError) {
    records.enter(storage)
    try checkHeader(of: index, row, storage)
    try checkRecords(row, isLast: isLast, storage)
  }

  /// The header of a segment repeats its row, and its tables repeat those of the footer.
  private mutating func checkHeader(
    of index: Int, _ row: SegmentRow, _ storage: ArchiveStorage
  ) throws(ArchiveError) {
    let bytes = storage.view.copy(row.offset..<row.offset + SegmentHead.byteCount)
    let head = SegmentHead(ByteRegion(bytes, origin: row.offset), at: row.offset)
    guard let head, head == SegmentHead(row, number: index, newEntries: head.newEntries) else {
      throw ArchiveError(
        .damaged, "the header of segment \(index) does not agree with the footer",
        offset: row.offset)
    }
    let start = row.offset + row.tablesOffset
    var expected = ByteBuffer()
    guard
      storage.tables.entries.write(after: seen, head.newEntries, to: &expected)?.total
        == head.tablesByteCount,
      storage.view.holds(expected.take(), at: start)
    else {
      throw ArchiveError(
        .damaged, "the tables of segment \(index) do not agree with the footer", offset: start)
    }
    let firstShape = seen.shapes
    seen = seen + head.newEntries
    try checkNewEntries(shapes: firstShape..<seen.shapes, at: start, storage)
  }

  /// Checks the new entries of a segment, which its new shapes have to use.
  ///
  /// They are numbered in the order of their first use, and each is used; no two shapes are the same
  /// (Spec/archive.md, 4.2 to 4.4). None is declared only later, where a reader that goes forward
  /// could not know it (7.4).
  private mutating func checkNewEntries(
    shapes numbers: Range<Int>, at offset: Int, _ storage: ArchiveStorage
  ) throws(ArchiveError) {
    var isOrdered = true
    func use(_ number: Int, _ next: inout Int) {
      if number > next { isOrdered = false }
      next = max(next, number + 1)
    }
    for shape in storage.tables.entries.shapes[numbers] {
      if shape.enumerationCase >= 0 { use(shape.enumerationCase, &used.keys) }
      for slot in shape.slots {
        var scopes: [Int] = []
        var scope = storage.tables.keys[Int(slot.key)].scope
        while scope >= 0 {
          scopes.append(scope)
          scope = storage.tables.keys[scope].scope
        }
        for scope in scopes.reversed() { use(scope, &used.keys) }
        use(Int(slot.key), &used.keys)
      }
      use(Int(shape.type), &used.types)
      if !shapes.insert(shape).inserted { note("two shapes are the same", at: offset) }
    }
    guard used.keys <= seen.keys, used.types <= seen.types else {
      throw ArchiveError(
        .damaged, "a shape names a key or a type of a later segment", offset: offset)
    }
    if !isOrdered || used.keys != seen.keys || used.types != seen.types {
      note("keys or types are not declared in the order of their first use", at: offset)
    }
  }

  private mutating func checkRecords(
    _ row: SegmentRow, isLast: Bool, _ storage: ArchiveStorage
  ) throws(ArchiveError) {
    let view = storage.view
    let count = Int(row.recordCount)
    let directory = row.directoryEntry(0)
    let end = row.directoryEntry(count)
    let endOfDirectory = row.directoryEntry(count + 1)
    guard view.load(UInt32.self, at: directory) == 0,
      Int(view.load(UInt32.self, at: end)) == row.recordsByteCount
    else {
      throw ArchiveError(
        .damaged, "a record directory does not cover its records", offset: directory)
    }
    let endOfRecords = row.offset + row.recordsOffset + row.recordsByteCount
    for padding in [endOfRecords..<directory, endOfDirectory..<row.offset + row.tablesOffset]
    where !view.isZero(padding) {
      note("the padding of records or of their directory is not zero", at: padding.lowerBound)
    }
    // A segment ends with the first record that fills it.
    let beforeLast = Int(view.load(UInt32.self, at: row.directoryEntry(count - 1)))
    if beforeLast >= SegmentRow.fullByteCount
      || (!isLast && row.recordsByteCount < SegmentRow.fullByteCount)
    {
      note("a segment does not end where a writer ends it", at: row.offset)
    }
    records.knownShapes = seen.shapes
    for index in 0..<count {
      let range = try row.recordRange(index, in: view, limits: storage.limits)
      let id = ArchiveObjectID(row.firstRecord + UInt32(index))
      let record: OpenedRecord
      do {
        record = try storage.openedRecord(range)
      } catch {
        throw error.inObject(id)
      }
      records.checkNumber(of: record, in: range)
      let type = storage.tables.types[Int(record.shape.row.type)]
      guard type.name.isEmpty == (id.rawValue == 0), record.shape.row.enumerationCase < 0 else {
        throw ArchiveError(
          .damaged, "an object has no type name", offset: range.lowerBound
        ).inObject(id)
      }
      if id.rawValue == 0, type.schemaVersion != 0 {
        note("the archive's own record has a schema version", at: range.lowerBound)
      }
      try records.verify(record, object: id)
    }
    if records.shapeCount != seen.shapes {
      note("a segment declares shapes that it does not use", at: row.offset)
    }
  }
}

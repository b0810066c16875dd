/// Holds one segment after the other against the format (Spec/archive.md, 7.4 and 7.5).
struct SegmentVerification {
  /// The entries of the tables that the segments so far declare.
  private(set) var seen = TableCounts()
  /// The keys and types that the shapes so far use.
  private var used = TableCounts()
  /// The shapes so far.
  private var shapes: Set<ShapeEntry> = []
  /// The bytes of the bodies and the number of the objects of the segment before.
  private var last: (byteCount: Int, objectCount: Int)?
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
    if let offset = storage.tables.entries.longEntryOffset {
      note("an entry of a table takes more bytes than it has to", at: offset)
    }
    try checkNewEntries(shapes: firstShape..<seen.shapes, at: segment.endOffset, storage)
    try checkObjects(of: segment, storage)
    last = (segment.row.bodiesByteCount, segment.objectCount)
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
      throw ArchiveError(
        .damaged, "the head of a segment does not agree with the footer", offset: row.offset)
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
    else {
      throw ArchiveError(
        .damaged, "the tables of a segment do not fit their place", offset: start)
    }
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

  /// Compares the entries of a segment that are not written as a writer does, or not those of the footer.
  private mutating func checkEntries(
    _ bytes: ByteRegion, _ head: TablesHead, _ storage: ArchiveStorage
  ) throws(ArchiveError) {
    let range = bytes.origin + TablesHead.byteCount..<bytes.end
    var cursor = TableCursor(bytes, range: range)
    for number in seen.keys..<seen.keys + head.counts.keys {
      var (entry, length) = try KeyEntry.readHead(&cursor)
      entry.name = try cursor.name(length.byteCount)
      if entry != storage.tables.keys[number] { throw differentTables(bytes.origin) }
    }
    for number in seen.types..<seen.types + head.counts.types {
      var (entry, length, _) = try TypeEntry.readHead(&cursor)
      entry.name = try cursor.name(length.byteCount)
      if entry != storage.tables.types[number] { throw differentTables(bytes.origin) }
    }
    for number in seen.shapes..<seen.shapes + head.counts.shapes {
      var (entry, count) = try ShapeEntry.readHead(&cursor)
      while entry.wordCount - (entry.enumerationCase < 0 ? 0 : 1) < count {
        entry.slots.append(try SlotDeclaration.read(&cursor))
      }
      if entry != storage.tables.entries.shapes[number] { throw differentTables(bytes.origin) }
    }
    try cursor.finish()
    note("an entry of a table takes more bytes than it has to", at: bytes.origin)
  }

  private func differentTables(_ offset: Int) -> ArchiveError {
    ArchiveError(
      .damaged, "the tables of a segment do not agree with the footer", offset: offset)
  }

  /// Checks the new entries of a segment, which its new shapes have to use.
  ///
  /// They are numbered in the order of their first use, and each is used; no two shapes are the same
  /// (Spec/archive.md, 4 and 4.3). None is declared only later, where a reader that goes forward
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

  private mutating func checkObjects(
    of segment: SegmentLayout, _ storage: ArchiveStorage
  ) throws(ArchiveError) {
    records.knownShapes = seen.shapes
    var highest = 0
    var isOfOneShape = true
    for index in 0..<segment.objectCount {
      let id = ArchiveObjectID(segment.row.firstObject + UInt32(index))
      let place = try storage.place(ofObjectAt: index, in: segment)
      if index == 0 {
        checkLastSegment(before: place.body.count, at: segment.row.offset)
      } else if place.shape != highest {
        isOfOneShape = false
      }
      highest = max(highest, place.shape)
      let record: OpenedRecord
      do {
        record = try storage.openedRecord(place)
      } catch {
        throw error.inObject(id)
      }
      try records.verify(record, object: id)
      // Where nothing can be wrong in a record of a shape, one tells of all.
      if segment.fixedByteCount > 0, records.isDone(withShape: place.shape) { break }
    }
    if let width = segment.shapeWidth {
      let offset = segment.row.directoryOffset
      if isOfOneShape { note("all objects of a segment have one shape", at: offset) }
      if width != EndWidth.inside(highest) {
        note("the numbers of shapes are wider than they have to be", at: offset)
      }
    }
    if records.shapeCount != seen.shapes {
      note("a segment declares shapes that it does not use", at: segment.endOffset)
    }
  }

  /// A segment ends before the object that would make it too large (Spec/archive.md, 3.3).
  private mutating func checkLastSegment(before byteCount: Int, at offset: Int) {
    guard let last, last.byteCount + byteCount <= SegmentHead.fullCount,
      last.objectCount < SegmentHead.fullCount
    else { return }
    note("a segment does not end where a writer ends it", at: offset)
  }
}

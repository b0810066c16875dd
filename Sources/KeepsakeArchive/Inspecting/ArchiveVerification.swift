/// Reads a whole archive once, segment by segment, and holds it against the format
/// (Spec/archive.md, section 7).
struct ArchiveVerification {
  private let storage: ArchiveStorage
  private var bytes: [UInt8] { storage.bytes }
  private var seen = TableCounts()
  /// The keys and types that the shapes so far use.
  private var used = TableCounts()
  /// The rows of the shapes so far.
  private var shapeRows: Set<[UInt8]> = []
  private var records: RecordVerification

  init(_ storage: ArchiveStorage) {
    self.storage = storage
    records = RecordVerification(storage)
  }

  mutating func run() throws(ArchiveError) -> ArchiveVerdict {
    var offset = FormatConstants.headerByteCount
    var record: UInt32 = 0
    for index in 0..<storage.frame.segmentCount {
      let row = try storage.segmentRow(index)
      // Segments lie one after the other, and so do the numbers of their records.
      guard row.offset == offset, row.firstRecord == record else {
        throw ArchiveError(
          .damaged, "segment \(index) does not follow the one before it", offset: row.offset)
      }
      try checkHeader(of: index, row)
      try checkRecords(row, isLast: index == storage.frame.segmentCount - 1)
      offset += row.byteCount
      record = record &+ row.recordCount
    }
    guard offset == storage.frame.footerOffset, Int(record) == storage.frame.objectCount + 1,
      seen == storage.frame.counts
    else {
      throw ArchiveError(
        .damaged, "the footer does not agree with the segments",
        offset: storage.frame.footerOffset)
    }
    let end = storage.frame.conditionalsOffset + 4 * storage.frame.conditionalCount
    for number in 0..<storage.frame.conditionalCount {
      _ = try storage.conditionalObject(UInt32(number + 1))
    }
    if !bytes.isZero(in: end..<storage.frame.rowsOffset) {
      records.note("the padding of the conditional references is not zero", at: end)
    }
    if let error = records.nonCanonical { return .notCanonical(error) }
    return records.hasUnknown ? .canonicalWithUnknownKinds : .canonical
  }

  /// The new entries of a segment are numbered in the order of their first use by its new shapes,
  /// and each is used; no two shapes are the same (Spec/archive.md, 4.2 to 4.4).
  private mutating func checkNewEntries(shapes: Range<Int>, at offset: Int) {
    var isOrdered = true
    func use(_ number: Int, _ next: inout Int) {
      if number > next { isOrdered = false }
      next = max(next, number + 1)
    }
    for number in shapes {
      let shape = storage.tables.shapes[number]
      if shape.enumerationCase >= 0 { use(Int(shape.enumerationCase), &used.keys) }
      for index in 0..<shape.slots.count {
        let slot = shape.slots[index]
        var scopes: [Int] = []
        var scope = Int(slot.scope)
        while scope >= 0 {
          scopes.append(scope)
          scope = storage.tables.keys[scope].scope
        }
        for scope in scopes.reversed() { use(scope, &used.keys) }
        use(Int(slot.key), &used.keys)
      }
      use(Int(shape.type), &used.types)
      let row = storage.tables.deltaBytes(
        from: TableCounts(shapes: number), adding: TableCounts(shapes: 1))
      if let row, !shapeRows.insert(row).inserted {
        records.note("two shapes are the same", at: offset)
      }
    }
    if !isOrdered || used.keys != seen.keys || used.types != seen.types {
      records.note(
        "keys or types are not declared in the order of their first use", at: offset)
    }
  }

  /// The header of a segment repeats its row, and its tables repeat those of the footer.
  private mutating func checkHeader(of index: Int, _ row: SegmentRow) throws(ArchiveError) {
    let words = (0..<8).map { bytes.load(UInt32.self, at: row.offset + 4 * $0) ?? 0 }
    let longWords = (4..<8).map { bytes.load(UInt64.self, at: row.offset + 8 * $0) ?? 0 }
    let tables = row.byteCount - row.tablesOffset
    guard words[0] == FormatConstants.segmentMarker, words[1] == UInt32(index),
      words[2] == row.firstRecord, words[3] == row.recordCount, words[7] == 0,
      longWords == [UInt64(tables), UInt64(row.recordsByteCount), UInt64(row.byteCount), 0]
    else {
      throw ArchiveError(
        .damaged, "the header of segment \(index) does not agree with the footer",
        offset: row.offset)
    }
    let delta = TableCounts(keys: Int(words[4]), types: Int(words[5]), shapes: Int(words[6]))
    let start = row.offset + row.tablesOffset
    guard let expected = storage.tables.deltaBytes(from: seen, adding: delta),
      expected.count == tables,
      bytes.hasSameBytes(in: start..<start + tables, as: expected, in: 0..<expected.count)
    else {
      throw ArchiveError(
        .damaged, "the tables of segment \(index) do not agree with the footer", offset: start)
    }
    seen.keys += delta.keys
    seen.types += delta.types
    seen.shapes += delta.shapes
    checkNewEntries(shapes: seen.shapes - delta.shapes..<seen.shapes, at: start)
  }

  private mutating func checkRecords(_ row: SegmentRow, isLast: Bool) throws(ArchiveError) {
    let directory = row.offset + row.directoryOffset
    let count = Int(row.recordCount)
    let end = directory + 4 * count
    guard bytes.load(UInt32.self, at: directory) == 0,
      bytes.load(UInt32.self, at: end).map(Int.init) == row.recordsByteCount / 8
    else {
      throw ArchiveError(
        .damaged, "a record directory does not cover its records", offset: directory)
    }
    if !bytes.isZero(in: end + 4..<row.offset + row.tablesOffset) {
      records.note("the padding of a record directory is not zero", at: end + 4)
    }
    // A segment ends with the first record that fills it.
    let beforeLast = Int(bytes.load(UInt32.self, at: end - 4) ?? 0) * 8
    if beforeLast >= FormatConstants.segmentFlushByteCount
      || (!isLast && row.recordsByteCount < FormatConstants.segmentFlushByteCount)
    {
      records.note("a segment does not end where a writer ends it", at: row.offset)
    }
    records.knownShapes = seen.shapes
    for index in 0..<count {
      let range = try storage.recordRange(index, in: row)
      let id = ArchiveObjectID(row.firstRecord + UInt32(index))
      let record: OpenedRecord
      do {
        record = try storage.openedRecord(range)
      } catch {
        throw error.inObject(id)
      }
      let type = storage.tables.types[Int(record.shape.row.type)]
      guard type.name.isEmpty == (id.rawValue == 0), record.shape.row.enumerationCase < 0 else {
        throw ArchiveError(
          .damaged, "an object has no type name", offset: range.lowerBound
        ).inObject(id)
      }
      if id.rawValue == 0, type.schemaVersion != 0 {
        records.note("the archive's own record has a schema version", at: range.lowerBound)
      }
      try records.verify(record, upTo: range.upperBound, object: id)
    }
    if records.shapeCount != seen.shapes {
      records.note("a segment declares shapes that it does not use", at: row.offset)
    }
  }
}

extension Archive {
  /// Reads every byte once and checks what lazy reading leaves unread (Spec/archive.md, 7.4).
  ///
  /// Call it where an archive comes from a stranger and has to be whole, or to tell damage from
  /// a defect. Reading objects does not need it: each is checked when it is opened.
  ///
  /// - Throws: ``ArchiveError`` for what contradicts the format; when all can be read but is not as
  ///   a writer writes it, an error with the code `nonCanonical`.
  /// - Complexity: In proportion to the size of the archive. It goes through the objects in their
  ///   order and never from object to object, and does not recurse.
  public func verify() throws(ArchiveError) {
    if case .notCanonical(let error) = try verdict() { throw error }
  }

  /// Reads every byte once and says whether the archive is what a writer makes of its values
  /// (Spec/archive.md, 7.5).
  ///
  /// - Returns: The verdict. The order of the objects is left open: it is the writer's.
  /// - Throws: ``ArchiveError`` for what contradicts the format and cannot be read.
  /// - Complexity: As that of ``verify()``.
  public func verdict() throws(ArchiveError) -> ArchiveVerdict {
    var verification = ArchiveVerification(storage)
    return try verification.run()
  }
}

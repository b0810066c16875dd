/// Reads a whole archive once, segment by segment, and holds it against the format
/// (Spec/archive.md, section 7).
struct ArchiveVerification {
  private let storage: ArchiveStorage
  private var bytes: [UInt8] { storage.bytes }
  private var seen = TableCounts()

  init(_ storage: ArchiveStorage) {
    self.storage = storage
  }

  mutating func run() throws(ArchiveError) {
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
      try checkRecords(row)
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
  }

  /// The header of a segment repeats its row, and its tables repeat those of the footer.
  private mutating func checkHeader(of index: Int, _ row: SegmentRow) throws(ArchiveError) {
    let words = (0..<8).map { bytes.load(UInt32.self, at: row.offset + 4 * $0) ?? 0 }
    let longWords = (4..<8).map { bytes.load(UInt64.self, at: row.offset + 8 * $0) ?? 0 }
    let tables = row.recordsOffset - FormatConstants.segmentHeaderByteCount
    guard words[0] == FormatConstants.segmentMarker, words[1] == UInt32(index),
      words[2] == row.firstRecord, words[3] == row.recordCount, words[7] == 0,
      longWords == [UInt64(tables), UInt64(row.recordsByteCount), UInt64(row.byteCount), 0]
    else {
      throw ArchiveError(
        .damaged, "the header of segment \(index) does not agree with the footer",
        offset: row.offset)
    }
    let delta = TableCounts(keys: Int(words[4]), types: Int(words[5]), shapes: Int(words[6]))
    let start = row.offset + FormatConstants.segmentHeaderByteCount
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
  }

  private func checkRecords(_ row: SegmentRow) throws(ArchiveError) {
    let directory = row.offset + row.directoryOffset
    guard bytes.load(UInt32.self, at: directory) == 0,
      bytes.load(UInt32.self, at: directory + 4 * Int(row.recordCount)).map(Int.init)
        == row.recordsByteCount / 8,
      bytes.isZero(in: directory + 4 * Int(row.recordCount) + 4..<row.offset + row.byteCount)
    else {
      throw ArchiveError(
        .damaged, "a record directory does not cover its records", offset: directory)
    }
    for index in 0..<Int(row.recordCount) {
      let range = try storage.recordRange(index, in: row)
      let id = ArchiveObjectID(row.firstRecord + UInt32(index))
      do throws(ArchiveError) {
        let decoder = try ObjectDecoder(
          storage, range: range, graph: nil, objectID: id, depth: 1)
        guard decoder.typeName.isEmpty == (id.rawValue == 0) else {
          throw ArchiveError(.damaged, "an object has no type name", offset: range.lowerBound)
        }
        try verify(decoder)
      } catch {
        throw error.inObject(id)
      }
    }
  }

  /// Checks every value of a record, and the bytes between them.
  private func verify(_ decoder: borrowing ObjectDecoder) throws(ArchiveError) {
    let shape = decoder.shape
    let start = decoder.range.lowerBound
    // A shape of a later segment cannot be known to a reader that goes forward only.
    guard let number = bytes.load(UInt32.self, at: start), Int(number) < seen.shapes else {
      throw ArchiveError(.damaged, "a record names a shape of a later segment", offset: start)
    }
    let bitmap = start + shape.bitmapOffset
    let used = shape.nilBitCount & 7
    if used != 0, bytes[bitmap + shape.nilBitCount / 8] >> UInt8(used) != 0 {
      throw ArchiveError(.nonCanonical, "unused bits of a nil bitmap are not zero", offset: bitmap)
    }
    guard
      bytes.isZero(in: bitmap + (shape.nilBitCount + 7) / 8..<start + shape.fixedByteCount)
    else {
      throw ArchiveError(.nonCanonical, "the padding of a record is not zero", offset: bitmap)
    }
    for slot in shape.slots {
      do {
        try verify(decoder.value(ofSlot: slot))
      } catch {
        throw error.under(storage.tables.keys[storage.tables.slots[slot].key].name)
      }
    }
  }

  private func verify(_ value: borrowing ValueDecoder) throws(ArchiveError) {
    if value.isNil { return }
    switch value.tag.kind {
    case .record: try verify(value.record())
    case .array: try verify(value, value.elements())
    case .dictionary:
      let entries = try value.dictionaryEntries()
      try verify(value, entries.keys)
      try verify(value, entries.values)
    default: _ = try value.dynamicValue()
    }
  }

  private func verify(
    _ value: borrowing ValueDecoder, _ elements: StoredElements
  ) throws(ArchiveError) {
    var tags: Set<ArchiveTag> = []
    var hasNil = false
    for index in 0..<elements.count {
      let element = try value.element(index, of: elements)
      if element.isNil { hasNil = true } else { tags.insert(element.tag) }
      do {
        try verify(element)
      } catch {
        throw error.atElement(index)
      }
    }
    // Elements that share a tag are packed, and a bitmap is there only if a nil is.
    let isCanonical =
      elements.count == 0
      || (elements.tag == .any ? tags.count != 1 : !tags.isEmpty && elements.isNullable == hasNil)
    guard isCanonical else {
      throw ArchiveError(
        .nonCanonical, "an array is not written in the one way that its elements allow",
        offset: elements.slots)
    }
    if elements.isNullable, elements.count & 7 != 0,
      bytes[elements.bitmap + elements.count / 8] >> UInt8(elements.count & 7) != 0
    {
      throw ArchiveError(
        .nonCanonical, "unused bits of a nil bitmap are not zero", offset: elements.bitmap)
    }
  }
}

extension Archive {
  /// Reads every byte once and checks what lazy reading leaves unread.
  ///
  /// Call it where an archive comes from a stranger and has to be whole, or to tell damage from
  /// a defect. Reading objects does not need it: each is checked when it is opened.
  ///
  /// - Throws: ``ArchiveError`` for the first thing that contradicts the format.
  /// - Complexity: In proportion to the size of the archive. It goes through the objects in their
  ///   order and never from object to object.
  public func verify() throws(ArchiveError) {
    var verification = ArchiveVerification(storage)
    try verification.run()
  }
}

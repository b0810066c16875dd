/// The place of a value in an archive, for reading a small part of a large one.
///
/// An object that is opened is read as a whole, and so is what ``ValueDecoder`` opens. A place reads only what
/// says where the parts of a value are stored: the slots and ends of a record, the first bytes and two ends of a long
/// array. It checks the bytes that it reads, and does not look at those beside the path to a value.
package struct ValuePlace: Sendable {
  /// The maximum size, in bytes, of an array that is read and checked as a whole; not less than any array's head.
  let wholeArray: Int
  let archive: ArchiveStorage
  package let objectID: ArchiveObjectID
  /// The tag that the value was written with.
  package let tag: ArchiveTag
  /// True when a nil is stored.
  package let isNil: Bool
  /// The range of the slot or the payload in the archive; of a bit the byte that has it.
  package let range: Range<Int>
  let bit: UInt8
  /// The number of the shape of a record whose container states it, or the tag of the numbers of a row; -1 for
  /// other values.
  let content: Int32
  let depth: Int32

  /// True when the value is a whole object.
  package var isObject: Bool { depth == 0 }

  /// The object of a number.
  fileprivate init(
    _ archive: ArchiveStorage, object id: ArchiveObjectID, wholeArray: Int
  ) throws(ArchiveError) {
    try archive.requireObject(id)
    var segment: SegmentLayout?
    let place = try archive.place(ofObject: id.rawValue, near: &segment)
    guard place.shape < archive.shapes.count else { throw OpenedRecord.badShape(place.body) }
    self.init(
      archive, id, .record, place.body, content: Int32(place.shape), depth: 0,
      wholeArray: max(wholeArray, StoredElements.headByteCount))
  }

  init(
    _ archive: ArchiveStorage, _ objectID: ArchiveObjectID, _ tag: ArchiveTag, isNil: Bool = false,
    _ range: Range<Int>, bit: UInt8 = 0, content: Int32 = -1, depth: Int32,
    wholeArray: Int
  ) {
    self.wholeArray = wholeArray
    self.archive = archive
    self.objectID = objectID
    self.tag = tag
    self.isNil = isNil || tag == .null
    self.range = range
    self.bit = bit
    self.content = content
    self.depth = depth
  }

  func nested(
    _ tag: ArchiveTag, isNil: Bool, _ range: Range<Int>, bit: UInt8, content: Int32
  ) -> ValuePlace {
    ValuePlace(
      archive, objectID, tag, isNil: isNil, range, bit: bit, content: content, depth: depth + 1,
      wholeArray: wholeArray)
  }

  /// Reads the value with all nested values; an object is read as its record.
  package func value() throws(ArchiveError) -> DynamicValue {
    do throws(ArchiveError) {
      if depth == 0 {
        let (part, record) = try archive.openedObject(objectID.rawValue)
        return .record(try ObjectDecoder(record, objectID, keeping: part).dynamicRecord())
      }
      return try lend(in: archive.part(range)) {
        (value: borrowing ValueDecoder) throws(ArchiveError) in try value.dynamicValue()
      }
    } catch {
      throw error.inObject(objectID)
    }
  }
}

extension Archive {
  /// The place of an object.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - wholeArray: The maximum size, in bytes, of an array that is read and checked as a whole.
  /// - Returns: The place of the object.
  /// - Throws: ``ArchiveError`` when there is no such object, or its segment contradicts the format.
  package func place(
    of id: ArchiveObjectID, wholeArray: Int = 1 << 14
  ) throws(ArchiveError) -> ValuePlace {
    try ValuePlace(storage, object: id, wholeArray: wholeArray)
  }
}

extension ValuePlace {
  /// The value of the first key of a record, or of a case of an enumeration, that a body accepts.
  ///
  /// - Parameter accepts: Gets the scopes of a key from the outermost, and the key.
  /// - Returns: The place of the value; nil where no key is accepted, or this is no record.
  /// - Throws: ``ArchiveError`` when the record is damaged.
  package func value(
    where accepts: (_ scopes: [String], _ key: ArchiveKey) -> Bool
  ) throws(ArchiveError) -> ValuePlace? {
    guard !isNil, tag == .record || tag == .enumeration else { return nil }
    do throws(ArchiveError) {
      let (part, record) = try openedRecord()
      let slots = record.shape.row.slots
      for slot in 0..<slots.count {
        let row = slots[slot]
        guard !row.isAbsent(part.view, recordAt: record.start) else { continue }
        let scopes = archive.tables.scopeNames(row.scope)
        guard accepts(scopes, archive.tables.keys[Int(row.key)].archiveKey) else { continue }
        return nested(
          row.tag, isNil: row.isNil(part.view, recordAt: record.start),
          record.range(row, part.view), bit: row.placement.bit, content: row.cell)
      }
      return nil
    } catch {
      throw error.inObject(objectID)
    }
  }

  /// The record; only its slots and ends are in memory.
  private func openedRecord() throws(ArchiveError) -> (ArchiveStorage, OpenedRecord) {
    if depth > 0 { try checkDepth() }
    var (number, body) = (Int(content), range)
    if content < 0 {
      let start = try archive.part(range.prefix(5))
      let stated = try ShapeNumber.read(start.view, range)
      (number, body) = (stated.number, stated.body..<range.upperBound)
      guard number < archive.shapes.count else { throw OpenedRecord.badShape(range) }
    }
    let shape = archive.shapes.reference(number)
    let layout = shape.row.layout
    let width = Int(EndWidth.inside(body.count))
    let head = Int(layout.byteCount) + layout.endCount << width
    guard head <= body.count else { throw ArchiveError.recordLength(body) }
    let part = try archive.part(body.prefix(head))
    let record = try OpenedRecord(part.view, shape, body)
    if depth == 0 { try record.checkIsObject() } else { try record.checkKind(tag) }
    return (part, record)
  }

  func checkDepth() throws(ArchiveError) {
    guard Int(depth) < archive.limits.nestingDepth else {
      throw ArchiveError.nestedTooDeep(archive.limits, offset: range.lowerBound)
    }
  }
}

extension ValuePlace {
  /// Lends a decoder of the value to a body, which cannot keep it.
  func lend<Result, Failure: Error>(
    in part: ArchiveStorage, to body: (borrowing ValueDecoder) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try ValueDecoder.lend(
      tag: tag, isNil: isNil, range: range, bit: bit, content: content, objectID: objectID,
      depth: depth, in: part, to: body)
  }
}

extension Range<Int> {
  /// The first part of a range.
  func prefix(_ length: Int) -> Range<Int> {
    lowerBound..<Swift.min(upperBound, lowerBound + length)
  }
}

package import Keepsake

/// The place of a value in an archive, for reading a small part of a large one.
///
/// An object is read as a whole when it is opened, also by a `ValueDecoder`. A place reads only the bytes that tell
/// where the parts of a value are stored: the slots and ends of a record, the first bytes and two ends of a long array.
/// It checks the bytes that it reads, and skips those that are not on the path to the value.
package struct ValuePlace: Sendable {
  let archive: ArchiveStorage
  package let objectID: ArchiveObjectID
  /// The tag that the value was written with.
  package private(set) var tag = ArchiveTag.record
  package private(set) var isNil = false
  /// The range of the slot or the payload in the archive; for a bit, the range of its byte.
  package private(set) var range: Range<Int>
  private(set) var bit: UInt8 = 0
  private(set) var content: StatedContent
  private(set) var depth: Int32 = 0
  /// The maximum size, in bytes, of an array that is read and checked as a whole; not less than any array's head.
  let wholeArray: Int

  /// True when the value is a whole object.
  package var isObject: Bool { depth == 0 }

  /// The place of a value in this one, or of all keys or values of a dictionary, which do not add a level.
  func part(
    _ tag: ArchiveTag, isNil: Bool = false, _ range: Range<Int>, bit: UInt8 = 0,
    content: StatedContent = .none, levels: Int32 = 1
  ) -> ValuePlace {
    var part = self
    (part.tag, part.isNil, part.range) = (tag, isNil || tag == .null, range)
    (part.bit, part.content, part.depth) = (bit, content, depth + levels)
    return part
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
  /// The place of an object; arrays of up to `wholeArray` bytes are read and checked as a whole.
  package func place(
    of id: ArchiveObjectID, wholeArray: Int = 1 << 14
  ) throws(ArchiveError) -> ValuePlace {
    try storage.requireObject(id)
    let place = try storage.place(ofObject: id.rawValue)
    guard place.shape < storage.shapes.count else { throw OpenedRecord.badShape(place.body) }
    return ValuePlace(
      archive: storage, objectID: id, range: place.body, content: StatedContent(shape: place.shape),
      wholeArray: max(wholeArray, StoredElements.headByteCount))
  }
}

extension ValuePlace {
  /// The value of the first accepted key of a record, or of an enumeration's case; nil without one.
  ///
  /// `accepts` gets the scopes of a key, from the outermost, and the key.
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
        guard accepts(scopes, archive.tables.key(of: row)) else { continue }
        return self.part(
          row.tag, isNil: row.isNil(part.view, recordAt: record.start),
          record.range(row, part.view), bit: row.placement.bit, content: StatedContent(row.cell))
      }
      return nil
    } catch {
      throw error.inObject(objectID)
    }
  }

  /// The record; only its slots and ends are in memory.
  func openedRecord() throws(ArchiveError) -> (ArchiveStorage, OpenedRecord) {
    if depth > 0 { try checkDepth() }
    var (number, body) = (content.shape, range)
    if !content.isStated {
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

  private func checkDepth() throws(ArchiveError) {
    guard Int(depth) < archive.limits.nestingDepth else {
      throw ArchiveError(nesting: "values", archive.limits, offset: range.lowerBound)
    }
  }
}

extension ValuePlace {
  /// Lends a decoder of the value to a closure, which cannot keep it.
  func lend<Result, Failure: Error>(
    in part: ArchiveStorage, to body: (borrowing ValueDecoder) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try ValueDecoder.lend(
      tag: tag, isNil: isNil, range: range, bit: bit, content: content, objectID: objectID,
      depth: depth, in: part, to: body)
  }
}

extension Range<Int> {
  fileprivate func prefix(_ length: Int) -> Range<Int> {
    lowerBound..<Swift.min(upperBound, lowerBound + length)
  }
}

// Places in arrays, sets and dictionaries (Spec/archive.md, 5.5 to 5.7).

extension ValuePlace {
  /// The number of elements in an array or a set; nil for any other value.
  package func count() throws(ArchiveError) -> Int? {
    guard !isNil, tag == .array || tag == .set else { return nil }
    do throws(ArchiveError) {
      return try elements().count
    } catch {
      throw error.inObject(objectID)
    }
  }

  /// An element of an array or a member of a set; nil when it does not exist.
  package func element(_ index: Int) throws(ArchiveError) -> ValuePlace? {
    guard !isNil, tag == .array || tag == .set else { return nil }
    do throws(ArchiveError) {
      let elements = try elements()
      guard 0..<elements.count ~= index else { return nil }
      return try element(index, of: elements)
    } catch {
      throw error.inObject(objectID)
    }
  }

  /// The value of the first key of a dictionary that `accepts` returns true for; nil without one.
  package func entry(
    where accepts: (_ key: DynamicValue) -> Bool
  ) throws(ArchiveError) -> ValuePlace? {
    guard !isNil, tag == .dictionary, !range.isEmpty else { return nil }
    do throws(ArchiveError) {
      try checkDepth()
      let keysRange = try SortedElements.keys(of: range, archive.number)
      let part = try archive.part(range.lowerBound..<keysRange.upperBound)
      let keys = try SortedElements(part.view, archive.shapes).keys(range)
      let values = self.part(.array, keysRange.upperBound..<range.upperBound, levels: 0)
      let stored = try values.elements()
      guard stored.count == keys.count else { throw SortedElements.differentCounts(range) }
      let found = try lend(in: part) {
        (decoder: borrowing ValueDecoder) throws(ArchiveError) -> Int? in
        for index in 0..<keys.count
        where accepts(try decoder.element(index, of: keys).dynamicValue()) { return index }
        return nil
      }
      guard let found else { return nil }
      return try values.element(found, of: stored)
    } catch {
      throw error.inObject(objectID)
    }
  }

  func element(
    _ index: Int, of elements: StoredElements
  ) throws(ArchiveError) -> ValuePlace {
    let (tag, isNil, range) = try elements.checkedElement(index, archive.number)
    return part(
      tag, isNil: isNil, range, bit: elements.bit(of: index, tag), content: elements.content)
  }

  /// The elements.
  ///
  /// All ends of a short array are checked here. Each end of a long array is checked when it is used.
  func elements() throws(ArchiveError) -> StoredElements {
    try checkDepth()
    if content.isStated, tag == .array {
      return StoredElements(row: range, of: content.numbers)
    }
    if range.count > wholeArray, try !hasBits() {
      let part = try archive.part(range.prefix(StoredElements.headByteCount))
      return try StoredElements(head: part.view, archive.shapes, range)
    }
    let part = try archive.part(range)
    return tag == .set
      ? try SortedElements(part.view, archive.shapes).members(range)
      : try StoredElements(part.view, archive.shapes, range)
  }

  /// True when the elements are bits; the last byte of such an array tells their number.
  private func hasBits() throws(ArchiveError) -> Bool {
    ArchiveTag(rawValue: UInt8(truncatingIfNeeded: try archive.number(range.lowerBound, 0))).isBit
  }
}

/// Where a value lies in an archive, for whoever wants a small part of a large one.
///
/// An object that is opened is read as a whole, and so is what ``ValueDecoder`` opens. A place reads only what
/// says where the parts of a value lie: of a record its slots and ends, of a long array its first bytes and two
/// ends. What is checked is what is read; what lies beside the path to a value is not looked at.
package struct ValuePlace: Sendable {
  /// Up to how many bytes an array is read and checked as a whole; at least the first bytes of any form.
  private let wholeArray: Int
  let archive: ArchiveStorage
  package let objectID: ArchiveObjectID
  /// How the value was written.
  package let tag: ArchiveTag
  /// Whether a nil is stored.
  package let isNil: Bool
  let range: Range<Int>
  let bit: UInt8
  /// Of a record whose shape is stated elsewhere its number, of a row the tag of its numbers; else -1.
  let content: Int32
  let depth: Int32

  /// Whether the value is an object, with all that it holds.
  package var isObject: Bool { depth == 0 }

  /// The object of a number.
  fileprivate init(
    _ archive: ArchiveStorage, object id: ArchiveObjectID, wholeArray: Int
  ) throws(ArchiveError) {
    try archive.requireObject(id)
    let segment = try archive.segment(holding: id.rawValue)
    let place = try archive.object(Int(id.rawValue - segment.row.firstObject), in: segment)
    guard place.shape < archive.shapes.count else { throw OpenedRecord.badShape(place.body) }
    self.init(
      archive, id, .record, place.body, content: Int32(truncatingIfNeeded: place.shape), depth: 0,
      wholeArray: max(wholeArray, 16))
  }

  private init(
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

  private func nested(
    _ tag: ArchiveTag, isNil: Bool, _ range: Range<Int>, bit: UInt8, content: Int32
  ) -> ValuePlace {
    ValuePlace(
      archive, objectID, tag, isNil: isNil, range, bit: bit, content: content, depth: depth + 1,
      wholeArray: wholeArray)
  }

  /// Reads the value with all that is nested in it; of an object, its record.
  package func value() throws(ArchiveError) -> ArchivedValue {
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
  ///   - wholeArray: Up to how many bytes an array is read and checked as a whole.
  /// - Returns: Where the object lies.
  /// - Throws: ``ArchiveError`` when there is no such object, or its segment contradicts the format.
  package func place(
    of id: ArchiveObjectID, wholeArray: Int = 1 << 14
  ) throws(ArchiveError) -> ValuePlace {
    try ValuePlace(storage, object: id, wholeArray: wholeArray)
  }
}

// MARK: - Records

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
        let scopes = row.scope < 0 ? [] : archive.tables.names(ofKey: Int(row.scope))
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

  /// The record, of which only the slots and the ends are there.
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

  private func checkDepth() throws(ArchiveError) {
    guard Int(depth) < archive.limits.nestingDepth else {
      throw ArchiveError.nestedTooDeep(archive.limits, offset: range.lowerBound)
    }
  }
}

// MARK: - Arrays, sets and dictionaries

extension ValuePlace {
  /// How many elements an array or a set has; nil for any other value.
  package func count() throws(ArchiveError) -> Int? {
    guard !isNil, tag == .array || tag == .set else { return nil }
    do throws(ArchiveError) {
      return try elements().count
    } catch {
      throw error.inObject(objectID)
    }
  }

  /// An element of an array or a member of a set; nil where there is none.
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

  /// The value of the first key of a dictionary that a body accepts; nil where there is none.
  package func entry(
    where accepts: (_ key: ArchivedValue) -> Bool
  ) throws(ArchiveError) -> ValuePlace? {
    guard !isNil, tag == .dictionary, !range.isEmpty else { return nil }
    do throws(ArchiveError) {
      try checkDepth()
      let head = 1 << Int(EndWidth.inside(range.count))
      guard head <= range.count else { throw ArchiveError.badEntries(range) }
      let keysEnd =
        range.lowerBound + head + (try end(at: range.lowerBound, EndWidth.inside(range.count)))
      guard keysEnd <= range.upperBound else { throw ArchiveError.badEntries(range) }
      let part = try archive.part(range.lowerBound..<keysEnd)
      let keys = try SortedElements(part.view, archive.shapes).keys(range)
      let values = ValuePlace(
        archive, objectID, .array, keysEnd..<range.upperBound, depth: depth,
        wholeArray: wholeArray)
      let stored = try values.elements()
      guard stored.count == keys.count else { throw ArchiveError.badEntries(range) }
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

  private func element(
    _ index: Int, of elements: StoredElements
  ) throws(ArchiveError) -> ValuePlace {
    var tag = elements.tag
    if tag == .any {
      let place = elements.slots - elements.count + index
      tag = ArchiveTag(
        rawValue: try archive.part(place..<place + 1).view.load(UInt8.self, at: place))
      guard tag.isWellFormed, tag != .any else {
        throw ArchiveError(.damaged, "an element has no proper tag", offset: place)
      }
    }
    var isNil = false
    if elements.nilBits != 0 {
      let place = elements.nilBits + index / 8
      isNil = try elements.isNil(index, archive.part(place..<place + 1).view)
    }
    let range = try range(of: index, elements)
    if elements.tag == .any, !tag.isVariable {
      guard range.count == tag.byteCount else { throw ArchiveError.badElement(range) }
      // A truth value is a byte here.
      if tag.isBit, try archive.part(range).view.load(UInt8.self, at: range.lowerBound) > 1 {
        throw ArchiveError.badElement(range)
      }
    }
    return nested(
      tag, isNil: isNil, range, bit: elements.bit(of: index, tag), content: elements.content)
  }

  private func range(
    of index: Int, _ elements: StoredElements
  ) throws(ArchiveError) -> Range<Int> {
    let stride = elements.stride
    if stride != 0 {
      let slot = elements.slots + index * stride
      return slot..<slot + stride
    }
    if elements.tag.isBit {
      return elements.slots + index / 8..<elements.slots + index / 8 + 1
    }
    let width = elements.endWidth
    var (first, last) = (elements.tail, elements.end)
    if index > 0 { first += try end(at: elements.slots + (index - 1) << Int(width), width) }
    if index + 1 < elements.count {
      last = elements.tail + (try end(at: elements.slots + index << Int(width), width))
    }
    guard first <= last, last <= elements.end else { throw ArchiveError.badElement(range) }
    return first..<last
  }

  /// A number that says where something ends.
  private func end(at offset: Int, _ width: UInt32) throws(ArchiveError) -> Int {
    try archive.part(offset..<offset + 1 << Int(width)).view.end(0, endsAt: offset, width: width)
  }

  /// The elements, whose ends are checked here only if the array is short: of a long one each is checked when
  /// it is used.
  private func elements() throws(ArchiveError) -> StoredElements {
    try checkDepth()
    if content >= 0, tag == .array {
      return StoredElements(
        row: range, of: ArchiveTag(rawValue: UInt8(truncatingIfNeeded: content)))
    }
    if range.count <= wholeArray {
      let part = try archive.part(range)
      return tag == .set
        ? try SortedElements(part.view, archive.shapes).members(range)
        : try StoredElements(part.view, archive.shapes, range)
    }
    let first = range.lowerBound
    let start = try archive.part(range.prefix(16))
    let form = ArchiveTag(rawValue: start.view.load(UInt8.self, at: first))
    if form.rawValue == ArrayForm.mixed {
      return try payloads(.any, after: first + 1, start)
    }
    guard form.isOfElements, form != .null, form.isVariable || form.isBit else {
      // Nothing but the first bytes says where the elements lie.
      return try StoredElements(start.view, archive.shapes, range)
    }
    if form.isBit {
      // The last byte says how many there are.
      let part = try archive.part(range)
      return try StoredElements(part.view, archive.shapes, range)
    }
    guard form == .record || form == .enumeration else {
      return try payloads(form, after: first + 1, start)
    }
    let (number, place) = try ShapeNumber.read(start.view, first + 1..<range.upperBound)
    guard number < archive.shapes.count else {
      throw OpenedRecord.badShape(first + 1..<range.upperBound)
    }
    return try payloads(form, after: place, start, content: Int32(truncatingIfNeeded: number))
  }

  /// Elements that have ends, in an array that is longer than what is there of it.
  private func payloads(
    _ form: ArchiveTag, after offset: Int, _ start: ArchiveStorage, content: Int32 = -1
  ) throws(ArchiveError) -> StoredElements {
    var elements = StoredElements(row: range.prefix(0), of: .uint8)
    let width = EndWidth.inside(range.count)
    (elements.tag, elements.content, elements.stride) = (form, content, 0)
    (elements.end, elements.endWidth) = (range.upperBound, width)
    elements.count = start.view.end(0, endsAt: offset, width: width)
    elements.slots = offset + 1 << Int(width)
    guard elements.count > 0, elements.count <= range.count else {
      throw ArchiveError.badElement(range)
    }
    if form == .any { elements.slots += elements.count }
    elements.tail = elements.slots + (elements.count - 1) << Int(width)
    guard elements.tail <= range.upperBound else { throw ArchiveError.badElement(range) }
    return elements
  }
}

extension Range<Int> {
  /// What a range begins with.
  fileprivate func prefix(_ length: Int) -> Range<Int> {
    lowerBound..<Swift.min(upperBound, lowerBound + length)
  }
}

extension ArchiveError {
  @inline(never)
  fileprivate static func badElement(_ range: Range<Int>) -> ArchiveError {
    ArchiveError(
      .damaged, "an element does not lie after the one before it", offset: range.lowerBound)
  }

  @inline(never)
  fileprivate static func badEntries(_ range: Range<Int>) -> ArchiveError {
    ArchiveError(
      .damaged, "a dictionary has not as many keys as values", offset: range.lowerBound)
  }
}

extension ValuePlace {
  /// Lends a decoder of the value to a body, which cannot keep it.
  private func lend<Result>(
    in part: ArchiveStorage, to body: (borrowing ValueDecoder) throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    try ValueDecoder.lend(
      tag: tag, isNil: isNil, range: range, bit: bit, content: content, objectID: objectID,
      depth: depth, in: part, to: body)
  }
}

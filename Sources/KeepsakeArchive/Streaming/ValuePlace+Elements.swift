// Places in arrays, sets and dictionaries (Spec/archive.md, 5.5 to 5.7).

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
    return try payloads(form, after: place, start, content: Int32(number))
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

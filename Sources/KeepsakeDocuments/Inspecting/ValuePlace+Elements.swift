package import KeepsakeArchive

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

  /// The value of the first key of a dictionary that a body accepts; nil when it does not exist.
  package func entry(
    where accepts: (_ key: ArchivedValue) -> Bool
  ) throws(ArchiveError) -> ValuePlace? {
    guard !isNil, tag == .dictionary, !range.isEmpty else { return nil }
    do throws(ArchiveError) {
      try checkDepth()
      let keysRange = try SortedElements.keys(of: range, archive.number)
      let part = try archive.part(range.lowerBound..<keysRange.upperBound)
      let keys = try SortedElements(part.view, archive.shapes).keys(range)
      let values = ValuePlace(
        archive, objectID, .array, keysRange.upperBound..<range.upperBound, depth: depth,
        wholeArray: wholeArray)
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

  private func element(
    _ index: Int, of elements: StoredElements
  ) throws(ArchiveError) -> ValuePlace {
    let (tag, isNil, range) = try elements.checkedElement(index, archive.number)
    return nested(
      tag, isNil: isNil, range, bit: elements.bit(of: index, tag), content: elements.content)
  }

  /// The elements.
  ///
  /// The ends are checked here only if the array is short: of a long one each is checked when it is used.
  private func elements() throws(ArchiveError) -> StoredElements {
    try checkDepth()
    if content >= 0, tag == .array {
      return StoredElements(
        row: range, of: ArchiveTag(rawValue: UInt8(truncatingIfNeeded: content)))
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

  /// True when the elements are bits, whose last byte says how many there are.
  private func hasBits() throws(ArchiveError) -> Bool {
    ArchiveTag(rawValue: UInt8(truncatingIfNeeded: try archive.number(range.lowerBound, 0))).isBit
  }
}

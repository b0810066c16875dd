// Arrays, sets and dictionaries (Spec/archive.md, 5.5 to 5.7).

extension ValueDecoder {
  /// The elements of a stored array, their extents checked.
  @usableFromInline
  func elements() throws(ArchiveError) -> StoredElements {
    try require(.array, for: "an array")
    try checkDepth()
    return try StoredElements(view, range)
  }

  /// The members of a stored set: an array in strictly increasing order.
  @usableFromInline
  func members() throws(ArchiveError) -> StoredElements {
    try require(.set, for: "a set")
    try checkDepth()
    let members = try StoredElements(view, range)
    try checkOrder(of: members)
    return members
  }

  /// The keys and the values of a stored dictionary: two arrays, one behind the other.
  @usableFromInline
  func dictionaryEntries() throws(ArchiveError) -> (keys: StoredElements, values: StoredElements) {
    try require(.dictionary, for: "a dictionary")
    try checkDepth()
    let range = range
    if range.isEmpty {
      let none = try StoredElements(view, range)
      return (none, none)
    }
    guard range.count >= 8, view.load(UInt32.self, at: payload + 4) == 0 else {
      throw ArchiveError(.damaged, "a dictionary has no proper header", offset: payload)
    }
    let length = Int(view.load(UInt32.self, at: payload))
    let middle = payload + 8 + (length + 7) & ~7
    guard middle <= range.upperBound else {
      throw ArchiveError(.damaged, "a dictionary is shorter than its keys", offset: payload)
    }
    let keys = try StoredElements(view, payload + 8..<payload + 8 + length)
    let values = try StoredElements(view, middle..<range.upperBound)
    guard keys.count == values.count, keys.count > 0 else {
      throw ArchiveError(
        .damaged, "a dictionary has not as many keys as values", offset: payload)
    }
    try checkOrder(of: keys)
    return (keys, values)
  }

  /// Keys and members are in strictly increasing order of tag and encoded bytes, so none is there
  /// twice; they are no references and contain nothing.
  private func checkOrder(of keys: StoredElements) throws(ArchiveError) {
    guard keys.nilBits == 0 else {
      throw ArchiveError(.damaged, "a key or a member is nil", offset: keys.start)
    }
    var last: (tag: ArchiveTag, range: Range<Int>)?
    for index in 0..<keys.count {
      let tag = keys.tag(of: index, view)
      guard tag.isKeyable else {
        throw ArchiveError(
          tag.kind == nil ? .unsupportedFeature : .damaged,
          "a \(tag) is used as a key or a member", offset: keys.start)
      }
      let range = encodedRange(of: index, keys, tag)
      if let last {
        guard
          last.tag.rawValue < tag.rawValue
            || last.tag == tag && view.precedes(last.range, range)
        else {
          throw ArchiveError(
            .damaged, "keys or members are not in strictly increasing order",
            offset: range.lowerBound)
        }
      }
      last = (tag, range)
    }
  }

  /// The bytes of an element, wherever they lie.
  private func encodedRange(
    of index: Int, _ elements: StoredElements, _ tag: ArchiveTag
  ) -> Range<Int> {
    if elements.tag == .any || tag.isVariable { return elements.payload(of: index, tag, view) }
    let slot = elements.slots + index * tag.byteCount
    return slot..<slot + tag.byteCount
  }

  /// One element of an array.
  @usableFromInline
  func element(_ index: Int, of elements: StoredElements) -> ValueDecoder {
    let tag = elements.tag(of: index, view)
    var isNil = false
    if elements.nilBits != 0 {
      let bits = view.load(UInt8.self, at: elements.nilBits + index / 8)
      isNil = bits & 1 << UInt8(index & 7) != 0
    }
    var offset = elements.slots + index * (elements.tag == .any ? 4 : tag.byteCount)
    var range = offset..<offset
    if elements.tag == .any || tag.isVariable {
      range = elements.payload(of: index, tag, view)
      if !tag.isVariable { offset = range.lowerBound }
    }
    return ValueDecoder(
      tag: tag, isNil: isNil, offset: offset, payload: range.lowerBound,
      payloadEnd: range.upperBound, view: view, storage: storage, graph: graph,
      objectID: objectID, depth: depth + 1)
  }
}

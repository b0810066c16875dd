// Arrays and dictionaries (Spec/archive.md, 5.6 and 5.7).

/// Where the elements of a stored array lie.
@usableFromInline
struct StoredElements {
  /// The tag that the elements share, or `any`.
  var tag: ArchiveTag
  var isNullable: Bool
  @usableFromInline var count: Int
  /// The bytes of the array's payload.
  var container: Range<Int>
  var slots: Int
  var bitmap: Int

  /// How much to allocate before elements are shown to be there.
  @usableFromInline var initialCapacity: Int { min(count, 1 << 16) }
}

extension ArchiveError {
  @usableFromInline
  func atElement(_ index: Int) -> ArchiveError { under("[\(index)]") }
}

extension ValueDecoder {
  /// The elements of a stored array, their extents checked.
  @usableFromInline
  func elements() throws(ArchiveError) -> StoredElements {
    try require(.array, for: "an array")
    try checkDepth()
    return try elements(in: payload())
  }

  /// The keys and the values of a stored dictionary: two arrays, one behind the other.
  func dictionaryEntries() throws(ArchiveError) -> (keys: StoredElements, values: StoredElements) {
    try require(.dictionary, for: "a dictionary")
    try checkDepth()
    let range = try payload()
    if range.isEmpty { return (try elements(in: range), try elements(in: range)) }
    guard let length = storage.bytes.load(UInt64.self, at: range.lowerBound), range.count >= 8,
      length.isMultiple(of: 8), length <= UInt64(range.count - 8)
    else {
      throw ArchiveError(
        .damaged, "a dictionary is shorter than its keys", offset: range.lowerBound)
    }
    let middle = range.lowerBound + 8 + Int(length)
    let keys = try elements(in: range.lowerBound + 8..<middle)
    let values = try elements(in: middle..<range.upperBound)
    guard keys.count == values.count, keys.count > 0, !keys.isNullable else {
      throw ArchiveError(
        .damaged, "a dictionary has not as many keys as values", offset: range.lowerBound)
    }
    try checkOrder(of: keys)
    return (keys, values)
  }

  /// Keys are in strictly increasing order of their encoded bytes, so none is there twice.
  private func checkOrder(of keys: StoredElements) throws(ArchiveError) {
    guard keys.tag == .string else {
      throw ArchiveError(
        .unsupportedFeature, "a dictionary has keys that are no strings", offset: keys.slots)
    }
    var last: Range<Int>?
    for index in 0..<keys.count {
      let range = try element(index, of: keys).payload()
      if let last, !storage.bytes[last].lexicographicallyPrecedes(storage.bytes[range]) {
        throw ArchiveError(
          .damaged, "the keys of a dictionary are not in strictly increasing order",
          offset: range.lowerBound)
      }
      last = range
    }
  }

  private func elements(in range: Range<Int>) throws(ArchiveError) -> StoredElements {
    if range.isEmpty {
      return StoredElements(
        tag: .any, isNullable: false, count: 0, container: range, slots: range.lowerBound,
        bitmap: range.lowerBound)
    }
    let start = range.lowerBound
    guard range.count >= FormatConstants.arrayHeaderByteCount, range.count.isMultiple(of: 8),
      let head = storage.bytes.load(UInt64.self, at: start),
      let count = storage.bytes.load(UInt64.self, at: start + 8), head >> 9 & ~0x7F == 0
    else { throw ArchiveError(.damaged, "an array has no proper header", offset: start) }
    let tag = ArchiveTag(rawValue: UInt8(truncatingIfNeeded: head))
    let isNullable = head >> 8 & 1 == 1
    guard head >> 9 == 0, tag.isWellFormed, let width = tag.width?.byteCount, width > 0,
      !(isNullable && tag == .any)
    else { throw ArchiveError(.damaged, "an array has no proper header", offset: start) }
    let slots = start + FormatConstants.arrayHeaderByteCount
    // The count is held against the bytes before anything is computed from it.
    guard count > 0, count <= UInt64((range.upperBound - slots) / width) else {
      throw ArchiveError(
        .damaged, "an array counts more elements than it has room for", offset: start + 8)
    }
    let number = Int(count)
    let bitmap = try padded(slots + number * width, in: range)
    let tail = try isNullable ? padded(bitmap + (number + 7) / 8, in: range) : bitmap
    let elements = StoredElements(
      tag: tag, isNullable: isNullable, count: number, container: range, slots: slots,
      bitmap: bitmap)
    try checkTail(of: elements, from: tail)
    return elements
  }

  /// The next multiple of eight; the bytes up to it lie in the range and are zero.
  private func padded(_ end: Int, in range: Range<Int>) throws(ArchiveError) -> Int {
    let next = range.lowerBound + ((end - range.lowerBound + 7) & ~7)
    guard next <= range.upperBound else {
      throw ArchiveError(.damaged, "an array is shorter than its elements", offset: end)
    }
    guard storage.bytes.isZero(in: end..<next) else {
      throw ArchiveError(.nonCanonical, "the padding of an array is not zero", offset: end)
    }
    return next
  }

  private func checkTail(of elements: StoredElements, from start: Int) throws(ArchiveError) {
    var tail = PayloadTail(container: elements.container, start: start)
    if elements.tag == .any {
      for index in 0..<elements.count {
        let slot = elements.slots + index * 16
        let head = storage.bytes.load(UInt64.self, at: slot) ?? .max
        let tag = ArchiveTag(rawValue: UInt8(truncatingIfNeeded: head))
        guard head <= 0xFF, tag.isWellFormed, tag != .any else {
          throw ArchiveError(.damaged, "an element has no proper tag", offset: slot)
        }
        if tag.isVariable || tag.width == .sixteen {
          try tail.take(storage.bytes, slotAt: slot + 8)
        }
      }
    } else if elements.tag.isVariable {
      for index in 0..<elements.count {
        try tail.take(storage.bytes, slotAt: elements.slots + index * 8)
      }
    }
    try tail.finish()
  }

  /// One element of an array.
  @usableFromInline
  func element(
    _ index: Int, of elements: StoredElements
  ) throws(ArchiveError) -> ValueDecoder {
    if elements.tag == .any { return try anyElement(index, of: elements) }
    var isNil = false
    if elements.isNullable {
      isNil = storage.bytes[elements.bitmap + index / 8] & 1 << UInt8(index & 7) != 0
    }
    let width = elements.tag.width?.byteCount ?? 0
    return try ValueDecoder(
      storage, container: elements.container, offset: elements.slots + index * width,
      tag: elements.tag, isNil: isNil, graph: graph, objectID: objectID, depth: depth + 1)
  }

  private func anyElement(
    _ index: Int, of elements: StoredElements
  ) throws(ArchiveError) -> ValueDecoder {
    let slot = elements.slots + index * 16
    let tag = ArchiveTag(rawValue: storage.bytes[slot])
    var low = storage.bytes.load(UInt64.self, at: slot + 8) ?? 0
    var high: UInt64 = 0
    let width = tag.width?.byteCount ?? 0
    // A narrow value is extended with zeros; one of sixteen bytes lies in the tail.
    guard width >= 8 || low >> UInt64(8 * width) == 0 else {
      throw ArchiveError(.nonCanonical, "an element is wider than its tag", offset: slot + 8)
    }
    if tag.width == .sixteen {
      let payload = try ValueDecoder(
        storage, container: elements.container, offset: slot + 8, tag: .bytes, isNil: false,
        graph: nil, objectID: objectID, depth: depth
      ).payload()
      guard payload.count == 16 else {
        throw ArchiveError(.damaged, "an element of 16 bytes has \(payload.count)", offset: slot)
      }
      low = storage.bytes.load(UInt64.self, at: payload.lowerBound) ?? 0
      high = storage.bytes.load(UInt64.self, at: payload.lowerBound + 8) ?? 0
    }
    return ValueDecoder(
      storage, container: elements.container, offset: slot + 8, tag: tag, bits: low, high: high,
      isNil: tag == .null, graph: graph, objectID: objectID, depth: depth + 1)
  }
}

// Dictionaries and sets (Spec/archive.md, 5.6 and 5.7): keys and members are written first as they
// come and then in the order of their encoded bytes.

extension ObjectEncoder {
  /// Writes a dictionary: two arrays of equal length.
  mutating func encodeDictionary(
    count: Int, at place: ArchivePlace, key: (Int, inout ObjectEncoder) -> Void,
    value: (Int, inout ObjectEncoder) -> Void
  ) {
    guard enterDepth(at: place) else { return encodeNil(tag: .dictionary, at: place) }
    let slot = beginPayload(tag: .dictionary, at: place)
    if slot < 0 { return }
    if count > 0 {
      let start = bytes.count
      bytes.append(0 as UInt32)
      let order = encodeSorted(count: count, step: place.step, key)
      let middle = bytes.count
      let outer = beginElements(count: count, slot: slot)
      for index in order { value(index, &self) }
      finishElements()
      frame = outer.frame
      elements = outer.elements
      // Four bytes were kept for the length of the keys.
      let keys = start + MemoryLayout<UInt32>.size
      let width = EndWidth.smallest(of: 1, besides: bytes.count - keys)
      moveBytes(from: keys, to: start + 1 << Int(width))
      bytes.store(middle - keys, width: width, at: start)
    }
    endPayload(slot: slot, at: place)
  }

  /// Writes a set: an array in strictly increasing order.
  mutating func encodeSet(
    count: Int, at place: ArchivePlace, _ member: (Int, inout ObjectEncoder) -> Void
  ) {
    guard enterDepth(at: place) else { return encodeNil(tag: .set, at: place) }
    let slot = beginPayload(tag: .set, at: place)
    if slot < 0 { return }
    if count > 0 { _ = encodeSorted(count: count, step: place.step, member) }
    endPayload(slot: slot, at: place)
  }

  /// Writes keys or members in the order of their tags and bytes, and returns that order.
  private mutating func encodeSorted(
    count: Int, step: String?, _ element: (Int, inout ObjectEncoder) -> Void
  ) -> [Int] {
    let outer = beginElements(count: count, slot: 0)
    for index in 0..<count { element(index, &self) }
    completeElements()
    defer {
      frame = outer.frame
      elements = outer.elements
    }
    if hasFailed { return [] }
    var encoded = writtenElements(count)
    // The tag is part of what a key is, so `Int` and `UInt` have 64 bits.
    var hasFlexible = false
    for index in 0..<count where encoded[index].tag.isFlexible {
      encoded[index].tag = encoded[index].tag.integer(ofClass: 4)
      hasFlexible = true
    }
    for index in 0..<count where !encoded[index].tag.isKeyable {
      fail(.invalidValue, "a \(encoded[index].tag) cannot be a key or a member", under: step)
      return []
    }
    let order = (0..<count).sorted { precedes(encoded[$0], encoded[$1]) }
    for (left, right) in zip(order, order.dropFirst())
    where !precedes(encoded[left], encoded[right]) {
      fail(.duplicateMember, "a dictionary or a set has one key or member twice", under: step)
      return []
    }
    if !hasFlexible, order.elementsEqual(0..<count) {
      compactElements()
      return order
    }
    var sorted = RawTable<StagedEntry>(capacity: count)
    for index in order { sorted.append(encoded[index]) }
    rewriteElements(sorted, 0..<count)
    finishElements()
    return order
  }

  /// Whether a key or a member comes before another: by the tag, then by the bytes.
  private func precedes(_ left: StagedEntry, _ right: StagedEntry) -> Bool {
    if left.tag != right.tag { return left.tag.rawValue < right.tag.rawValue }
    if left.tag.isVariable {
      return bytes.precedes(
        left.start..<left.start + left.byteCount, right.start..<right.start + right.byteCount)
    }
    // The bytes as they lie, the first of them the most significant one.
    return (left.low.byteSwapped, left.high.byteSwapped)
      < (right.low.byteSwapped, right.high.byteSwapped)
  }
}

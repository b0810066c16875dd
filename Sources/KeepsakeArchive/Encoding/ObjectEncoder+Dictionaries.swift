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
      bytes.store(UInt32(truncatingIfNeeded: bytes.count - start - 4), at: start)
      let outer = beginElements(count: count, slot: slot)
      for index in order { value(index, &self) }
      finishElements()
      frame = outer.frame
      elements = outer.elements
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

  /// An element of an array that was written: its tag and where its bytes lie.
  private struct Encoded {
    var tag: ArchiveTag
    var range: Range<Int>
  }

  /// Writes keys or members in the order of their tags and bytes, and returns that order.
  private mutating func encodeSorted(
    count: Int, step: String?, _ element: (Int, inout ObjectEncoder) -> Void
  ) -> [Int] {
    let start = bytes.count
    let outer = beginElements(count: count, slot: 0)
    for index in 0..<count { element(index, &self) }
    finishElements()
    defer {
      frame = outer.frame
      elements = outer.elements
    }
    guard failure == nil else { return [] }
    let encoded = (0..<count).map { encodedElement($0) }
    for element in encoded where !element.tag.isKeyable {
      fail(.invalidValue, "a \(element.tag) cannot be a key or a member", under: step)
      return []
    }
    if elements.nilBits != 0 {
      fail(.invalidValue, "a nil cannot be a key or a member", under: step)
      return []
    }
    let order = encoded.indices.sorted { precedes(encoded[$0], encoded[$1]) }
    for (left, right) in zip(order, order.dropFirst())
    where !precedes(encoded[left], encoded[right]) {
      fail(.duplicateKey, "a dictionary or a set has one key or member twice", under: step)
      return []
    }
    if order.elementsEqual(encoded.indices) { return order }
    rewrite(order.map { encoded[$0] }, from: start)
    return order
  }

  private func precedes(_ left: Encoded, _ right: Encoded) -> Bool {
    left.tag == right.tag
      ? bytes.precedes(left.range, right.range) : left.tag.rawValue < right.tag.rawValue
  }

  /// An element of the array that has just been completed.
  private func encodedElement(_ index: Int) -> Encoded {
    var tag = elements.tag
    if tag == .any {
      tag = ArchiveTag(
        rawValue: bytes.load(
          UInt8.self, at: elements.start + ArrayHead.byteCount + index))
    }
    if elements.tag != .any, !tag.isVariable {
      let slot = elements.slots + index * tag.byteCount
      return Encoded(tag: tag, range: slot..<slot + tag.byteCount)
    }
    let end = Int(bytes.load(UInt32.self, at: elements.slots + index * 4))
    let start =
      index == 0 ? 0 : Int(bytes.load(UInt32.self, at: elements.slots + index * 4 - 4))
    return Encoded(tag: tag, range: elements.tail + start..<elements.tail + end)
  }

  /// Writes the array anew in another order.
  private mutating func rewrite(_ sorted: [Encoded], from start: Int) {
    var copy = ByteBuffer(capacity: bytes.count - start)
    copy.append(from: bytes, start..<bytes.count)
    bytes.truncate(to: start)
    numberArrays.drop(from: start)
    elements = ElementsFrame()
    elements.count = sorted.count
    elements.start = start
    for element in sorted {
      let slot = elementSlot(tag: element.tag)
      if slot < 0 { return }
      let range = element.range.lowerBound - start..<element.range.upperBound - start
      if element.tag.isVariable {
        bytes.append(from: copy, range)
        bytes.store(UInt32(truncatingIfNeeded: bytes.count - elements.tail), at: slot)
      } else {
        for (index, offset) in range.enumerated() {
          bytes.store(copy.load(UInt8.self, at: offset), at: slot + index)
        }
      }
    }
    finishElements()
  }
}

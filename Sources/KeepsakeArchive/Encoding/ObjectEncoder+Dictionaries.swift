// Dictionaries and sets (Spec/archive.md, 5.6 and 5.7): keys and members are first written in the order of the calls,
// and then sorted by their encoded bytes.

/// A dictionary or a set that is being written.
@usableFromInline
package struct OpenMembers: BitwiseCopyable {
  var outer: EnclosingFrames
  /// The start of the members' order in ``ObjectEncoder/order``.
  @usableFromInline var firstInOrder: Int
  /// The offset of the bytes.
  var start: Int
  /// The offset of a dictionary's values.
  var middle = 0
}

extension ObjectEncoder {
  /// Writes a dictionary: two arrays of equal length.
  @inlinable
  package mutating func encodeDictionary(
    count: Int, at place: ArchivePlace, keys: (inout ObjectEncoder) -> Void,
    value: (Int, inout ObjectEncoder) -> Void
  ) {
    guard enterDepth(at: place) else { return encodeNil(tag: .dictionary, at: place) }
    let slot = beginPayload(tag: .dictionary, at: place)
    if slot == ObjectEncoder.noSlot { return }
    if count > 0 {
      var members = beginKeys(count: count)
      keys(&self)
      beginValues(&members, at: place)
      for index in members.firstInOrder..<order.count { value(Int(order[index].index), &self) }
      endDictionary(members)
    }
    endPayload(slot: slot, at: place)
  }

  /// Writes a set: an array in strictly increasing order.
  @inlinable
  package mutating func encodeSet(
    count: Int, at place: ArchivePlace, _ encodeMembers: (inout ObjectEncoder) -> Void
  ) {
    guard enterDepth(at: place) else { return encodeNil(tag: .set, at: place) }
    let slot = beginPayload(tag: .set, at: place)
    if slot == ObjectEncoder.noSlot { return }
    if count > 0 {
      let members = beginMembers(count: count)
      encodeMembers(&self)
      endMembers(members, at: place)
    }
    endPayload(slot: slot, at: place)
  }

  @usableFromInline
  package mutating func beginMembers(count: Int) -> OpenMembers {
    let start = bytes.count
    return OpenMembers(
      outer: beginElements(count: count, slot: 0), firstInOrder: order.count, start: start)
  }

  @usableFromInline
  package mutating func endMembers(_ members: OpenMembers, at place: ArchivePlace) {
    sortMembers(members, at: place)
    leaveElements(members.outer)
    order.truncate(to: members.firstInOrder)
  }

  /// Begins the keys of a dictionary, after room for their length.
  @usableFromInline
  package mutating func beginKeys(count: Int) -> OpenMembers {
    bytes.append(0 as UInt32)
    return beginMembers(count: count)
  }

  /// Puts the keys in their order, and begins the values.
  @usableFromInline
  package mutating func beginValues(_ members: inout OpenMembers, at place: ArchivePlace) {
    let count = elements.count
    sortMembers(members, at: place)
    leaveElements(members.outer)
    members.outer = beginElements(count: count, slot: 0)
    members.middle = bytes.count
  }

  /// Completes the values, and gives its width to the length of the keys.
  @usableFromInline
  package mutating func endDictionary(_ members: OpenMembers) {
    finishElements()
    leaveElements(members.outer)
    order.truncate(to: members.firstInOrder)
    let start = members.start - StagedElements.keysLengthByteCount
    storeKeysLength(ofDictionaryAt: start, valuesAt: members.middle)
  }

  /// Stores the length of the keys of a dictionary, for which the staged width was kept.
  mutating func storeKeysLength(ofDictionaryAt start: Int, valuesAt middle: Int) {
    let keys = start + StagedElements.keysLengthByteCount
    let width = EndWidth.smallest(of: 1, besides: bytes.count - keys)
    moveBytes(from: keys, to: start + 1 << Int(width))
    bytes.store(middle - keys, width: width, at: start)
  }

  /// Sorts keys or members by their tags and bytes, and keeps the order.
  ///
  /// After an error nothing is kept.
  private mutating func sortMembers(_ members: OpenMembers, at place: ArchivePlace) {
    completeElements()
    if hasFailed { return }
    let (first, count) = (members.firstInOrder, elements.count)
    stagedMembers.truncate(to: 0)
    for index in 0..<count { stagedMembers.append(writtenElement(index)) }
    // The tag is a part of the key, so `Int` and `UInt` have 64 bits.
    var hasFlexible = false
    for index in 0..<count {
      let tag = stagedMembers[index].tag
      if tag.isFlexible {
        stagedMembers[index].tag = tag.integer(ofClass: 4)
        hasFlexible = true
      } else if !tag.isKeyable {
        return fail(
          .invalidValue, "a \(tag) cannot be a key or a member", under: place.step)
      }
    }
    for index in 0..<count {
      order.append(OrderedMember(stagedMembers[index], index: index, in: bytes))
    }
    if isStrictlySorted(first..<order.count) {
      if !hasFlexible { return compactElements() }
    } else {
      sort(first..<order.count)
      if !isStrictlySorted(first..<order.count) {
        order.truncate(to: first)
        return fail(
          .duplicateMember, "a dictionary or a set has one key or member twice", under: place.step)
      }
      if elements.tag != .any, !hasFlexible {
        reorderMembers(first..<order.count)
        return compactElements()
      }
    }
    var sorted = RawTable<StagedEntry>(capacity: count)
    for index in first..<order.count { sorted.append(stagedMembers[Int(order[index].index)]) }
    rewriteElements(sorted, 0..<count)
    finishElements()
  }

  /// Writes members of one tag again, in their order.
  private mutating func reorderMembers(_ range: Range<Int>) {
    if !elements.tag.isVariable {
      for (place, index) in range.enumerated() {
        bytes.store(
          stagedMembers[Int(order[index].index)],
          at: elements.slots + place * elements.tag.byteCount)
      }
      return
    }
    let end = bytes.count
    for (place, index) in range.enumerated() {
      let member = stagedMembers[Int(order[index].index)]
      let target = bytes.count
      bytes.appendRoom(member.byteCount)
      bytes.shift(member.start..<member.start + member.byteCount, to: target)
      bytes.store(UInt32(bytes.count - end), at: slotOfEnd(place))
    }
    bytes.shift(end..<bytes.count, to: elements.tail)
    bytes.truncate(to: end)
  }

  /// Sorts members.
  ///
  /// Two of them may be the same.
  private mutating func sort(_ range: Range<Int>) {
    // The comparison reads this encoder.
    var order = RawTable<OrderedMember>(capacity: 0)
    swap(&self.order, &order)
    order.sort(range) { followsPrefix($0, $1) }
    swap(&self.order, &order)
  }

  @inline(__always)
  private func isStrictlySorted(_ range: Range<Int>) -> Bool {
    order.isStrictlySorted(range) { followsPrefix($0, $1) }
  }

  /// Whether a key or a member comes before another of its tag whose first eight bytes are the same.
  @inline(__always)
  private func followsPrefix(_ left: UInt32, _ right: UInt32) -> Bool {
    let (left, right) = (stagedMembers[Int(left)], stagedMembers[Int(right)])
    if left.tag.isVariable {
      return bytes.precedes(
        left.start..<left.start + left.byteCount, right.start..<right.start + right.byteCount)
    }
    return left.high.byteSwapped < right.high.byteSwapped
  }
}

// Dictionaries and sets (Spec/archive.md, 5.6 and 5.7): keys and members are written first as they
// come and then in the order of their encoded bytes.

/// A dictionary or a set that is being written.
@usableFromInline
struct OpenMembers: BitwiseCopyable {
  var outer: EnclosingFrames
  /// Where the order of the members begins among those that are open.
  @usableFromInline var firstInOrder: Int
  /// Where the bytes begin.
  var start: Int
  /// Where the values begin of a dictionary.
  var middle = 0
}

extension ObjectEncoder {
  /// Writes a dictionary: two arrays of equal length.
  @inlinable
  mutating func encodeDictionary(
    count: Int, at place: ArchivePlace, keys: (inout ObjectEncoder) -> Void,
    value: (Int, inout ObjectEncoder) -> Void
  ) {
    guard enterDepth(at: place) else { return encodeNil(tag: .dictionary, at: place) }
    let slot = beginPayload(tag: .dictionary, at: place)
    if slot < 0 { return }
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
  mutating func encodeSet(
    count: Int, at place: ArchivePlace, _ encodeMembers: (inout ObjectEncoder) -> Void
  ) {
    guard enterDepth(at: place) else { return encodeNil(tag: .set, at: place) }
    let slot = beginPayload(tag: .set, at: place)
    if slot < 0 { return }
    if count > 0 {
      let members = beginMembers(count: count)
      encodeMembers(&self)
      endMembers(members, at: place)
    }
    endPayload(slot: slot, at: place)
  }

  @usableFromInline
  mutating func beginMembers(count: Int) -> OpenMembers {
    let start = bytes.count
    return OpenMembers(
      outer: beginElements(count: count, slot: 0), firstInOrder: order.count, start: start)
  }

  @usableFromInline
  mutating func endMembers(_ members: OpenMembers, at place: ArchivePlace) {
    sortMembers(members, at: place)
    leaveElements(members.outer)
    order.truncate(to: members.firstInOrder)
  }

  /// Begins the keys of a dictionary, after room for their length.
  @usableFromInline
  mutating func beginKeys(count: Int) -> OpenMembers {
    bytes.append(0 as UInt32)
    return beginMembers(count: count)
  }

  /// Puts the keys in their order, and begins the values.
  @usableFromInline
  mutating func beginValues(_ members: inout OpenMembers, at place: ArchivePlace) {
    let count = elements.count
    sortMembers(members, at: place)
    leaveElements(members.outer)
    members.outer = beginElements(count: count, slot: 0)
    members.middle = bytes.count
  }

  /// Completes the values, and gives its width to the length of the keys.
  @usableFromInline
  mutating func endDictionary(_ members: OpenMembers) {
    finishElements()
    leaveElements(members.outer)
    order.truncate(to: members.firstInOrder)
    let keys = members.start
    let start = keys - MemoryLayout<UInt32>.size
    let width = EndWidth.smallest(of: 1, besides: bytes.count - keys)
    moveBytes(from: keys, to: start + 1 << Int(width))
    bytes.store(members.middle - keys, width: width, at: start)
  }

  /// Puts keys or members in the order of their tags and bytes, and keeps that order; none after an error.
  private mutating func sortMembers(_ members: OpenMembers, at place: ArchivePlace) {
    completeElements()
    if hasFailed { return }
    let (first, count) = (members.firstInOrder, elements.count)
    stagedMembers.truncate(to: 0)
    for index in 0..<count { stagedMembers.append(writtenElement(index)) }
    // The tag is part of what a key is, so `Int` and `UInt` have 64 bits.
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
      bytes.store(UInt32(truncatingIfNeeded: bytes.count - end), at: slotOfEnd(place))
    }
    bytes.shift(end..<bytes.count, to: elements.tail)
    bytes.truncate(to: end)
  }

  private func isStrictlySorted(_ range: Range<Int>) -> Bool {
    for index in range.dropFirst() where !precedes(order[index - 1], order[index]) { return false }
    return true
  }

  /// Sorts members: each of a few is put between those before it, and sorted runs are merged.
  private mutating func sort(_ range: Range<Int>) {
    let (first, count) = (range.lowerBound, range.count)
    var length = min(count, 8)
    for start in stride(from: first, to: range.upperBound, by: length) {
      for index in start + 1..<max(min(start + length, range.upperBound), start + 1) {
        let member = order[index]
        var target = index
        while target > start, precedes(member, order[target - 1]) {
          order[target] = order[target - 1]
          target -= 1
        }
        order[target] = member
      }
    }
    if length == count { return }
    // The other half of the room comes after the members.
    for index in range { order.append(order[index]) }
    var (from, to) = (first, first + count)
    while length < count {
      for start in stride(from: 0, to: count, by: 2 * length) {
        let (middle, end) = (min(start + length, count), min(start + 2 * length, count))
        var (left, right) = (start, middle)
        for target in start..<end {
          let takesRight =
            left == middle || right < end && precedes(order[from + right], order[from + left])
          order[to + target] = order[from + (takesRight ? right : left)]
          if takesRight { right += 1 } else { left += 1 }
        }
      }
      (from, to) = (to, from)
      length *= 2
    }
    if from != first {
      for index in 0..<count { order[first + index] = order[from + index] }
    }
    order.truncate(to: range.upperBound)
  }

  /// Whether a key or a member comes before another: by the tag, then by the bytes.
  @inline(__always)
  private func precedes(_ left: OrderedMember, _ right: OrderedMember) -> Bool {
    if left.tag != right.tag { return left.tag < right.tag }
    if left.prefix != right.prefix { return left.prefix < right.prefix }
    return followsPrefix(
      stagedMembers[Int(left.index)], stagedMembers[Int(right.index)])
  }

  /// The same for two of one tag whose first eight bytes are the same.
  private func followsPrefix(_ left: StagedEntry, _ right: StagedEntry) -> Bool {
    if left.tag.isVariable {
      return bytes.precedes(
        left.start..<left.start + left.byteCount, right.start..<right.start + right.byteCount)
    }
    return left.high.byteSwapped < right.high.byteSwapped
  }
}

/// A key or a member in the order that it is going to have.
@usableFromInline
struct OrderedMember: BitwiseCopyable {
  /// The first eight bytes, the first of them the most significant one.
  var prefix: UInt64
  /// Which one it was as it was written.
  @usableFromInline var index: UInt32
  var tag: UInt8

  init(_ entry: StagedEntry, index: Int, in bytes: borrowing ByteBuffer) {
    self.index = UInt32(truncatingIfNeeded: index)
    tag = entry.tag.rawValue
    if !entry.tag.isVariable {
      prefix = entry.low.byteSwapped
    } else if entry.byteCount >= 8 {
      prefix = bytes.load(UInt64.self, at: entry.start).byteSwapped
    } else {
      prefix = 0
      for offset in 0..<entry.byteCount {
        prefix |=
          UInt64(bytes.load(UInt8.self, at: entry.start + offset)) << UInt64(56 - 8 * offset)
      }
    }
  }
}

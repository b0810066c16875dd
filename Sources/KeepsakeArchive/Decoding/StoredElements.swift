/// Where the elements of a stored array lie (Spec/archive.md, 5.5).
@usableFromInline
struct StoredElements: BitwiseCopyable {
  /// The tag that the elements share, or `any`.
  var tag: ArchiveTag
  @usableFromInline var count: Int
  /// Where the array begins.
  var start: Int
  /// Where the slots begin, or of elements with tags of their own the ends of their payloads.
  var slots: Int
  /// Where the nil bits begin, 0 when there are none.
  var nilBits: Int
  /// Where the payloads begin.
  var tail: Int
  /// Where the array ends.
  var end: Int

  /// Where the slots lie of elements that share a tag.
  var slotRange: Range<Int> { slots..<slots + count * tag.byteCount }

  /// How much to allocate before elements are shown to be what they are taken for.
  @usableFromInline var initialCapacity: Int { min(count, 1 << 16) }

  /// Opens the array that fills a range, and checks that its payloads lie one after the other and
  /// end with it: so nothing in it is contained twice, and each element may be read without a look
  /// at the others.
  init(_ view: ByteView, _ range: Range<Int>) throws(ArchiveError) {
    start = range.lowerBound
    tag = .any
    (count, slots, nilBits, tail, end) = (0, start, 0, start, start)
    if range.isEmpty { return }
    guard range.count > ArrayHead.byteCount else { throw badHeader() }
    let head = view.load(UInt32.self, at: start)
    tag = ArchiveTag(rawValue: UInt8(truncatingIfNeeded: head))
    let isNullable = head >> 8 & 0xFF == 1
    guard head >> 8 & 0xFF <= 1, tag.isWellFormed, tag.byteCount > 0 || tag == .any,
      !(isNullable && tag == .any)
    else { throw badHeader() }
    // The count is held against the bytes before anything is computed from it.
    count = Int(view.load(UInt32.self, at: start + 4))
    slots = start + ArrayHead.byteCount
    let room = range.upperBound - slots
    guard count > 0, count <= room / (tag == .any ? 5 : tag.byteCount) else {
      throw ArchiveError(
        .damaged, "an array counts more elements than it has room for", offset: start + 4)
    }
    let alignment = tag.alignment
    let before = -slots & (alignment - 1)
    guard head >> 16 == before else {
      throw ArchiveError(.damaged, "the numbers of an array are not aligned", offset: start + 2)
    }
    slots += before
    end = range.upperBound
    if tag == .any {
      slots += count
      tail = slots + count * 4
    } else {
      tail = slotRange.upperBound
      if isNullable {
        nilBits = tail
        tail += (count + 7) / 8
      }
    }
    let length =
      tag == .any || tag.isVariable
      ? try checkPayloads(view) : alignment - 1 - before
    guard tail + length == end else {
      throw ArchiveError(
        .damaged, "an array is not as long as what is in it", offset: range.lowerBound)
    }
  }

  private func badHeader() -> ArchiveError {
    ArchiveError(.damaged, "an array has no proper header", offset: start)
  }

  /// The tag of an element.
  func tag(of index: Int, _ view: ByteView) -> ArchiveTag {
    guard tag == .any else { return tag }
    return ArchiveTag(
      rawValue: view.load(
        UInt8.self, at: start + ArrayHead.byteCount + index))
  }

  /// Whether the nil bit of an element is set.
  @inline(__always)
  func isNil(_ index: Int, _ view: ByteView) -> Bool {
    if nilBits == 0 { return false }
    return view.load(UInt8.self, at: nilBits + index / 8) & 1 << UInt8(index & 7) != 0
  }

  /// Where an element lies: its payload, or its slot.
  @inline(__always)
  func range(of index: Int, _ tag: ArchiveTag, _ view: ByteView) -> Range<Int> {
    if self.tag != .any, !tag.isVariable {
      let slot = slots + index * tag.byteCount
      return slot..<slot + tag.byteCount
    }
    let place = slots + index * 4
    let first = index == 0 ? 0 : Int(view.load(UInt32.self, at: place - 4))
    let last = Int(view.load(UInt32.self, at: place))
    return tail + first..<tail + max(first, last)
  }

  /// The length of all payloads.
  private func checkPayloads(_ view: ByteView) throws(ArchiveError) -> Int {
    guard tail <= end else { throw badHeader() }
    var last = 0
    if tag != .any {
      for index in 0..<count {
        let end = Int(view.load(UInt32.self, at: slots + index * 4))
        guard end >= last else { throw misplaced(index) }
        last = end
      }
      return last
    }
    for index in 0..<count {
      let tag = tag(of: index, view)
      guard tag.isWellFormed, tag != .any else {
        throw ArchiveError(.damaged, "an element has no proper tag", offset: start)
      }
      let end = Int(view.load(UInt32.self, at: slots + index * 4))
      guard tag.isVariable ? end >= last : end == last + tag.byteCount else {
        throw misplaced(index)
      }
      last = end
    }
    return last
  }

  private func misplaced(_ index: Int) -> ArchiveError {
    ArchiveError(
      .damaged, "an element does not lie behind the one before it", offset: slots + index * 4)
  }
}

extension ArchiveError {
  @usableFromInline
  func atElement(_ index: Int) -> ArchiveError { under("[\(index)]") }
}

/// Opens sets and dictionaries, whose members and keys are in strictly increasing order of tag and
/// encoded bytes: so none is there twice (Spec/archive.md, 5.6 and 5.7).
struct SortedElements {
  private let view: ByteView

  init(_ view: ByteView) {
    self.view = view
  }

  /// The members of the set that fills a range.
  func members(_ range: Range<Int>) throws(ArchiveError) -> StoredElements {
    let members = try StoredElements(view, range)
    try checkOrder(of: members)
    return members
  }

  /// The keys and the values of the dictionary that fills a range.
  func entries(
    _ range: Range<Int>
  ) throws(ArchiveError) -> (keys: StoredElements, values: StoredElements) {
    let start = range.lowerBound
    if range.isEmpty {
      let none = try StoredElements(view, range)
      return (none, none)
    }
    guard range.count >= 4 else {
      throw ArchiveError(.damaged, "a dictionary has no proper header", offset: start)
    }
    let middle = start + 4 + Int(view.load(UInt32.self, at: start))
    guard middle <= range.upperBound else {
      throw ArchiveError(.damaged, "a dictionary is shorter than its keys", offset: start)
    }
    let keys = try StoredElements(view, start + 4..<middle)
    let values = try StoredElements(view, middle..<range.upperBound)
    guard keys.count == values.count, keys.count > 0 else {
      throw ArchiveError(
        .damaged, "a dictionary has not as many keys as values", offset: start)
    }
    try checkOrder(of: keys)
    return (keys, values)
  }

  private func checkOrder(of keys: StoredElements) throws(ArchiveError) {
    var last: (tag: ArchiveTag, range: Range<Int>)?
    for index in 0..<keys.count {
      let tag = keys.tag(of: index, view)
      guard !keys.isNil(index, view) else {
        throw ArchiveError(.damaged, "a key or a member is nil", offset: keys.start)
      }
      guard tag.isKeyable else {
        throw ArchiveError(
          tag.kind == nil ? .unsupportedFeature : .damaged,
          "a \(tag) is used as a key or a member", offset: keys.start)
      }
      let range = keys.range(of: index, tag, view)
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
}

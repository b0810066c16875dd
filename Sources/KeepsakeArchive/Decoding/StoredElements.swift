/// Where the elements of a stored array lie (Spec/archive.md, 5.5).
@usableFromInline
struct StoredElements: BitwiseCopyable {
  /// The tag that all elements share, or `any`; also that of no elements.
  var tag: ArchiveTag
  @usableFromInline var count: Int
  /// Where the payload of the array begins.
  var start: Int
  /// Where the slots of elements of a fixed width begin, or the ends of others.
  var slots: Int
  /// Where the nil bits begin, 0 when there are none.
  var nilBits = 0
  /// Where the elements begin that have ends.
  var tail: Int
  var end: Int
  /// The bytes of each end as a power of two.
  var endWidth: UInt32

  /// Where elements of a fixed width lie.
  var slotRange: Range<Int> { slots..<slots + count * tag.byteCount }

  /// Room to begin with: elements may be much larger in memory than in the archive.
  @usableFromInline var initialCapacity: Int { min(count, 1 << 16) }

  /// Whether the elements have ends: all but the last, which ends where the array does.
  private var hasEnds: Bool { tag == .any || tag.isVariable }

  /// Checks the extents of an array (Spec/archive.md, 5.5).
  init(_ view: ByteView, _ range: Range<Int>) throws(ArchiveError) {
    start = range.lowerBound
    end = range.upperBound
    tag = .any
    (count, slots, tail) = (0, start, start)
    endWidth = EndWidth.inside(range.count)
    if range.isEmpty { return }
    let form = view.load(UInt8.self, at: start)
    switch form {
    case ArrayForm.mixed: try openMixed(view)
    case ArrayForm.nullable: try openNullable(view)
    case ArrayForm.aligned: try openAligned(view)
    default:
      tag = ArchiveTag(rawValue: form)
      guard tag.isWellFormed, tag != .null else { throw badHeader() }
      if tag.isVariable {
        try openPayloads(view)
      } else {
        try openScalars(from: start + 1, to: end)
      }
    }
  }

  /// Elements of a fixed width, which fill a range.
  private mutating func openScalars(from first: Int, to last: Int) throws(ArchiveError) {
    slots = first
    guard last > first, (last - first).isMultiple(of: tag.byteCount) else {
      throw ArchiveError(
        .damaged, "an array is not as long as what is in it", offset: start)
    }
    count = (last - first) / tag.byteCount
    tail = last
  }

  /// Reads the number of elements, each of which takes a number of bits at least.
  private mutating func readCount(
    _ view: ByteView, at offset: Int, leastBitCount: Int
  ) throws(ArchiveError) {
    let first = offset + 1 << Int(endWidth)
    guard first <= end else { throw badHeader() }
    count = view.end(0, endsAt: offset, width: endWidth)
    // The count is compared with the bytes before anything is computed from it.
    guard count > 0, count <= (end - first) * 8 / leastBitCount + 1 else {
      throw ArchiveError(
        .damaged, "an array counts more elements than it has room for", offset: offset)
    }
    slots = first
  }

  private mutating func openPayloads(_ view: ByteView) throws(ArchiveError) {
    try readCount(view, at: start + 1, leastBitCount: 8 << Int(endWidth))
    tail = slots + (count - 1) << Int(endWidth)
    try checkPayloads(view)
  }

  private mutating func openMixed(_ view: ByteView) throws(ArchiveError) {
    try readCount(view, at: start + 1, leastBitCount: 8)
    slots += count
    tail = slots + (count - 1) << Int(endWidth)
    try checkPayloads(view)
  }

  private mutating func openNullable(_ view: ByteView) throws(ArchiveError) {
    guard end - start > 2 else { throw badHeader() }
    tag = ArchiveTag(rawValue: view.load(UInt8.self, at: start + 1))
    guard tag.isWellFormed, tag.isFixed else { throw badHeader() }
    try readCount(view, at: start + 2, leastBitCount: 8)
    let (number, bits) = (count, slots)
    try openScalars(from: bits + (number + 7) / 8, to: end)
    guard count == number else {
      throw ArchiveError(.damaged, "an array is not as long as what is in it", offset: start)
    }
    nilBits = bits
  }

  private mutating func openAligned(_ view: ByteView) throws(ArchiveError) {
    let head = AlignedNumbers.headByteCount
    guard end - start > head else { throw badHeader() }
    tag = ArchiveTag(rawValue: view.load(UInt8.self, at: start + 1))
    let before = Int(view.load(UInt8.self, at: start + 2))
    guard tag.isWellFormed, tag.alignment > before else { throw badHeader() }
    try openScalars(from: start + head + before, to: end - (tag.alignment - 1 - before))
  }

  private func badHeader() -> ArchiveError {
    ArchiveError(.damaged, "an array has no proper header", offset: start)
  }

  /// The tag of an element, whether it is nil or not.
  func tag(of index: Int, _ view: ByteView) -> ArchiveTag {
    guard tag == .any else { return tag }
    return ArchiveTag(rawValue: view.load(UInt8.self, at: slots - count + index))
  }

  @inline(__always)
  func isNil(_ index: Int, _ view: ByteView) -> Bool {
    if nilBits == 0 { return false }
    return view.load(UInt8.self, at: nilBits + index / 8) & 1 << UInt8(index & 7) != 0
  }

  /// Where the slot or the payload of an element lies.
  @inline(__always)
  func range(of index: Int, _ tag: ArchiveTag, _ view: ByteView) -> Range<Int> {
    if self.tag != .any, !tag.isVariable {
      let slot = slots + index * tag.byteCount
      return slot..<slot + tag.byteCount
    }
    let first = index == 0 ? tail : tail + view.end(index - 1, endsAt: slots, width: endWidth)
    let last = index + 1 == count ? end : tail + view.end(index, endsAt: slots, width: endWidth)
    return first..<max(first, last)
  }

  /// Checks that payloads lie one after the other and fill the range (Spec/archive.md, 4.4).
  private func checkPayloads(_ view: ByteView) throws(ArchiveError) {
    guard tail <= end else { throw badHeader() }
    var last = 0
    for index in 0..<count {
      let next =
        index + 1 == count ? end - tail : view.end(index, endsAt: slots, width: endWidth)
      guard next >= last, next <= end - tail else { throw misplaced(index) }
      if tag == .any {
        let tag = tag(of: index, view)
        guard tag.isWellFormed, tag != .any else {
          throw ArchiveError(.damaged, "an element has no proper tag", offset: start)
        }
        guard tag.isVariable || next - last == tag.byteCount else { throw misplaced(index) }
      }
      last = next
    }
  }

  private func misplaced(_ index: Int) -> ArchiveError {
    ArchiveError(
      .damaged, "an element does not lie behind the one before it",
      offset: slots + index << Int(endWidth))
  }

  /// Whether the numbers in the array are as narrow as they can be, and it is aligned if and only if it has
  /// to be.
  func isCanonical(_ view: ByteView) -> Bool {
    let byteCount = end - start
    if hasEnds || nilBits != 0 {
      let numbers = hasEnds ? count : 1
      let others = byteCount - numbers << Int(endWidth)
      return EndWidth.smallest(of: numbers, besides: others) == endWidth
    }
    guard view.load(UInt8.self, at: start) == ArrayForm.aligned else {
      return !AlignedNumbers.areAligned(tag, count: count)
    }
    let first = start + AlignedNumbers.headByteCount
    return AlignedNumbers.areAligned(tag, count: count)
      && slots == first + AlignedNumbers.zerosBefore(tag, at: start)
      && view.isZero(first..<slots) && view.isZero(slotRange.upperBound..<end)
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
    let width = EndWidth.inside(range.count)
    let first = start + 1 << Int(width)
    guard first <= range.upperBound else {
      throw ArchiveError(.damaged, "a dictionary has no proper header", offset: start)
    }
    let middle = first + view.end(0, endsAt: start, width: width)
    guard middle <= range.upperBound else {
      throw ArchiveError(.damaged, "a dictionary is shorter than its keys", offset: start)
    }
    let keys = try StoredElements(view, first..<middle)
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

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
    guard range.count >= 8, view.load(UInt32.self, at: start + 4) == 0 else {
      throw ArchiveError(.damaged, "a dictionary has no proper header", offset: start)
    }
    let length = Int(view.load(UInt32.self, at: start))
    let middle = start + 8 + (length + 7) & ~7
    guard middle <= range.upperBound else {
      throw ArchiveError(.damaged, "a dictionary is shorter than its keys", offset: start)
    }
    let keys = try StoredElements(view, start + 8..<start + 8 + length)
    let values = try StoredElements(view, middle..<range.upperBound)
    guard keys.count == values.count, keys.count > 0 else {
      throw ArchiveError(
        .damaged, "a dictionary has not as many keys as values", offset: start)
    }
    try checkOrder(of: keys)
    return (keys, values)
  }

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
}

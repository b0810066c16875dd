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

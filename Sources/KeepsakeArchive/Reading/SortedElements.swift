/// Opens sets and dictionaries, whose members and keys are in strictly increasing order of tag and
/// encoded bytes: so none is there twice (Spec/archive.md, 5.6 and 5.7).
package struct SortedElements {
  private let view: ByteView
  private let shapes: RawSlice<ShapeRow>

  package init(_ view: ByteView, _ shapes: RawSlice<ShapeRow>) {
    self.view = view
    self.shapes = shapes
  }

  /// The members of the set that fills a range.
  package func members(_ range: Range<Int>) throws(ArchiveError) -> StoredElements {
    let members = try StoredElements(view, shapes, range)
    try checkOrder(of: members)
    return members
  }

  /// The keys and the values of the dictionary that fills a range.
  func entries(
    _ range: Range<Int>
  ) throws(ArchiveError) -> (keys: StoredElements, values: StoredElements) {
    if range.isEmpty {
      let none = try StoredElements(view, shapes, range)
      return (none, none)
    }
    let keys = try keys(range)
    let values = try StoredElements(view, shapes, keys.end..<range.upperBound)
    guard keys.count == values.count else { throw SortedElements.differentCounts(range) }
    return (keys, values)
  }

  /// The keys of the dictionary that fills a range; the values come after them.
  package func keys(_ range: Range<Int>) throws(ArchiveError) -> StoredElements {
    let keys = try members(
      SortedElements.keys(of: range) { view.end(0, endsAt: $0, width: $1) })
    guard keys.count > 0 else { throw SortedElements.differentCounts(range) }
    return keys
  }

  /// The range of the keys of the dictionary that fills a range; a closure reads its first number.
  package static func keys(
    of range: Range<Int>, _ number: (_ offset: Int, _ width: UInt32) throws(ArchiveError) -> Int
  ) throws(ArchiveError) -> Range<Int> {
    let start = range.lowerBound
    let width = EndWidth.inside(range.count)
    let first = start + 1 << Int(width)
    guard first <= range.upperBound else {
      throw ArchiveError(.damaged, "a dictionary has no proper header", offset: start)
    }
    let middle = first + (try number(start, width))
    guard middle <= range.upperBound else {
      throw ArchiveError(.damaged, "a dictionary is shorter than its keys", offset: start)
    }
    return first..<middle
  }

  @inline(never)
  package static func differentCounts(_ range: Range<Int>) -> ArchiveError {
    ArchiveError(
      .damaged, "a dictionary has not as many keys as values", offset: range.lowerBound)
  }

  private func checkOrder(of keys: StoredElements) throws(ArchiveError) {
    var last: (tag: ArchiveTag, range: Range<Int>)?
    guard keys.nilBits == 0 else {
      throw ArchiveError(.damaged, "a key or a member can be nil", offset: keys.start)
    }
    if keys.tag == .bool { return try checkBits(of: keys) }
    for index in 0..<keys.count {
      let tag = keys.tag(of: index, view)
      guard tag.isKeyable else {
        throw ArchiveError(
          tag.kind == nil ? .unsupportedFeature : .damaged,
          "a \(tag) is used as a key or a member", offset: keys.start)
      }
      let range = keys.range(of: index, view)
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

  /// Checks truth values: 0 comes before 1, and there is no third.
  private func checkBits(of keys: StoredElements) throws(ArchiveError) {
    let bits = view.load(UInt8.self, at: keys.slots) & 3
    guard keys.count < 2 || keys.count == 2 && bits == 2 else {
      throw ArchiveError(
        .damaged, "keys or members are not in strictly increasing order", offset: keys.start)
    }
  }
}

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
      throw .damaged("the header of a dictionary is malformed", at: start)
    }
    let middle = first + (try number(start, width))
    guard middle <= range.upperBound else {
      throw .damaged("a dictionary is shorter than its keys", at: start)
    }
    return first..<middle
  }

  @inline(never)
  package static func differentCounts(_ range: Range<Int>) -> ArchiveError {
    .damaged("a dictionary has not as many keys as values", at: range.lowerBound)
  }

  private func checkOrder(of keys: StoredElements) throws(ArchiveError) {
    var last: (tag: ArchiveTag, range: Range<Int>)?
    guard keys.nilBits == 0 else { throw .damaged("a key or a member can be nil", at: keys.start) }
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
          throw .damaged(
            "keys or members are not in strictly increasing order", at: range.lowerBound)
        }
      }
      last = (tag, range)
    }
  }

  /// Checks truth values: 0 comes before 1, and there is no third.
  private func checkBits(of keys: StoredElements) throws(ArchiveError) {
    let bits = view.load(UInt8.self, at: keys.slots) & 3
    guard keys.count < 2 || keys.count == 2 && bits == 2 else {
      throw .damaged("keys or members are not in strictly increasing order", at: keys.start)
    }
  }
}

/// A dictionary that is read by keys, like a record; its keys are all strings, or all integers of one width
/// (Spec/archive.md, section 9).
package struct StoredEntries {
  private let keys: ArrayView
  private let values: ArrayView
  private let tag: ArchiveTag

  /// Opens a dictionary; nil when its keys are neither all strings nor all integers of one width.
  package init?(_ entries: (keys: ArrayView, values: ArrayView)) throws(ArchiveError) {
    (keys, values) = entries
    tag = keys.count == 0 ? .string : keys.tag(at: 0)
    // Keys are in the order of their tags.
    guard tag == .string || StoredScalar(tag, low: 0).isInteger,
      keys.count == 0 || keys.tag(at: keys.count - 1) == tag
    else { return nil }
    if tag == .string { try keys.checkTexts() }
  }

  package var count: Int { keys.count }

  /// The name of an entry: its string, or the digits of its integer.
  package func name(at index: Int) -> String {
    if tag == .string { return keys.text(at: index) ?? "" }
    let number = keys[index].scalar
    return number?.integer(as: Int128.self).map { "\($0)" }
      ?? number?.integer(as: UInt128.self).map { "\($0)" } ?? ""
  }

  /// The key of an entry as an `Int`; nil when it is a string, or does not fit.
  package func number(at index: Int) -> Int? { keys[index].scalar?.integer(as: Int.self) }

  /// The value under a string; in a dictionary with integer keys, under the integer that `name` spells, or `number`.
  ///
  /// - Complexity: In proportion to the logarithm of the number of entries.
  package func value(forKey name: String, number: Int?) -> ValueView? {
    index(of: name, number: number).map { values[$0] }
  }

  /// A nil in the same archive, for an absent value.
  package var absent: ValueView { keys.absent }

  /// The stored key that differs from a name only in its Unicode form; nil for a name in ASCII, which has one form.
  package func otherSpelling(of name: String) -> String? {
    guard tag == .string, !name.isASCII else { return nil }
    for index in 0..<count {
      if let stored = keys.text(at: index), stored == name { return stored }
    }
    return nil
  }

  private func index(of name: String, number: Int?) -> Int? {
    if tag == .string { return keys.index { keys.order(at: $0, name) } }
    guard let sought = scalar(name) ?? number.flatMap({ scalar("\($0)") }) else { return nil }
    // Stored integers are compared from their lowest byte on.
    let bytes = (sought.low.byteSwapped, sought.high.byteSwapped)
    return keys.index { index in
      guard let key = keys[index].scalar else { return 0 }
      let own = (key.low.byteSwapped, key.high.byteSwapped)
      return own == bytes ? 0 : own < bytes ? -1 : 1
    }
  }

  /// The integer that a name spells, as this dictionary stores it; nil when it spells no integer, or one that does
  /// not fit.
  private func scalar(_ name: String) -> StoredScalar? {
    func fitting<Integer: FixedWidthInteger>(_ type: Integer.Type) -> StoredScalar? {
      guard let number = Integer(name), "\(number)" == name else { return nil }
      let unused = 128 - 8 * UInt128(tag.byteCount)
      let bits = (UInt128(truncatingIfNeeded: number) << unused) >> unused
      let scalar = StoredScalar(wide: bits, tag)
      return scalar.integer(as: Integer.self) == number ? scalar : nil
    }
    return fitting(Int128.self) ?? fitting(UInt128.self)
  }
}

extension ArrayView {
  fileprivate func tag(at index: Int) -> ArchiveTag {
    elements.tag(of: index, value.view)
  }

  fileprivate func checkTexts() throws(ArchiveError) {
    for index in 0..<count {
      let range = elements.range(of: index, value.view)
      guard value.view.isUTF8(range) else { throw ArchiveError.badText(range) }
    }
  }

  /// Compares a string with a name: negative when the string is before it, 0 when equal, positive when after it.
  fileprivate func order(at index: Int, _ name: String) -> Int {
    value.view.order(elements.range(of: index, value.view), name)
  }

  /// The index of the element for which `order` returns 0; the elements are sorted by it.
  fileprivate func index(_ order: (Int) -> Int) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      let found = order(middle)
      if found == 0 { return middle }
      if found < 0 { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}

// The order of the keys of a dictionary and of the members of a set: by the tag, then by the bytes (Spec/archive.md,
// 5.6). Most of them differ in their first eight bytes.

/// A key or a member in the order that it is going to have.
@usableFromInline
struct OrderedMember: BitwiseCopyable {
  /// The first eight bytes, the first of them the most significant one.
  var prefix: UInt64
  /// The index of the member in the order in which they were written.
  @usableFromInline var index: UInt32
  var tag: UInt8

  /// A member of a collection whose members share a tag.
  init(prefix: UInt64, index: Int) {
    self.prefix = prefix
    self.index = UInt32(index)
    tag = 0
  }

  init(_ entry: StagedEntry, index: Int, in bytes: borrowing ByteBuffer) {
    self.index = UInt32(index)
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

extension RawTable<OrderedMember> {
  func isStrictlySorted(_ range: Range<Int>, followsPrefix: (UInt32, UInt32) -> Bool) -> Bool {
    for index in range.dropFirst()
    where !Self.precedes(self[index - 1], self[index], followsPrefix) {
      return false
    }
    return true
  }

  @inline(__always)
  private static func precedes(
    _ left: OrderedMember, _ right: OrderedMember, _ followsPrefix: (UInt32, UInt32) -> Bool
  ) -> Bool {
    if left.tag != right.tag { return left.tag < right.tag }
    if left.prefix != right.prefix { return left.prefix < right.prefix }
    return followsPrefix(left.index, right.index)
  }

  /// Sorts a range: short runs by insertion, and then the runs are merged.
  ///
  /// `followsPrefix` gets the indexes of two members of one tag with the same prefix, and tells whether the first comes
  /// before the second.
  mutating func sort(_ range: Range<Int>, followsPrefix: (UInt32, UInt32) -> Bool) {
    if range.count < 2 { return }
    let (first, count, total) = (range.lowerBound, range.count, self.count)
    var length = min(count, 8)
    for start in stride(from: first, to: range.upperBound, by: length) {
      for index in start + 1..<max(min(start + length, range.upperBound), start + 1) {
        let member = self[index]
        var target = index
        while target > start, Self.precedes(member, self[target - 1], followsPrefix) {
          self[target] = self[target - 1]
          target -= 1
        }
        self[target] = member
      }
    }
    if length == count { return }
    // The other half of the room comes after the members.
    for index in range { append(self[index]) }
    var (from, to) = (first, total)
    while length < count {
      for start in stride(from: 0, to: count, by: 2 * length) {
        let middle = from + min(start + length, count)
        let end = from + min(start + 2 * length, count)
        var (left, right) = (from + start, middle)
        for target in to + start..<to + (end - from) {
          if left < middle, right == end || !Self.precedes(self[right], self[left], followsPrefix) {
            self[target] = self[left]
            left &+= 1
          } else {
            self[target] = self[right]
            right &+= 1
          }
        }
      }
      (from, to) = (to, from)
      length *= 2
    }
    if from != first {
      for index in 0..<count { self[first + index] = self[from + index] }
    }
    truncate(to: total)
  }
}

/// The order of keys or members; most of them differ in their first bytes.
package enum MemberOrder {
  /// The indexes of members of one tag in their order.
  ///
  /// `prefix` returns the first eight bytes of a member, the first in the highest bits, with zeros after a shorter one.
  /// `precedes` compares members with the same prefix.
  package static func sorted(
    count: Int, prefix: (Int) -> UInt64, precedes: (_ left: Int, _ right: Int) -> Bool
  ) -> [Int] {
    var order = RawTable<OrderedMember>(capacity: 2 * count)
    for index in 0..<count { order.append(OrderedMember(prefix: prefix(index), index: index)) }
    order.sort(0..<count) { precedes(Int($0), Int($1)) }
    return (0..<count).map { Int(order[$0].index) }
  }
}

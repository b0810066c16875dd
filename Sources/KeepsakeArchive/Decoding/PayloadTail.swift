/// Walks the payloads of a record or an array, which lie one after the other behind its slots.
///
/// Each payload begins where the one before it ended, and the last one ends with its container.
/// So no two payloads overlap, nothing is contained twice, and what is decoded stays in proportion
/// to the bytes that are there (Spec/archive.md, 4.4).
struct PayloadTail {
  private let container: Range<Int>
  private var next: Int

  init(container: Range<Int>, start: Int) {
    self.container = container
    next = start
  }

  /// Checks the payload of one variable slot.
  mutating func take(_ bytes: [UInt8], slotAt offset: Int) throws(ArchiveError) {
    guard let bits = bytes.load(UInt64.self, at: offset) else {
      throw ArchiveError(.truncated, "a slot lies beyond the end", offset: offset)
    }
    if bits & 1 == 0 { return }
    let length = bits >> 32
    guard bits >> 1 & 0x7FFF_FFFF == UInt64((next - container.lowerBound) / 8),
      length <= UInt64(container.upperBound - next)
    else {
      throw ArchiveError(
        .damaged, "a payload does not lie directly behind the one before it", offset: offset)
    }
    next += (Int(length) + 7) & ~7
    guard next <= container.upperBound else {
      throw ArchiveError(.damaged, "a payload reaches out of its record", offset: offset)
    }
  }

  /// Checks that nothing is left.
  func finish() throws(ArchiveError) {
    guard next == container.upperBound else {
      throw ArchiveError(
        .damaged, "a record or an array is longer than what is in it", offset: next)
    }
  }
}

// The one way to write an array (Spec/archive.md, 5.5).
extension StoredElements {
  /// Whether the numbers in the array are as narrow as they can be, and its form is the one for such
  /// elements as far as their tag and their extents say.
  func isCanonical(_ view: ByteView, _ shapes: RawSlice<ShapeRow>) -> Bool {
    let byteCount = end - start
    if hasEnds || nilBits != 0 || areRows {
      let numbers = hasEnds ? count : 1
      let others = byteCount - numbers << Int(endWidth)
      guard EndWidth.smallest(of: numbers, besides: others) == endWidth else { return false }
    }
    if areRows { return count > 1 }
    if content >= 0 {
      let number = Int(content)
      let first = hasEnds ? slots - 1 << Int(endWidth) : slots
      return first - start - 1 == ShapeNumber.byteCount(of: number)
        && areCells == shapes.reference(number).row.isCell
    }
    if hasEnds { return tag != .array || !couldBeRows(view) }
    if tag.isBit { return true }
    if tag == .reference || tag == .conditionalReference { return isNarrowest(view) }
    if nilBits != 0 { return true }
    guard view.load(UInt8.self, at: start) == ArrayForm.aligned else {
      return !AlignedNumbers.areAligned(tag, count: count)
    }
    let first = start + AlignedNumbers.headByteCount
    return AlignedNumbers.areAligned(tag, count: count)
      && slots == first + AlignedNumbers.zerosBefore(tag, at: start)
      && view.isZero(first..<slots) && view.isZero(slotRange.upperBound..<end)
  }

  /// Whether references take as few bytes as the largest of them needs.
  private func isNarrowest(_ view: ByteView) -> Bool {
    let largest = view.largestReference(in: slotRange, width: stride).number
    return 1 << Int(EndWidth.inside(Int(largest))) == stride
  }

  /// Whether the elements are arrays of one length, of numbers side by side.
  private func couldBeRows(_ view: ByteView) -> Bool {
    if count < 2 { return false }
    let first = range(of: 0, view)
    guard 2...AlignedNumbers.leastByteCount ~= first.count else { return false }
    let tag = ArchiveTag(rawValue: view.load(UInt8.self, at: first.lowerBound))
    guard tag.isOfRows else { return false }
    for index in 1..<count {
      let other = range(of: index, view)
      guard other.count == first.count,
        view.load(UInt8.self, at: other.lowerBound) == tag.rawValue
      else { return false }
    }
    return true
  }
}

/// The head of a stored array: the kind of its elements, and the numbers that locate each element (Spec/archive.md,
/// 5.5).
@usableFromInline
package struct StoredElements: BitwiseCopyable, Sendable {
  /// The tag that all elements share, or `any`, which is also the tag of an empty array.
  @usableFromInline package var tag: ArchiveTag
  @usableFromInline package var count: Int
  /// The offset of the array's payload.
  @usableFromInline package var start: Int
  /// The offset of the elements if they are bits or have one width; otherwise the offset of their ends.
  @usableFromInline package var slots: Int
  /// The number of bytes from one element to the next when all have one width, otherwise 0.
  @usableFromInline package var stride = 0
  /// The offset of the nil bits; 0 when the array has no nil.
  @usableFromInline package var nilBits = 0
  /// The offset of elements that have ends.
  @usableFromInline package var tail: Int
  @usableFromInline package var end: Int
  /// The width of each end, as a power of two in bytes.
  @usableFromInline package var endWidth: UInt32
  /// The shape that all records have, or the tag of the numbers in rows.
  @usableFromInline package var content = StatedContent.none

  /// The range of elements of a fixed width.
  package var slotRange: Range<Int> { slots..<slots + count * stride }

  /// The number of elements to reserve memory for at first; an element may be much larger in memory than stored.
  @usableFromInline package var initialCapacity: Int { min(count, 1 << 16) }

  /// True when the elements are records, or enumerations, of one shape of a fixed width.
  @usableFromInline package var areCells: Bool { stride != 0 && content.isStated && tag != .array }

  package var areRows: Bool { stride != 0 && tag == .array }

  /// True when the elements are numbers of one width, for which any bits are valid, and no element is nil.
  package var areNumbers: Bool { stride != 0 && nilBits == 0 && tag.hasFreeBits }

  /// True when the elements have ends; the end of the last element is not stored, it is the end of the array.
  package var hasEnds: Bool { count > 0 && stride == 0 && !tag.isBit }

  /// The maximum size of an array's head in bytes; the number of bits also depends on the last byte of the array.
  package static let headByteCount = 16

  /// Checks the extents of an array (Spec/archive.md, 5.5).
  package init(
    _ view: ByteView, _ shapes: RawSlice<ShapeRow>, _ range: Range<Int>
  ) throws(ArchiveError) {
    try self.init(head: view, shapes, range)
    if !hasEnds { return }
    if tag == .any {
      try checkMixed(view)
    } else if count > 1 {
      guard let last = view.endOfPayloads(endsAt: slots, count: count - 1, width: endWidth),
        last <= end - tail
      else { throw misplaced(view) }
    }
  }

  /// Reads the head of an array.
  ///
  /// The view has at least the first ``headByteCount`` bytes, and for bits the last byte. The ends of elements are
  /// not checked: each must be checked when it is used.
  package init(
    head view: ByteView, _ shapes: RawSlice<ShapeRow>, _ range: Range<Int>
  ) throws(ArchiveError) {
    try self.init(head: view, range) { number in
      number < shapes.count ? ElementShape(shapes.reference(number).row) : nil
    }
  }

  /// Reads the head of an array; a closure knows the shapes by their numbers, and returns nil for other numbers.
  @inline(__always)
  init(
    head view: ByteView, _ range: Range<Int>, shape: (Int) -> ElementShape?
  ) throws(ArchiveError) {
    start = range.lowerBound
    end = range.upperBound
    tag = .any
    (count, slots, tail) = (0, start, start)
    endWidth = EndWidth.inside(range.count)
    if range.isEmpty { return }
    let form = ArchiveTag(rawValue: view.load(UInt8.self, at: start))
    if form.isText {
      guard form.isWellFormed else { throw badHeader() }
      tag = form
      try openPayloads(view, after: start + 1)
    } else if form.isNumber {
      tag = form
      try openScalars(from: start + 1, to: end)
    } else {
      try openOther(view, form, shape)
    }
  }

  package init(row range: Range<Int>, of tag: ArchiveTag) {
    self.tag = tag
    (start, slots, end, tail) = (
      range.lowerBound, range.lowerBound, range.upperBound, range.upperBound
    )
    stride = tag.byteCount
    count = range.count / stride
    endWidth = 0
  }

  /// Records of one shape that fill a range one after the other, and whose ends are stored elsewhere.
  ///
  /// The last record has no end. The width of each end is a power of two in bytes.
  init(
    records count: Int, ofShape shape: Int, endsAt ends: Int, width: UInt32, in range: Range<Int>
  ) {
    tag = .record
    self.count = count
    (start, slots, tail, end) = (range.lowerBound, ends, range.lowerBound, range.upperBound)
    endWidth = width
    content = StatedContent(shape: shape)
  }

  private mutating func openOther(
    _ view: ByteView, _ form: ArchiveTag, _ shape: (Int) -> ElementShape?
  ) throws(ArchiveError) {
    switch form.rawValue {
    case ArrayForm.mixed: try openMixed(view)
    case ArrayForm.nullable: try openNullable(view)
    case ArrayForm.aligned: try openAligned(view)
    case ArrayForm.rows: try openRows(view)
    case ArrayForm.unknown:
      throw ArchiveError(
        .unsupportedFeature, "an array has a form that this library does not know", offset: start)
    case ArrayForm.records:
      tag = .record
      try openCells(view, shape)
    case ArrayForm.enumerations:
      tag = .enumeration
      try openCells(view, shape)
    default:
      tag = form
      guard tag.isOfElements, tag != .null else { throw badHeader() }
      if tag.isBit { return try openBits(view) }
      if !tag.isVariable { return try openScalars(from: start + 1, to: end) }
      guard tag == .record || tag == .enumeration else {
        return try openPayloads(view, after: start + 1)
      }
      try openPayloads(view, after: try openShape(view, shape).first)
    }
  }

  /// Elements of a fixed width, which fill a range.
  private mutating func openScalars(from first: Int, to last: Int) throws(ArchiveError) {
    let byteCount = tag.byteCount
    guard last > first, (last - first) & (byteCount - 1) == 0 else { throw badLength() }
    slots = first
    stride = byteCount
    count = (last - first) / byteCount
    tail = last
    if tag.isNumber { return }
    // References have one tag in memory, whatever their stored width.
    if tag.kind == .reference { tag = .reference }
    if tag.kind == .conditionalReference { tag = .conditionalReference }
  }

  /// Opens elements that have `length` bytes each and fill a range.
  private mutating func openRows(
    from first: Int, to last: Int, of length: Int
  ) throws(ArchiveError) {
    guard last > first, (last - first).isMultiple(of: length) else { throw badLength() }
    slots = first
    stride = length
    count = (last - first) / length
    tail = last
  }

  private mutating func openBits(_ view: ByteView) throws(ArchiveError) {
    slots = start + 1
    tail = end
    // The highest bit that is set comes after the last element.
    let last = view.load(UInt8.self, at: end - 1)
    count = 8 * (end - slots) - 1 - last.leadingZeroBitCount
    guard end > slots, last != 0, count > 0 else {
      throw .damaged("the bits of an array do not say where they end", at: end - 1)
    }
  }

  /// Reads the number of the shape of all elements, and returns the shape with the offset after the number.
  private mutating func openShape(
    _ view: ByteView, _ shape: (Int) -> ElementShape?
  ) throws(ArchiveError) -> (shape: ElementShape, first: Int) {
    let (number, first) = try ShapeNumber.read(view, start + 1..<end)
    guard let shape = shape(number) else { throw OpenedRecord.badShape(start + 1..<end) }
    guard shape.isEnumeration == (tag == .enumeration) else { throw OpenedRecord.badKind(start) }
    if shape.hasReservedKey { throw OpenedRecord.badKey(start) }
    content = StatedContent(shape: number)
    return (shape, first)
  }

  private mutating func openCells(
    _ view: ByteView, _ shape: (Int) -> ElementShape?
  ) throws(ArchiveError) {
    let (shape, first) = try openShape(view, shape)
    guard let byteCount = shape.fixedByteCount else {
      throw .damaged("the shape of the elements of an array has no fixed width", at: start)
    }
    try openRows(from: first, to: end, of: byteCount)
  }

  private mutating func openRows(_ view: ByteView) throws(ArchiveError) {
    guard end - start > 2 else { throw badHeader() }
    let numbers = ArchiveTag(rawValue: view.load(UInt8.self, at: start + 1))
    guard numbers.isOfRows else { throw badHeader() }
    let first = start + 2 + 1 << Int(endWidth)
    guard first <= end else { throw badHeader() }
    let length = view.end(0, endsAt: start + 2, width: endWidth)
    guard length > 0, length * numbers.byteCount < AlignedNumbers.leastByteCount else {
      throw .damaged("the rows of an array are empty, or too long for this form", at: start + 2)
    }
    tag = .array
    content = StatedContent(numbers: numbers)
    try openRows(from: first, to: end, of: length * numbers.byteCount)
  }

  /// Reads the number of elements; each element takes at least `leastBitCount` bits.
  @inline(__always)
  private mutating func readCount(
    _ view: ByteView, at offset: Int, leastBitCount: Int
  ) throws(ArchiveError) {
    let first = offset + 1 << Int(endWidth)
    guard first <= end else { throw badHeader() }
    count = view.end(0, endsAt: offset, width: endWidth)
    // The count is compared with the bytes before anything is computed from it.
    guard count > 0, count <= (end - first) * 8 / leastBitCount + 1 else {
      throw .damaged("an array counts more elements than it has room for", at: offset)
    }
    slots = first
  }

  @inline(__always)
  private mutating func openPayloads(
    _ view: ByteView, after offset: Int
  ) throws(ArchiveError) {
    // A count that was read has room for its ends.
    try readCount(view, at: offset, leastBitCount: 8 << Int(endWidth))
    tail = slots + (count - 1) << Int(endWidth)
  }

  private mutating func openMixed(_ view: ByteView) throws(ArchiveError) {
    try readCount(view, at: start + 1, leastBitCount: 8)
    slots += count
    tail = slots + (count - 1) << Int(endWidth)
    guard tail <= end else { throw badHeader() }
  }

  private func checkMixed(_ view: ByteView) throws(ArchiveError) {
    var last = 0
    for index in 0..<count {
      let next =
        index + 1 == count ? end - tail : view.end(index, endsAt: slots, width: endWidth)
      guard next >= last, next <= end - tail else { throw misplaced(index) }
      let tag = try mixedTag(Int(tag(of: index, view).rawValue))
      guard tag.isVariable || next - last == tag.byteCount else { throw misplaced(index) }
      if tag.isBit {
        try checkTruthValue(Int(view.load(UInt8.self, at: tail + last)), at: tail + last)
      }
      last = next
    }
  }

  /// The tag of one element of a mixed array, from its byte.
  private func mixedTag(_ byte: Int) throws(ArchiveError) -> ArchiveTag {
    let tag = ArchiveTag(rawValue: UInt8(truncatingIfNeeded: byte))
    guard tag.isWellFormed, tag != .any else {
      throw .damaged("the tag of an element is malformed", at: start)
    }
    return tag
  }

  private func checkTruthValue(_ byte: Int, at offset: Int) throws(ArchiveError) {
    if byte > 1 { throw .damaged("a truth value is not stored as 0 or 1", at: offset) }
  }

  private mutating func openNullable(_ view: ByteView) throws(ArchiveError) {
    guard end - start > 2 else { throw badHeader() }
    tag = ArchiveTag(rawValue: view.load(UInt8.self, at: start + 1))
    guard tag.isOfElements, tag.isFixed, !tag.isBit else { throw badHeader() }
    try readCount(view, at: start + 2, leastBitCount: 8)
    let (number, bits) = (count, slots)
    try openScalars(from: bits + (number + 7) / 8, to: end)
    guard count == number else { throw badLength() }
    nilBits = bits
  }

  private mutating func openAligned(_ view: ByteView) throws(ArchiveError) {
    let head = AlignedNumbers.headByteCount
    guard end - start > head else { throw badHeader() }
    tag = ArchiveTag(rawValue: view.load(UInt8.self, at: start + 1))
    let before = Int(view.load(UInt8.self, at: start + 2))
    guard tag.isWellFormed, tag.alignment > before, tag.alignment > 1 else { throw badHeader() }
    try openScalars(from: start + head + before, to: end - (tag.alignment - 1 - before))
  }

  // MARK: Elements

  /// Reads a value from each element, in their order; an error names the element.
  @inlinable
  @inline(__always)
  func map<Value>(
    _ read: (Int) throws(ArchiveError) -> Value
  ) throws(ArchiveError) -> [Value] {
    var values: [Value] = []
    var next = 0
    while next < count {
      // Memory is reserved in steps: values may be much larger in memory than in the archive.
      let end = next &+ min(count &- next, 1 << 16)
      try values.append(addingCapacity: end &- next) { output throws(ArchiveError) in
        while next < end {
          do throws(ArchiveError) {
            output.append(try read(next))
          } catch {
            throw error.atElement(next)
          }
          next &+= 1
        }
      }
    }
    return values
  }

  /// The tag of an element, whether it is nil or not.
  @inline(__always)
  package func tag(of index: Int, _ view: ByteView) -> ArchiveTag {
    guard tag == .any else { return tag }
    return ArchiveTag(rawValue: view.load(UInt8.self, at: slots - count + index))
  }

  /// The mask of an element that is a bit, in its byte; 0 for other elements.
  @inline(__always)
  package func bit(of index: Int, _ tag: ArchiveTag) -> UInt8 {
    if !tag.isBit { return 0 }
    return self.tag == .any ? 1 : 1 << UInt8(index & 7)
  }

  @inline(__always)
  package func isNil(_ index: Int, _ view: ByteView) -> Bool {
    if nilBits == 0 { return false }
    return view.load(UInt8.self, at: nilBits + index / 8) & 1 << UInt8(index & 7) != 0
  }

  /// The slot of an element of a fixed width, or the byte of a bit; nil for an element that has an end.
  @inline(__always)
  private func fixedRange(of index: Int) -> Range<Int>? {
    if stride != 0 {
      let slot = slots &+ index &* stride
      return slot..<slot &+ stride
    }
    return tag.isBit ? slots + index / 8..<slots + index / 8 + 1 : nil
  }

  /// The slot or the payload of an element.
  @inline(__always)
  func range(of index: Int, _ view: ByteView) -> Range<Int> {
    if let range = fixedRange(of: index) { return range }
    let first = index == 0 ? tail : tail + view.end(index - 1, endsAt: slots, width: endWidth)
    let last = index + 1 == count ? end : tail + view.end(index, endsAt: slots, width: endWidth)
    return first..<max(first, last)
  }

  /// One element of an array whose ends were not checked; `number` reads a number, whose width is a power of two.
  package func checkedElement(
    _ index: Int, _ number: (_ offset: Int, _ width: UInt32) throws(ArchiveError) -> Int
  ) throws(ArchiveError) -> (tag: ArchiveTag, isNil: Bool, range: Range<Int>) {
    var (tag, isNil) = (tag, false)
    if tag == .any { tag = try mixedTag(try number(slots - count + index, 0)) }
    if nilBits != 0 { isNil = try number(nilBits + index / 8, 0) & 1 << (index & 7) != 0 }
    if let range = fixedRange(of: index) { return (tag, isNil, range) }
    var (first, last) = (0, end - tail)
    if index > 0 { first = try number(slots + (index - 1) << Int(endWidth), endWidth) }
    if index + 1 < count { last = try number(slots + index << Int(endWidth), endWidth) }
    guard first <= last, last <= end - tail else { throw misplaced(index) }
    let range = tail + first..<tail + last
    if self.tag == .any, !tag.isVariable {
      guard range.count == tag.byteCount else { throw misplaced(index) }
      // A truth value is a byte here.
      if tag.isBit { try checkTruthValue(number(range.lowerBound, 0), at: range.lowerBound) }
    }
    return (tag, isNil, range)
  }

  /// Opens a record of the shape that all elements share.
  @inlinable
  @inline(__always)
  func openedRecord(
    _ index: Int, _ shape: RawReference<ShapeRow>, _ view: ByteView
  ) throws(ArchiveError) -> OpenedRecord {
    if stride != 0 {
      return OpenedRecord(cell: shape, at: slots &+ index &* stride, byteCount: stride)
    }
    return try openedBody(index, shape, view)
  }

  @inline(never)
  @usableFromInline
  func openedBody(
    _ index: Int, _ shape: RawReference<ShapeRow>, _ view: ByteView
  ) throws(ArchiveError) -> OpenedRecord {
    try OpenedRecord(view, shape, range(of: index, view))
  }

  // MARK: Errors

  private func badHeader() -> ArchiveError {
    .damaged("the header of an array is malformed", at: start)
  }

  private func badLength() -> ArchiveError {
    .damaged("the length of an array does not match its elements", at: start)
  }

  /// The error for the first element that does not follow the one before it.
  @inline(never)
  private func misplaced(_ view: ByteView) -> ArchiveError {
    var last = 0
    for index in 0..<count - 1 {
      let next = view.end(index, endsAt: slots, width: endWidth)
      if next < last || next > end - tail { return misplaced(index) }
      last = next
    }
    return badLength()
  }

  private func misplaced(_ index: Int) -> ArchiveError {
    .damaged("an element does not follow the one before it", at: slots + index << Int(endWidth))
  }
}

/// The properties of a shape that the head of an array of its records depends on.
struct ElementShape {
  var isEnumeration = false
  var hasReservedKey = false
  /// The number of bytes of each record; nil when it varies.
  var fixedByteCount: Int?

  init(fixedByteCount: Int?) { self.fixedByteCount = fixedByteCount }

  init(_ shape: ShapeRow) {
    isEnumeration = shape.isEnumeration
    hasReservedKey = shape.layout.hasReservedKey
    fixedByteCount = shape.isCell ? Int(shape.layout.byteCount) : nil
  }
}

extension ArchiveError {
  @usableFromInline
  package func atElement(_ index: Int) -> ArchiveError { under("[\(index)]") }
}

// Arrays (Spec/archive.md, 5.5). The form of an array depends on the elements alone, not on their static type:
// elements that share a tag are packed, others have tags of their own. The encoder writes an array as if all elements
// had the tag of the first, and rewrites it when another tag follows.

extension ObjectEncoder {
  @usableFromInline
  package mutating func beginElements(count: Int, at place: ArchivePlace) -> EnclosingFrames {
    let slot = beginPayload(tag: .array, at: place)
    return beginElements(count: count, slot: slot)
  }

  mutating func beginElements(count: Int, slot: Int) -> EnclosingFrames {
    let outer = EnclosingFrames(frame: frame, elements: elements, slot: slot)
    frame = RecordFrame(depth: outer.frame.depth + 1)
    elements = ElementsFrame()
    let step = outer.frame.step
    elements.root =
      step == EncodingPlan.none ? outer.elements.root : Int(plan.steps[step].elementRoot)
    elements.count = count
    elements.start = bytes.count
    elements.tail = bytes.count
    checkCount(count)
    return outer
  }

  /// Writes an array without elements, which has no bytes.
  @inlinable
  mutating func encodeNoElements(at place: ArchivePlace) {
    let slot = beginPayload(tag: .array, at: place)
    endPayload(slot: slot, at: place)
  }

  @usableFromInline
  package mutating func endElements(_ outer: EnclosingFrames, at place: ArchivePlace) {
    finishElements()
    leaveElements(outer)
    endPayload(slot: outer.slot, at: place)
  }

  mutating func leaveElements(_ outer: EnclosingFrames) {
    let root = elements.root
    (frame, elements) = (outer.frame, outer.elements)
    // The elements of the next such array are expected to be like these.
    if !frame.isRecord {
      elements.root = root
    } else {
      plan.steps[frame.step].elementRoot = Int32(root)
    }
  }

  /// Completes the elements, and gives their widths to ends and counts.
  mutating func finishElements() {
    completeElements()
    if !hasFailed, canCountEnds(from: elements.tail) { compactElements() }
  }

  /// Checks that every element was written.
  mutating func completeElements() {
    if elements.index != elements.count {
      fail(
        .invalidValue,
        "an element of an array did not write exactly one value: \(elements.count) elements "
          + "wrote \(elements.index)")
      return
    }
    if elements.count > 0, elements.tag == .null { beginMixed() }
  }

  /// The offset of an element whose tag was not predicted; ``noSlot`` after an error.
  @inline(never)
  @usableFromInline
  mutating func elementSlot(tag: ArchiveTag) -> Int {
    guard elements.index < elements.count, !hasFailed else {
      elements.index += 1
      fail(.invalidValue, "an element of an array wrote more than one value")
      return ObjectEncoder.noSlot
    }
    if elements.tag == .null { beginPacked(tag) }
    if elements.tag != tag, elements.tag != .any {
      becomeMixed()
      if hasFailed { return ObjectEncoder.noSlot }
    }
    let index = elements.index
    elements.index += 1
    if elements.tag == .any { return mixedSlot(tag: tag, index: index) }
    return elements.slots + index * tag.byteCount
  }

  mutating func nilElement() {
    guard elements.index < elements.count, !hasFailed else {
      elements.index += 1
      fail(.invalidValue, "an element of an array wrote more than one value")
      return
    }
    let index = elements.index
    elements.index += 1
    // Before the first tag it is enough to count.
    if elements.tag == .null { return }
    if elements.tag.isVariable || elements.tag.isBit {
      elements.index = index
      becomeMixed()
      elements.index = index + 1
      if hasFailed { return }
    }
    if elements.tag == .any {
      bytes.store(elementEnd, at: slotOfEnd(index))
      return
    }
    markNil(index)
  }

  /// Begins elements that share a tag, after nils that came before the first of them.
  private mutating func beginPacked(_ tag: ArchiveTag) {
    if tag.isVariable || tag.isBit, elements.index > 0 { return beginMixed() }
    elements.tag = tag
    let count = elements.count
    if tag.isVariable {
      bytes.appendZeros(StagedElements.headByteCount + count * StagedElements.endByteCount)
      elements.slots = elements.start + StagedElements.headByteCount
    } else {
      elements.slots = appendArray(of: tag, count: count) { bytes in
        bytes.appendZeros(count * tag.byteCount)
      }
    }
    elements.tail = bytes.count
    for index in 0..<elements.index { markNil(index) }
  }

  /// Sets a nil bit; the first one makes room for all, after the slots.
  private mutating func markNil(_ index: Int) {
    if elements.nilBits == ElementsFrame.noNilBits {
      elements.nilBits = elements.slots + elements.count * elements.tag.byteCount
      let length = (elements.count + 7) / 8
      moveBytes(from: elements.nilBits, to: elements.nilBits + length)
      elements.tail += length
    }
    bytes.setBits(1 << UInt8(index & 7), at: elements.nilBits + index / 8)
  }

  /// Begins an array whose elements carry tags.
  private mutating func beginMixed() {
    elements.tag = .any
    bytes.appendZeros(StagedElements.headByteCount + elements.count)
    elements.slots = bytes.count
    bytes.appendZeros(elements.count * StagedElements.endByteCount)
    elements.tail = bytes.count
  }

  @inline(__always)
  func slotOfEnd(_ index: Int) -> Int {
    elements.slots + index * StagedElements.endByteCount
  }

  private mutating func mixedSlot(tag: ArchiveTag, index: Int) -> Int {
    bytes.store(tag.rawValue, at: elements.start + StagedElements.headByteCount + index)
    if tag.isVariable { return slotOfEnd(index) }
    // A fixed value is stored among the payloads.
    let offset = bytes.count
    bytes.appendZeros(tag.byteCount)
    bytes.store(elementEnd, at: slotOfEnd(index))
    return offset
  }

  /// Writes the elements so far again, each with its tag.
  private mutating func becomeMixed() {
    guard canCountEnds(from: elements.tail) else { return }
    let written = writtenElements(elements.index)
    rewriteElements(written, 0..<written.count, withTags: true)
  }

  /// The first elements of the array that is being written or was written last.
  mutating func writtenElements(_ count: Int) -> RawTable<StagedEntry> {
    var written = RawTable<StagedEntry>(capacity: count)
    for index in 0..<count { written.append(writtenElement(index)) }
    return written
  }

  mutating func writtenElement(_ index: Int) -> StagedEntry {
    var tag = elements.tag
    if tag == .any {
      tag = ArchiveTag(
        rawValue: bytes.load(UInt8.self, at: elements.start + StagedElements.headByteCount + index))
      if tag == .null { return .null }
    } else {
      if elements.nilBits != ElementsFrame.noNilBits,
        bytes.load(UInt8.self, at: elements.nilBits + index / 8) & 1 << UInt8(index & 7) != 0
      {
        return .null
      }
      if !tag.isVariable { return bytes.entry(tag, at: elements.slots + index * tag.byteCount) }
    }
    if elements.width != ElementsFrame.varyingWidth {
      let start = elements.slots + index * elements.width
      return .body(tag, start..<start + elements.width, shape: elements.shape)
    }
    let start = index == 0 ? 0 : Int(bytes.load(UInt32.self, at: slotOfEnd(index - 1)))
    let end = Int(bytes.load(UInt32.self, at: slotOfEnd(index)))
    let payload = elements.tail + start..<elements.tail + end
    return tag.isVariable
      ? .body(tag, payload, shape: elements.shape) : bytes.entry(tag, at: payload.lowerBound)
  }

  /// Writes elements as the first ones of the open array, in another order or with tags of their own.
  ///
  /// Their payloads are stored anywhere after the start of the array.
  mutating func rewriteElements(
    _ written: borrowing RawTable<StagedEntry>, _ range: Range<Int>, withTags: Bool = false
  ) {
    let start = elements.start
    var copy = ByteBuffer(capacity: bytes.count - start)
    copy.append(from: bytes, start..<bytes.count)
    let taken = numberArrays.take(from: start)
    defer { numberArrays.end(taken) }
    bytes.truncate(to: start)
    let (count, root) = (elements.count, elements.root)
    elements = ElementsFrame()
    (elements.count, elements.start, elements.tail) = (count, start, start)
    elements.root = root
    if withTags { beginMixed() }
    for index in range {
      let entry = written[index]
      if entry.tag == .null {
        nilElement()
        continue
      }
      let slot = elementSlot(tag: entry.tag)
      if slot == ObjectEncoder.noSlot { return }
      if entry.tag.isVariable {
        let piece = entry.start..<entry.start + entry.byteCount
        if !entry.shape.isNone { bytes.append(shapeNumber: entry.shape.number) }
        numberArrays.put(taken, in: piece, at: bytes.count)
        bytes.append(from: copy, piece.lowerBound - start..<piece.upperBound - start)
        bytes.store(elementEnd, at: slot)
      } else {
        bytes.store(entry, at: slot)
      }
    }
  }

  mutating func encodeTexts(_ texts: [String], at place: ArchivePlace) {
    let slot = beginPayload(tag: .array, at: place)
    if slot == ObjectEncoder.noSlot { return }
    append(texts: texts)
    endPayload(slot: slot, at: place)
  }

  /// Appends strings as the payload of an array, which has no bytes when it is empty.
  ///
  /// Their length gives the width of their ends before the first of them is written, so that nothing is staged and
  /// moved.
  mutating func append(texts: [String]) {
    if texts.isEmpty { return }
    checkCount(texts.count)
    var byteCount = 0
    for text in texts { byteCount &+= text.utf8.count }
    let width = EndWidth.smallest(of: texts.count, besides: 1 &+ byteCount)
    bytes.append(ArchiveTag.string.rawValue)
    bytes.append(number: texts.count, width: width)
    var end = bytes.count
    bytes.appendRoom((texts.count &- 1) << Int(width))
    let tail = bytes.count
    for text in texts {
      bytes.append(utf8: text)
      // The last ends where the array does.
      if end == tail { continue }
      bytes.store(bytes.count &- tail, width: width, at: end)
      end &+= 1 << Int(width)
    }
  }

  @inline(__always)
  @usableFromInline
  mutating func encodeScalars<Scalar: BitwiseCopyable>(
    _ scalars: [Scalar], tag: ArchiveTag, at place: ArchivePlace
  ) {
    let slot = beginPayload(tag: .array, at: place)
    if slot == ObjectEncoder.noSlot { return }
    let byteCount = scalars.count &* MemoryLayout<Scalar>.stride
    if 0 < byteCount, byteCount < AlignedNumbers.leastByteCount, !tag.isBit {
      // Numbers that are not aligned follow their tag.
      bytes.append(scalars: scalars, after: tag.rawValue)
    } else {
      expectPayload(byteCount: byteCount, at: place)
      append(array: scalars, of: tag)
    }
    endPayload(slot: slot, at: place)
  }

  /// Appends packed scalars of one tag as the payload of an array, which has no bytes when it is empty.
  mutating func append<Scalar: BitwiseCopyable>(array scalars: [Scalar], of tag: ArchiveTag) {
    if scalars.isEmpty { return }
    bytes.reserve(
      AlignedNumbers.headByteCount + scalars.count * MemoryLayout<Scalar>.stride + tag.alignment - 1
    )
    let slots = appendArray(of: tag, count: scalars.count) { bytes in
      bytes.append(scalars: scalars)
    }
    if tag.isBit { bytes.packBits(scalars.count, at: slots) }
  }

  /// Appends an array whose elements share a tag, without nils; returns the offset of the slots that a closure appends.
  @discardableResult
  mutating func appendArray(
    of tag: ArchiveTag, count: Int, _ appendSlots: (inout ByteBuffer) -> Void
  ) -> Int {
    checkCount(count)
    guard AlignedNumbers.areAligned(tag, count: count) else {
      bytes.append(tag.rawValue)
      let slots = bytes.count
      appendSlots(&bytes)
      return slots
    }
    let before = AlignedNumbers.zerosBefore(tag, at: bytes.count)
    numberArrays.append(bytes.count, byteCount: count * tag.byteCount)
    bytes.append(ArrayForm.aligned)
    bytes.append(tag.rawValue)
    bytes.append(UInt8(before))
    bytes.appendZeros(before)
    let slots = bytes.count
    appendSlots(&bytes)
    bytes.appendZeros(tag.alignment - 1 - before)
    return slots
  }

  package mutating func encodeNumbers(
    _ view: ByteView, _ range: Range<Int>, tag: ArchiveTag, count: Int, at place: ArchivePlace
  ) {
    let slot = beginPayload(tag: .array, at: place)
    if slot == ObjectEncoder.noSlot { return }
    // The zero bytes around the numbers depend on their offset, so they are not copied.
    appendArray(of: tag, count: count) { bytes in bytes.append(from: view, range) }
    endPayload(slot: slot, at: place)
  }

  /// Moves everything from an offset on, with the arrays of numbers in it.
  mutating func moveBytes(from offset: Int, to target: Int) {
    if !numberArrays.isEmpty { numberArrays.move(from: offset, by: target - offset) }
    bytes.move(from: offset, to: target)
  }

  /// Keeps an error when an array has more elements than can be counted.
  mutating func checkCount(_ count: Int) {
    guard count > UInt32.max else { return }
    var error = ArchiveError(
      .limitExceeded,
      "an array has \(count) elements, and the format has no room for more than \(UInt32.max)")
    error.remedy = "No limit can be raised for it: split the array."
    fail(error)
  }
}

// The forms of arrays (Spec/archive.md, 5.5), which the encoder chooses when all elements are staged.

extension ObjectEncoder {
  /// Brings staged elements into the form of the archive.
  mutating func compactElements() {
    let (tag, count) = (elements.tag, elements.count)
    if count == 0 { return }
    if elements.nilBits != ElementsFrame.noNilBits { return compactNullable() }
    if tag == .any, resolveIntegers() { return compactElements() }
    switch tag {
    case .record, .enumeration: compactBodies()
    case .array:
      let length = rowExtent()
      if length == 0 || !packRows(count, of: length, from: elements.tail, at: elements.start) {
        compactPayloads()
      }
    case .reference, .conditionalReference: narrowReferences()
    case .int, .uint: narrowIntegers()
    default:
      if tag == .any || tag.isVariable {
        compactPayloads()
      } else if tag.isBit {
        bytes.packBits(count, at: elements.slots)
      }
    }
  }

  /// Gives their widths to the count and the ends of payloads; tags of single elements are stored before the ends.
  private mutating func compactPayloads() {
    let (start, count) = (elements.start, elements.count)
    let tags = elements.tag == .any ? count : 0
    let width = EndWidth.smallest(of: count, besides: 1 + tags + bytes.count - elements.tail)
    let first = start + 1 + 1 << Int(width)
    bytes.store(elements.tag.rawValue, at: start)
    bytes.store(count, width: width, at: start + 1)
    let staged = start + StagedElements.headByteCount
    if tags > 0 { bytes.shift(staged..<staged + tags, to: first) }
    compactEnds(at: first + tags, width: width)
  }

  /// Stores the shape of all records in front of them, unless they are cells.
  private mutating func compactBodies() {
    // Cells are in their places already.
    if elements.width != ElementsFrame.varyingWidth { return }
    let (start, shape) = (elements.start, elements.shape.number)
    let number = ShapeNumber.byteCount(of: shape)
    let width = EndWidth.smallest(
      of: elements.count, besides: 1 + number + bytes.count - elements.tail)
    bytes.store(elements.tag.rawValue, at: start)
    let count = start + 1 + number
    bytes.store(shapeNumber: shape, at: start + 1)
    bytes.store(elements.count, width: width, at: count)
    compactEnds(at: count + 1 << Int(width), width: width)
  }

  /// Moves the ends of elements, and the elements after them, to their places.
  private mutating func compactEnds(at ends: Int, width: UInt32) {
    // The ends move towards the front, so each is read before it is overwritten.
    for index in 0..<elements.count - 1 {
      let end = Int(bytes.load(UInt32.self, at: slotOfEnd(index)))
      bytes.store(end, width: width, at: ends + index << Int(width))
    }
    moveBytes(from: elements.tail, to: ends + (elements.count - 1) << Int(width))
  }

  /// Stores the nil bits before elements of fixed width.
  private mutating func compactNullable() {
    let (start, count) = (elements.start, elements.count)
    let bits = bytes.view.copy(elements.nilBits..<elements.nilBits + (count + 7) / 8)
    let (tag, length) = narrowedReferences()
    let slots = elements.slots..<elements.slots + count * length
    numberArrays.drop(from: start)
    let width = EndWidth.smallest(of: 1, besides: 2 + bits.count + slots.count)
    let first = start + 2 + 1 << Int(width)
    bytes.appendZeros(StagedElements.headByteCount)
    bytes.shift(slots, to: first + bits.count)
    bytes.store(ArrayForm.nullable, at: start)
    bytes.store(tag.rawValue, at: start + 1)
    bytes.store(count, width: width, at: start + 2)
    for (index, byte) in bits.enumerated() { bytes.store(byte, at: first + index) }
    bytes.truncate(to: first + bits.count + slots.count)
  }

  /// Gives references the bytes that the largest of them needs.
  private mutating func narrowReferences() {
    let (tag, length) = narrowedReferences()
    bytes.store(tag.rawValue, at: elements.start)
    bytes.truncate(to: elements.slots + elements.count * length)
  }

  /// Moves references together, and returns their tag and the bytes of each; other elements stay.
  private mutating func narrowedReferences() -> (tag: ArchiveTag, byteCount: Int) {
    let (tag, slots) = (elements.tag, elements.slots)
    if tag.isFlexible { return narrowedIntegers() }
    guard tag.isReference else { return (tag, tag.byteCount) }
    var largest: UInt32 = 0
    for index in 0..<elements.count {
      largest = max(largest, bytes.load(UInt32.self, at: slots + index * 4))
    }
    let width = EndWidth.inside(Int(largest))
    if width == 2 { return (tag, 4) }
    for index in 0..<elements.count {
      let number = Int(bytes.load(UInt32.self, at: slots + index * 4))
      bytes.store(number, width: width, at: slots + index << Int(width))
    }
    return (ArchiveTag(rawValue: tag.rawValue & ~7 | UInt8(width + 1)), 1 << Int(width))
  }

  // MARK: Payloads that follow each other

  /// Takes staged payloads over as the elements of the open array, which follow each other after room for its head.
  mutating func takePayloads(_ staged: borrowing RawTable<StagedEntry>, _ range: Range<Int>) {
    let first = staged[range.lowerBound]
    let payloads = elements.start + StagedElements.headByteCount
    elements.tag = first.tag
    elements.shape = first.shape
    elements.index = range.count
    if first.inlineRecord != StepSignature.noInlineRecord {
      elements.slots = elements.start + 1 + first.numberByteCount
      elements.tail = elements.slots
      elements.width = first.byteCount
      moveBytes(from: payloads, to: elements.slots)
      storeHeadOfCells()
      return
    }
    elements.slots = payloads
    elements.tail = payloads + range.count * StagedElements.endByteCount
    moveBytes(from: payloads, to: elements.tail)
    for (position, index) in range.enumerated() {
      let end = staged[index].start + staged[index].byteCount - payloads
      bytes.store(EndWidth.cut(end), at: slotOfEnd(position))
    }
  }

  /// Stores the form and the shape in front of cells.
  private mutating func storeHeadOfCells() {
    bytes.store(ArrayForm.cells(of: elements.tag), at: elements.start)
    bytes.store(shapeNumber: elements.shape.number, at: elements.start + 1)
  }

  /// The bytes of each element when the elements are arrays of one length, else 0.
  private mutating func rowExtent() -> Int {
    let length = bytes.load(UInt32.self, at: slotOfEnd(0))
    var end = length
    for index in 1..<elements.count {
      end &+= length
      if bytes.load(UInt32.self, at: slotOfEnd(index)) != end { return 0 }
    }
    return Int(length)
  }

  /// Makes rows of arrays of one length that are numbers of one tag; false for other arrays.
  ///
  /// The arrays follow each other from an offset on, after room for the head of the array.
  private mutating func packRows(
    _ count: Int, of extent: Int, from first: Int, at start: Int
  ) -> Bool {
    guard count > 1, 2...AlignedNumbers.leastByteCount ~= extent else { return false }
    let tag = ArchiveTag(rawValue: bytes.load(UInt8.self, at: first))
    guard tag.isOfRows, bytes.hasByte(tag.rawValue, atEach: extent, count, from: first) else {
      return false
    }
    let length = extent - 1
    let width = EndWidth.smallest(of: 1, besides: 2 + count * length)
    bytes.store(ArrayForm.rows, at: start)
    bytes.store(tag.rawValue, at: start + 1)
    bytes.store(length / tag.byteCount, width: width, at: start + 2)
    let target = start + 2 + 1 << Int(width)
    bytes.gather(count, of: length, atEach: extent, from: first + 1, to: target)
    bytes.truncate(to: target + count * length)
    return true
  }
}

// Records among elements. Their shape is stored once as long as all have the same.

extension ObjectEncoder {
  @inlinable
  @inline(__always)
  mutating func beginBodyElement(tag: ArchiveTag) {
    if elements.tag == tag, elements.index < elements.count {
      elements.index &+= 1
    } else {
      beginOtherBodyElement(tag: tag)
    }
  }

  @inline(never)
  @usableFromInline
  mutating func beginOtherBodyElement(tag: ArchiveTag) {
    if elements.tag == .null, elements.index == 0, elements.count > 0 {
      // Room for the form, and for the number of a shape below 254.
      elements.tag = tag
      elements.index = 1
      bytes.appendRoom(2)
    } else if elementSlot(tag: tag) != ObjectEncoder.noSlot {
      bytes.appendRoom(1)
    }
  }

  /// Ends a record that is an element; it ends at a step of the plan.
  @inlinable
  @inline(__always)
  mutating func endBodyElement(_ last: Int, at start: Int, tag: ArchiveTag) {
    let shape = plan.steps[last].shape
    guard !shape.isNone, shape == elements.shape else {
      return endOtherBodyElement(last, at: start, tag: tag)
    }
    if elements.width == ElementsFrame.varyingWidth {
      let slot = elements.slots &+ (elements.index &- 1) &* MemoryLayout<UInt32>.size
      bytes.store(elementEnd, at: slot)
    }
  }

  @inline(never)
  @usableFromInline
  mutating func endOtherBodyElement(_ last: Int, at start: Int, tag: ArchiveTag) {
    let shape = plan.steps[last].shape
    if shape.isNone || hasFailed { return }
    let index = elements.index - 1
    if elements.tag == .any {
      store(shapeOf: last, before: start)
      bytes.store(elementEnd, at: slotOfEnd(index))
    } else if index == 0 {
      beginBodies(last, at: start)
    } else {
      // Another shape than those before.
      guard canCountEnds(from: elements.tail) else { return }
      var written = writtenElements(index)
      written.append(.body(tag, start..<bytes.count, shape: shape))
      rewriteElements(written, 0..<written.count, withTags: true)
    }
  }

  /// Begins an array of records that are like the first one, which is there.
  private mutating func beginBodies(_ last: Int, at start: Int) {
    let shape = plan.steps[last].shape
    elements.shape = shape
    if plan.steps[last].isCell {
      elements.slots = elements.start + 1 + ShapeNumber.byteCount(of: shape.number)
      if elements.slots != start { moveBytes(from: start, to: elements.slots) }
      storeHeadOfCells()
      elements.width = Int(plan.steps[last].byteCount)
      // The other records are announced, but not written yet.
      bytes.reserve(min((elements.count - 1) * elements.width, 1 << 20))
    } else {
      elements.slots = elements.start + StagedElements.headByteCount
      elements.tail = elements.slots + elements.count * StagedElements.endByteCount
      moveBytes(from: start, to: elements.tail)
      bytes.store(elementEnd, at: slotOfEnd(0))
    }
  }
}

// Arrays (Spec/archive.md, 5.5). The form of an array depends on the elements alone, not on their static type:
// elements that share a tag are packed, others have tags of their own. The encoder writes an array as if all elements
// had the tag of the first, and writes it anew when another tag follows.

extension ObjectEncoder {
  /// Begins an array.
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

  /// Ends an array.
  @usableFromInline
  package mutating func endElements(_ outer: EnclosingFrames, at place: ArchivePlace) {
    finishElements()
    leaveElements(outer)
    endPayload(slot: outer.slot, at: place)
  }

  /// Goes back to the record or the array around an array.
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

  /// A nil among the elements.
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

  /// Writes staged values of fixed width, or nils, as the elements of the open array.
  mutating func encodeScalars(_ staged: borrowing RawTable<StagedEntry>, _ range: Range<Int>) {
    for index in range {
      let entry = staged[index]
      if entry.tag == .null {
        nilElement()
        continue
      }
      let slot = elementSlot(tag: entry.tag)
      if slot == ObjectEncoder.noSlot { return }
      bytes.store(entry, at: slot)
    }
  }

  /// Writes strings as an array.
  mutating func encodeTexts(_ texts: [String], at place: ArchivePlace) {
    let slot = beginPayload(tag: .array, at: place)
    if slot == ObjectEncoder.noSlot { return }
    append(texts: texts)
    endPayload(slot: slot, at: place)
  }

  /// Appends strings as the payload of an array.
  ///
  /// An empty array has no bytes.
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

  /// Writes packed scalars of one tag as an array.
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

  /// Appends packed scalars of one tag as the payload of an array.
  ///
  /// An empty array has no bytes.
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

  /// Appends an array whose elements share a tag, without nils.
  ///
  /// The closure appends the slots.
  ///
  /// - Returns: The offset of the slots.
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

  /// Writes an array of numbers of an archive that is read.
  package mutating func encodeNumbers(
    _ view: ByteView, _ elements: StoredElements, at place: ArchivePlace
  ) {
    let slot = beginPayload(tag: .array, at: place)
    if slot == ObjectEncoder.noSlot { return }
    // The zero bytes around the numbers depend on their offset, so they are not copied.
    appendArray(of: elements.tag, count: elements.count) { bytes in
      bytes.append(from: view, elements.slotRange)
    }
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

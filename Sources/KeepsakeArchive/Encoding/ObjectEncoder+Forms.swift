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

  /// Gives their widths to the count and the ends of payloads.
  ///
  /// Tags of single elements are stored before the ends.
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
    let bits = bytes.copy(from: elements.nilBits).prefix((count + 7) / 8)
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

  /// Moves references together; other elements stay.
  ///
  /// - Returns: The tag of the elements and the bytes of each.
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

  /// Takes staged payloads over as the elements of the open array.
  ///
  /// They follow each other after room for its head.
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
  /// Begins a record that is the next element.
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

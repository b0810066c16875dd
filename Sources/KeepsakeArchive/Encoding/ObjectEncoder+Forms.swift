// The forms of arrays (Spec/archive.md, 5.5): what elements become that were staged, once all are known.

extension ObjectEncoder {
  /// Brings elements that were staged into the form that the archive has for them.
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

  /// Gives their widths to the count and the ends of payloads; before the ends come tags, if each has one.
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

  /// Puts the shape of all in front of records that have ends.
  private mutating func compactBodies() {
    // Cells lie where they belong.
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

  /// Moves the ends of elements to where they belong, and the elements after them.
  private mutating func compactEnds(at ends: Int, width: UInt32) {
    // The ends move towards the front, so none is written over before it is read.
    for index in 0..<elements.count - 1 {
      let end = Int(bytes.load(UInt32.self, at: slotOfEnd(index)))
      bytes.store(end, width: width, at: ends + index << Int(width))
    }
    moveBytes(from: elements.tail, to: ends + (elements.count - 1) << Int(width))
  }

  /// Puts the nil bits before elements of a fixed width.
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

  /// References take as few bytes as the largest of them needs.
  private mutating func narrowReferences() {
    let (tag, length) = narrowedReferences()
    bytes.store(tag.rawValue, at: elements.start)
    bytes.truncate(to: elements.slots + elements.count * length)
  }

  /// Moves references together; returns the tag and the bytes of each, also of elements that are none.
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

  // MARK: Payloads and bodies that lie side by side

  /// Makes an array of payloads that lie one after the other, after room for the head of the array.
  mutating func endArray(
    of tag: ArchiveTag, payloads: borrowing RawTable<StagedEntry>, _ range: Range<Int>,
    at start: Int
  ) {
    checkCount(range.count)
    if tag == .array {
      let length = payloads[range.lowerBound].byteCount
      if range.allSatisfy({ payloads[$0].byteCount == length }),
        packRows(
          range.count, of: length, from: payloads[range.lowerBound].start, at: start)
      {
        return
      }
    }
    let shape = payloads[range.lowerBound].shape
    let number = payloads[range.lowerBound].numberByteCount
    let staged = start + StagedElements.headByteCount
    let width = EndWidth.smallest(of: range.count, besides: 1 + number + bytes.count - staged)
    let count = start + 1 + number
    let ends = count + 1 << Int(width)
    moveBytes(from: staged, to: ends + (range.count - 1) << Int(width))
    bytes.store(tag.rawValue, at: start)
    if !shape.isNone { bytes.store(shapeNumber: shape.number, at: start + 1) }
    bytes.store(range.count, width: width, at: count)
    for (position, index) in range.dropLast().enumerated() {
      let end = payloads[index].start + payloads[index].byteCount - staged
      bytes.store(end, width: width, at: ends + position << Int(width))
    }
  }

  /// Makes an array of cells of one shape that lie one after the other, after room for the head.
  mutating func endCells(shape: Int, tag: ArchiveTag, at start: Int) {
    let first = start + 1 + ShapeNumber.byteCount(of: shape)
    moveBytes(from: start + StagedElements.headByteCount, to: first)
    bytes.store(ArrayForm.cells(of: tag), at: start)
    bytes.store(shapeNumber: shape, at: start + 1)
  }

  /// How many bytes each of the elements has, which are arrays; 0 if they differ.
  private mutating func rowExtent() -> Int {
    let length = bytes.load(UInt32.self, at: slotOfEnd(0))
    var end = length
    for index in 1..<elements.count {
      end &+= length
      if bytes.load(UInt32.self, at: slotOfEnd(index)) != end { return 0 }
    }
    return Int(length)
  }

  /// Makes rows of arrays that are numbers of one tag; false for others.
  ///
  /// The arrays have one length and lie one after the other from an offset on, somewhere after what an
  /// array begins with.
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

// Records among elements, whose shape is said once as long as all have one.

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
    } else if elementSlot(tag: tag) >= 0 {
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
      bytes.store(ArrayForm.cells(of: elements.tag), at: elements.start)
      bytes.store(shapeNumber: shape.number, at: elements.start + 1)
      elements.width = Int(plan.steps[last].byteCount)
      // So many records more are promised, but not there yet.
      bytes.reserve(min((elements.count - 1) * elements.width, 1 << 20))
    } else {
      elements.slots = elements.start + StagedElements.headByteCount
      elements.tail = elements.slots + elements.count * StagedElements.endByteCount
      moveBytes(from: start, to: elements.tail)
      bytes.store(elementEnd, at: slotOfEnd(0))
    }
  }
}

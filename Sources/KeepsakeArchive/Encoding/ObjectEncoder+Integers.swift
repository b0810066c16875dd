// `Int` and `UInt`, whose width depends on the values (Spec/archive.md, 5.1). All in the slots of a record have 32 bits
// if each fits, else 64. All in an array have the narrowest width that holds each.

extension ObjectEncoder {
  /// Writes an `Int`, or the bits of a `UInt`.
  @inlinable
  @inline(__always)
  mutating func encodeInteger(_ value: Int64, tag: ArchiveTag, at place: ArchivePlace) {
    switch place.target {
    case .key(let key):
      let isNarrow =
        tag == .int
        ? Int64(Int32(truncatingIfNeeded: value)) == value : UInt64(bitPattern: value) < 1 << 32
      if isNarrow, !frame.isWide {
        let slot = slot(
          of: key, tag: tag.integer(ofClass: 3), flags: place.flags, isFlexible: true)
        bytes.store(Int32(truncatingIfNeeded: value), at: slot)
      } else {
        encodeWide(value, isNarrow: isNarrow, tag: tag, key, flags: place.flags)
      }
    case .element: encodeFixedElement(value, tag: tag)
    }
  }

  @inlinable
  mutating func encodeWide(
    _ value: Int64, isNarrow: Bool, tag: ArchiveTag, _ key: ArchiveKey, flags: NilFlags
  ) {
    if !frame.isWide { setWide(true) }
    frame.scopeAndDepth |= isNarrow ? RecordFrame.unneeded : RecordFrame.needed
    let slot = slot(
      of: key, tag: tag.integer(ofClass: 4), flags: flags, isFlexible: true)
    bytes.store(value, at: slot)
  }

  /// Gives 64 bits, or 32, to the integers that the open record has so far.
  @inline(never)
  @usableFromInline
  mutating func setWide(_ isWide: Bool) {
    if !frame.isRecord || hasFailed { return }
    if frame.isInSlot { moveOutOfSlot() }
    plan.roots[plan.root(of: frame.step)].isWide = isWide
    frame.scopeAndDepth &= ~(RecordFrame.wide | RecordFrame.needed | RecordFrame.unneeded)
    if isWide { frame.scopeAndDepth |= RecordFrame.wide }
    var hasFlexible = false
    for step in plan.steps(to: frame.step) where plan.steps[step].signature.isFlexible {
      hasFlexible = true
    }
    if !hasFlexible { return }
    layOutAgain { $0.integer(isWide: isWide) }
    if isWide { frame.scopeAndDepth |= RecordFrame.unneeded }
  }

  /// Writes the open record so far again, with other signatures.
  mutating func layOutAgain(_ change: (StepSignature) -> StepSignature) {
    let (start, tail) = (frame.start, frame.tail)
    if hasFailed || !canCountEnds(from: tail) { return }
    let old = plan.steps(to: frame.step)
    var last = plan.firstStep(of: frame.step)
    var new: [Int] = []
    for step in old {
      let signature = change(plan.steps[step].signature)
      guard let next = plan.advance(from: last, key: plan.keys[step], signature: signature)
      else { return failWordCount() }
      new.append(next)
      last = next
    }
    var copy = ByteBuffer(capacity: bytes.count - start)
    copy.append(from: bytes, start..<bytes.count)
    let firstEnd = ends.count - Int(plan.steps[frame.step].variableCount)
    var oldEnds: [Int] = []
    for index in firstEnd..<ends.count { oldEnds.append(Int(ends[index])) }
    ends.truncate(to: firstEnd)
    let taken = numberArrays.take(from: start)
    defer { numberArrays.end(taken) }
    bytes.truncate(to: start)
    frame.take(last, next: plan.steps[last].predicted)
    bytes.appendZeros(Int(plan.steps[frame.step].byteCount))
    frame.tail = bytes.count
    var payload = 0
    for (step, next) in zip(old, new) {
      let (from, to) = (plan.steps[step], plan.steps[next])
      let signature = from.signature
      if from.nilMask != 0, copy.load(UInt8.self, at: Int(from.nilOffset)) & from.nilMask != 0 {
        bytes.setBits(to.nilMask, at: start + Int(to.nilOffset))
      }
      if signature.isInline {
        let inline = plan.steps[plan.lastStep(ofInline: signature.inlineRecord)]
        let first = Int(from.slotOffset)
        let length = Int(inline.byteCount)
        if !to.signature.isInline {
          bytes.append(shapeNumber: inline.shape.number)
          bytes.append(from: copy, first..<first + length)
          ends.append(payloadEnd)
          continue
        }
        bytes.append(from: copy, first..<first + length)
        bytes.copy(length, from: bytes.count - length, to: start + Int(to.slotOffset))
        bytes.truncate(to: bytes.count - length)
      } else if signature.isVariable {
        let first = (payload == 0 ? 0 : oldEnds[payload - 1]) + tail
        let piece = first..<oldEnds[payload] + tail
        numberArrays.put(taken, in: piece, at: bytes.count)
        bytes.append(from: copy, piece.lowerBound - start..<piece.upperBound - start)
        ends.append(payloadEnd)
        payload += 1
      } else if signature.tag.isBit {
        if copy.load(UInt8.self, at: Int(from.slotOffset)) & from.bit != 0 {
          bytes.setBits(to.bit, at: start + Int(to.slotOffset))
        }
      } else if signature.tag != .null {
        let entry = copy.entry(signature.tag, at: Int(from.slotOffset))
        bytes.store(entry.resized(to: to.signature.tag), at: start + Int(to.slotOffset))
      }
    }
  }

  // MARK: Arrays

  /// Writes integers side by side, in the narrowest width that holds all.
  mutating func encodeIntegers(_ integers: [Int64], tag: ArchiveTag, at place: ArchivePlace) {
    let slot = beginPayload(tag: .array, at: place)
    if slot == ObjectEncoder.noSlot { return }
    expectPayload(byteCount: integers.count * 8, at: place)
    append(integers: integers, tag: tag)
    endPayload(slot: slot, at: place)
  }

  /// Appends integers as the payload of an array.
  ///
  /// An empty array has no bytes.
  mutating func append(integers: [Int64], tag: ArchiveTag) {
    var bits: UInt64 = 0
    for integer in integers { bits |= integer.significantBits(tag) }
    let narrow = tag.integer(ofClass: bits.integerClass(tag))
    switch narrow.rawValue & 7 {
    case 1: append(integers, as: UInt8.self, narrow)
    case 2: append(integers, as: UInt16.self, narrow)
    case 3: append(integers, as: UInt32.self, narrow)
    default: append(array: integers, of: narrow)
    }
  }

  private mutating func append<Word: FixedWidthInteger & BitwiseCopyable>(
    _ integers: [Int64], as type: Word.Type, _ tag: ArchiveTag
  ) {
    if integers.isEmpty { return }
    bytes.reserve(integers.count * MemoryLayout<Word>.size + 16)
    appendArray(of: tag, count: integers.count) { $0.append(integers, as: type) }
  }

  /// Gives staged integers, which may have nil bits, their width.
  ///
  /// - Returns: Their tag and the bytes of each.
  mutating func narrowedIntegers() -> (tag: ArchiveTag, byteCount: Int) {
    let (slots, count) = (elements.slots, elements.count)
    var bits: UInt64 = 0
    for index in 0..<count {
      bits |= bytes.load(Int64.self, at: slots + index * 8).significantBits(elements.tag)
    }
    let tag = elements.tag.integer(ofClass: bits.integerClass(elements.tag))
    for index in 0..<count where tag.byteCount < 8 {
      let entry = bytes.entry(.int64, at: slots + index * 8)
      bytes.store(
        StagedEntry(tag: tag, low: entry.low, high: 0), at: slots + index * tag.byteCount)
    }
    return (tag, tag.byteCount)
  }

  /// Gives their width to the integers of an array without nils.
  mutating func narrowIntegers() {
    let (start, slots) = (elements.start, elements.slots)
    let (tag, width) = narrowedIntegers()
    let length = elements.count * width
    bytes.store(tag.rawValue, at: start)
    bytes.truncate(to: slots + length)
    guard AlignedNumbers.areAligned(tag, count: elements.count) else { return }
    let before = AlignedNumbers.zerosBefore(tag, at: start)
    bytes.appendZeros(AlignedNumbers.headByteCount - 1 + tag.alignment - 1)
    let first = start + AlignedNumbers.headByteCount
    bytes.shift(slots..<slots + length, to: first + before)
    bytes.store(ArrayForm.aligned, at: start)
    bytes.store(tag.rawValue, at: start + 1)
    bytes.store(UInt8(before), at: start + 2)
    bytes.clear(first..<first + before)
    bytes.clear(first + before + length..<bytes.count)
    numberArrays.append(start, byteCount: length)
  }

  /// Gives their widths to integers among elements of several tags; false if no element is such an integer.
  mutating func resolveIntegers() -> Bool {
    var hasFlexible = false
    for index in 0..<elements.count {
      let tag = bytes.load(UInt8.self, at: elements.start + StagedElements.headByteCount + index)
      if ArchiveTag(rawValue: tag).isFlexible { hasFlexible = true }
    }
    if !hasFlexible { return false }
    var written = writtenElements(elements.count)
    for tag in [ArchiveTag.int, .uint] {
      var bits: UInt64 = 0
      for index in 0..<written.count where written[index].tag == tag {
        bits |= Int64(bitPattern: written[index].low).significantBits(tag)
      }
      let narrow = tag.integer(ofClass: bits.integerClass(tag))
      for index in 0..<written.count where written[index].tag == tag {
        written[index] = StagedEntry(tag: narrow, low: written[index].low, high: 0)
      }
    }
    // Now the integers may share a tag with the other elements.
    var tags: Set<ArchiveTag> = []
    for index in 0..<written.count where written[index].tag != .null {
      tags.insert(written[index].tag)
    }
    rewriteElements(written, 0..<written.count, withTags: tags.count != 1)
    return true
  }
}

extension Int64 {
  /// The bits that have to be kept: all bits of an unsigned integer, and the bits of a signed one that differ from its
  /// sign.
  @inline(__always)
  func significantBits(_ tag: ArchiveTag) -> UInt64 {
    UInt64(bitPattern: tag == .int ? self ^ (self >> 63) : self)
  }
}

extension UInt64 {
  /// The width class of integers with these significant bits.
  func integerClass(_ tag: ArchiveTag) -> UInt8 {
    let bits = tag == .int ? self << 1 : self
    return bits < 1 << 8 ? 1 : bits < 1 << 16 ? 2 : bits < 1 << 32 ? 3 : 4
  }
}

extension StagedEntry {
  /// The same integer in the width of another tag.
  func resized(to tag: ArchiveTag) -> StagedEntry {
    if tag == self.tag { return self }
    let isSigned = tag == .int64
    let wide = isSigned ? UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: low))) : low
    return StagedEntry(tag: tag, low: wide, high: 0)
  }
}

extension ObjectEncoder {
  /// Stores a value of fixed width.
  @inlinable
  @inline(__always)
  package mutating func encode(_ scalar: StoredScalar, at place: ArchivePlace) {
    let (tag, low) = (scalar.tag, scalar.low)
    switch tag.rawValue & 7 {
    case 1: encodeFixed(UInt8(truncatingIfNeeded: low), tag: tag, at: place)
    case 2: encodeFixed(UInt16(truncatingIfNeeded: low), tag: tag, at: place)
    case 3: encodeFixed(UInt32(truncatingIfNeeded: low), tag: tag, at: place)
    case 4: encodeFixed(low, tag: tag, at: place)
    case 5: encodeFixed(UInt128(scalar.high) << 64 | UInt128(low), tag: tag, at: place)
    case 7: encodeBit(low != 0, tag: tag, at: place)
    default: encodeNil(tag: .null, at: place)
    }
  }
}

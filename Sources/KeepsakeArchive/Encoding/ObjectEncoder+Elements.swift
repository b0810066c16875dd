// Arrays (Spec/archive.md, 5.5). How elements are written depends on the elements alone, not on
// their static type: those that share a tag are packed, others carry tags. An array is written as
// if its first element's tag were that of all, and written anew when another tag comes.

extension ObjectEncoder {
  /// Begins an array.
  @usableFromInline
  mutating func beginElements(count: Int, at place: ArchivePlace) -> EnclosingFrames {
    let slot = beginPayload(tag: .array, at: place)
    return beginElements(count: count, slot: slot)
  }

  mutating func beginElements(count: Int, slot: Int) -> EnclosingFrames {
    let outer = EnclosingFrames(frame: frame, elements: elements, slot: slot)
    frame = RecordFrame(depth: outer.frame.depth + 1)
    elements = ElementsFrame()
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
  mutating func endElements(_ outer: EnclosingFrames, at place: ArchivePlace) {
    finishElements()
    frame = outer.frame
    elements = outer.elements
    endPayload(slot: outer.slot, at: place)
  }

  /// Completes the bytes of an array; one without elements has none.
  mutating func finishElements() {
    if elements.index != elements.count {
      fail(
        .invalidValue,
        "an element of an array did not write exactly one value: \(elements.count) elements "
          + "wrote \(elements.index)")
      return
    }
    if elements.count > 0, elements.tag == .null { beginMixed() }
  }

  /// The offset at which an element with a tag is stored that is not the one predicted, or -1 when
  /// it has no place because of an error.
  @inline(never)
  @usableFromInline
  mutating func elementSlot(tag: ArchiveTag) -> Int {
    guard elements.index < elements.count, failure == nil else {
      elements.index += 1
      fail(.invalidValue, "an element of an array wrote more than one value")
      return -1
    }
    if elements.tag == .null {
      // Slots without bytes could not be counted: such elements carry tags.
      if tag.byteCount == 0 { beginMixed() } else { beginPacked(tag) }
    }
    if elements.tag != tag, elements.tag != .any { becomeMixed() }
    let index = elements.index
    elements.index += 1
    if elements.tag == .any { return mixedSlot(tag: tag, index: index) }
    return elements.slots + index * tag.byteCount
  }

  /// A nil among the elements.
  mutating func nilElement() {
    guard elements.index < elements.count, failure == nil else {
      elements.index += 1
      fail(.invalidValue, "an element of an array wrote more than one value")
      return
    }
    let index = elements.index
    elements.index += 1
    // Before the first tag it is enough to count.
    if elements.tag == .null { return }
    if elements.tag == .any {
      bytes.store(UInt32(truncatingIfNeeded: bytes.count - elements.tail), at: slotOfEnd(index))
      return
    }
    markNil(index)
    if elements.tag.isVariable {
      bytes.store(
        UInt32(truncatingIfNeeded: bytes.count - elements.tail), at: elements.slots + index * 4)
    }
  }

  /// Begins the array with the tag of its first element that is not nil.
  private mutating func beginPacked(_ tag: ArchiveTag) {
    elements.tag = tag
    bytes.beginArray(of: tag, count: elements.count)
    elements.slots = bytes.count
    bytes.appendZeros(elements.count * tag.byteCount)
    bytes.endArray(at: elements.start)
    elements.tail = bytes.count
    numberArrays.append(elements.start, of: tag)
    for index in 0..<elements.index { markNil(index) }
  }

  /// Sets a nil bit; the first one makes room for all, behind the slots.
  private mutating func markNil(_ index: Int) {
    if elements.nilBits == 0 {
      elements.nilBits = elements.slots + elements.count * elements.tag.byteCount
      let length = (elements.count + 7) / 8
      numberArrays.move(from: elements.nilBits, by: length)
      bytes.move(from: elements.nilBits, to: elements.nilBits + length)
      elements.tail += length
      bytes.store(1 as UInt8, at: elements.start + 1)
    }
    bytes.setBits(1 << UInt8(index & 7), at: elements.nilBits + index / 8)
  }

  /// Begins an array whose elements carry tags.
  private mutating func beginMixed() {
    elements.tag = .any
    bytes.beginArray(of: .any, count: elements.count)
    bytes.appendZeros(elements.count)
    elements.slots = bytes.count
    bytes.appendZeros(elements.count * 4)
    elements.tail = bytes.count
  }

  private func slotOfEnd(_ index: Int) -> Int { elements.slots + index * 4 }

  private mutating func mixedSlot(tag: ArchiveTag, index: Int) -> Int {
    bytes.store(tag.rawValue, at: elements.start + ArrayHead.byteCount + index)
    if tag.isVariable { return slotOfEnd(index) }
    // A fixed value lies among the payloads.
    let offset = bytes.count
    bytes.appendZeros(tag.byteCount)
    bytes.store(UInt32(truncatingIfNeeded: bytes.count - elements.tail), at: slotOfEnd(index))
    return offset
  }

  /// Writes the elements so far again, each with its tag.
  private mutating func becomeMixed() {
    let packed = elements
    var copy = ByteBuffer(capacity: bytes.count - packed.start)
    copy.append(from: bytes, packed.start..<bytes.count)
    let taken = numberArrays.take(from: packed.start)
    defer { numberArrays.end(taken) }
    func moved(_ offset: Int) -> Int { offset - packed.start }
    bytes.truncate(to: packed.start)
    elements.nilBits = 0
    beginMixed()
    var last = 0
    for index in 0..<packed.index {
      let isNil =
        packed.nilBits != 0
        && copy.load(UInt8.self, at: moved(packed.nilBits) + index / 8) & 1 << UInt8(index & 7) != 0
      let slot = moved(packed.slots) + index * packed.tag.byteCount
      let end = packed.tag.isVariable ? Int(copy.load(UInt32.self, at: slot)) : 0
      if isNil {
        bytes.store(UInt32(truncatingIfNeeded: bytes.count - elements.tail), at: slotOfEnd(index))
      } else {
        let target = mixedSlot(tag: packed.tag, index: index)
        if packed.tag.isVariable {
          let piece = packed.tail + last..<packed.tail + end
          numberArrays.put(taken, in: piece, at: bytes.count)
          bytes.append(from: copy, moved(piece.lowerBound)..<moved(piece.upperBound))
          bytes.store(UInt32(truncatingIfNeeded: bytes.count - elements.tail), at: target)
        } else {
          for byte in 0..<packed.tag.byteCount {
            bytes.store(copy.load(UInt8.self, at: slot + byte), at: target + byte)
          }
        }
      }
      last = end
    }
  }

  /// Writes packed scalars of one tag as an array.
  @usableFromInline
  mutating func encodeScalars<Scalar: BitwiseCopyable>(
    _ scalars: [Scalar], tag: ArchiveTag, at place: ArchivePlace
  ) {
    let slot = beginPayload(tag: .array, at: place)
    if slot < 0 { return }
    expectPayload(byteCount: scalars.count * tag.byteCount, at: place)
    append(array: scalars, of: tag)
    endPayload(slot: slot, at: place)
  }

  /// Appends packed scalars of one tag as the payload of an array; none take no bytes.
  mutating func append<Scalar: BitwiseCopyable>(array scalars: [Scalar], of tag: ArchiveTag) {
    if scalars.isEmpty { return }
    checkCount(scalars.count)
    numberArrays.append(bytes.count, of: tag)
    bytes.append(array: scalars, of: tag)
  }

  /// Keeps an error when an array has more elements than can be counted.
  mutating func checkCount(_ count: Int) {
    if count > UInt32.max { fail(.limitExceeded, "an array has \(count) elements") }
  }
}

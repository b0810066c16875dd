// Single values. A record is written in one pass: the slots where the plan says, the payloads after the room that was
// kept for slots and ends, and the ends when the record is complete, since their width depends on all payloads
// (Spec/archive.md, 5.2).

extension ObjectEncoder {
  /// The offset of an element that has no slot because of an error.
  @inlinable package static var noSlot: Int { -1 }

  /// The offset of the slot of a key.
  ///
  /// The caller stores the whole slot. The offset of a variable value has no meaning.
  @inlinable
  @inline(__always)
  mutating func slot(
    of key: ArchiveKey, tag: ArchiveTag, flags: NilFlags,
    inlineRecord: UInt16 = StepSignature.noInlineRecord, isFlexible: Bool = false
  ) -> Int {
    let signature = StepSignature(
      in: frame, tag: tag, flags: flags, isReserved: key.isReserved,
      inlineRecord: inlineRecord, isFlexible: isFlexible)
    let next = frame.next
    let step = plan.steps[next]
    let isPredicted =
      step.signature == signature && step.identity == StringIdentity(key.name)
      && Int(step.byteCount) <= frame.tail &- frame.start
    if !isPredicted { return slotAfterMiss(of: key, signature: signature) }
    frame.take(next, next: step.predicted)
    // Other values have no bits.
    if flags.isNullable || tag.isBit, step.openedByte != PlanStep.noByte {
      bytes.store(0 as UInt8, at: frame.start &+ Int(step.openedByte))
    }
    return frame.start &+ Int(step.slotOffset)
  }

  @inline(never)
  @usableFromInline
  mutating func slotAfterMiss(of key: ArchiveKey, signature: StepSignature) -> Int {
    if !frame.isRecord {
      // The elements of an array have no keys. The record will not be written.
      fail(
        .invalidValue, "a key was encoded among the elements of an array", under: key.description)
      bytes.appendZeros(16)
      return bytes.count - 16
    }
    if frame.isInSlot { moveOutOfSlot() }
    guard let number = plan.advance(from: frame.step, key: key, signature: signature) else {
      failWordCount()
      // Room for any value, or for the record that would be stored in the slot.
      let room =
        signature.isInline
        ? Int(plan.steps[plan.lastStep(ofInline: signature.inlineRecord)].byteCount) : 16
      bytes.appendZeros(room)
      return bytes.count - room
    }
    let step = plan.steps[number]
    frame.take(number, next: step.predicted)
    makeRoomForSlots()
    if step.openedByte != PlanStep.noByte {
      bytes.store(0 as UInt8, at: frame.start + Int(step.openedByte))
    }
    return frame.start + Int(step.slotOffset)
  }

  /// Makes room for the slots up to the step that was taken last.
  mutating func makeRoomForSlots() {
    let needed = Int(plan.steps[frame.step].byteCount)
    // More than is needed now, so that a record of many keys does not move its payloads for each key.
    if frame.start + needed > frame.tail { moveTail(to: frame.start + needed + needed / 2 + 8) }
  }

  /// Moves the payloads that the record has so far.
  ///
  /// Their ends are counted from their start, so no slot changes.
  @inline(never)
  @usableFromInline
  mutating func moveTail(to offset: Int) {
    moveBytes(from: frame.tail, to: offset)
    frame.tail = offset
    plan.expectTail(offset - frame.start, of: frame.step)
  }

  /// Makes room for the slots and ends before a large payload, as if the record ended with it.
  ///
  /// Without that, the first record of a type would move the payload when it ends.
  mutating func expectPayload(byteCount: Int, at place: ArchivePlace) {
    guard byteCount >= 4096, case .key = place.target, frame.isRecord else { return }
    let tail = tail(ofPayloads: bytes.count - frame.tail + byteCount)
    if tail > frame.tail || plan.steps[frame.step].shape.isNone && tail < frame.tail {
      moveTail(to: tail)
    }
  }

  /// Writes a nil in the slot of the step that was taken last.
  @inlinable
  @inline(__always)
  mutating func storeNil(_ tag: ArchiveTag, at offset: Int) {
    if tag.isVariable {
      ends.append(payloadEnd)
    } else if !tag.isBit {
      bytes.storeZeros(tag.byteCount, at: offset)
    }
    let step = plan.steps[frame.step]
    bytes.setBits(step.nilMask, at: frame.start &+ Int(step.nilOffset))
  }

  /// Writes a value of fixed width.
  @inlinable
  @inline(__always)
  mutating func encodeFixed<Word: FixedWidthInteger & BitwiseCopyable>(
    _ word: Word, tag: ArchiveTag, at place: ArchivePlace
  ) {
    switch place.target {
    case .key(let key):
      bytes.store(word, at: slot(of: key, tag: tag, flags: place.flags))
    case .element: encodeFixedElement(word, tag: tag)
    }
  }

  /// Writes a value of one bit.
  ///
  /// In an array it takes a byte for now.
  @inlinable
  @inline(__always)
  mutating func encodeBit(_ value: Bool, tag: ArchiveTag, at place: ArchivePlace) {
    switch place.target {
    case .key(let key):
      let offset = slot(of: key, tag: tag, flags: place.flags)
      if value { bytes.setBits(plan.steps[frame.step].bit, at: offset) }
    case .element: encodeFixedElement(value ? 1 as UInt8 : 0, tag: tag)
    }
  }

  @inlinable
  mutating func encodeFixedElement<Word: FixedWidthInteger & BitwiseCopyable>(
    _ word: Word, tag: ArchiveTag
  ) {
    if elements.tag == tag, elements.index < elements.count {
      bytes.store(word, at: elements.slots &+ elements.index &* MemoryLayout<Word>.size)
      elements.index &+= 1
    } else {
      let offset = elementSlot(tag: tag)
      if offset != ObjectEncoder.noSlot { bytes.store(word, at: offset) }
    }
  }

  /// Begins a value whose payload follows.
  ///
  /// - Returns: The offset of its end among the elements of an array; ``noSlot`` after an error.
  @inlinable
  @inline(__always)
  package mutating func beginPayload(tag: ArchiveTag, at place: ArchivePlace) -> Int {
    switch place.target {
    case .key(let key):
      if frame.isInSlot { moveOutOfSlot() }
      return slot(of: key, tag: tag, flags: place.flags)
    case .element: return payloadElementSlot(tag: tag)
    }
  }

  /// The slot of the next element, which has a payload.
  @inlinable
  mutating func payloadElementSlot(tag: ArchiveTag) -> Int {
    guard elements.tag == tag, elements.index < elements.count else {
      return elementSlot(tag: tag)
    }
    let slot = elements.slots &+ elements.index &* MemoryLayout<UInt32>.size
    elements.index &+= 1
    return slot
  }

  /// Ends a value whose payload was appended.
  @inlinable
  @inline(__always)
  package mutating func endPayload(slot: Int, at place: ArchivePlace) {
    switch place.target {
    case .key: ends.append(payloadEnd)
    case .element:
      if slot == ObjectEncoder.noSlot { return }
      bytes.store(elementEnd, at: slot)
    }
  }

  /// The end of the payload that was appended last to the open record, counted from the first payload.
  @inlinable
  var payloadEnd: UInt32 {
    @inline(__always)
    get { EndWidth.cut(bytes.count &- frame.tail) }
  }

  /// The end of the element that was appended last, counted from the first element.
  @inlinable
  var elementEnd: UInt32 {
    @inline(__always)
    get { EndWidth.cut(bytes.count &- elements.tail) }
  }

  /// Whether ends that are counted from an offset have 32 bits; keeps an error when they have more.
  mutating func canCountEnds(from offset: Int) -> Bool {
    let length = bytes.count - offset
    if length <= UInt32.max { return true }
    failLimit("a record has \(length) bytes or more", .recordByteCount, limits.recordByteCount)
    return false
  }

  /// Writes a nil among values of a tag.
  @inlinable
  @inline(__always)
  package mutating func encodeNil(tag: ArchiveTag, at place: ArchivePlace) {
    guard case .key(let key) = place.target, !tag.isFlexible || !frame.isWide,
      !tag.isVariable || !frame.isInSlot
    else { return encodeRareNil(tag: tag, at: place) }
    let stored = tag.isFlexible ? tag.integer(ofClass: 3) : tag
    let start = slot(
      of: key, tag: stored, flags: place.nullable.flags, isFlexible: tag.isFlexible)
    storeNil(stored, at: start)
  }

  /// Writes a nil among elements, or in a record that has to be moved or has wide integers.
  @inline(never)
  @usableFromInline
  mutating func encodeRareNil(tag: ArchiveTag, at place: ArchivePlace) {
    guard case .key(let key) = place.target else { return nilElement() }
    if tag.isVariable, frame.isInSlot { moveOutOfSlot() }
    var stored = tag
    if tag.isFlexible {
      if frame.isWide { frame.scopeAndDepth |= RecordFrame.unneeded }
      stored = tag.integer(ofClass: frame.isWide ? 4 : 3)
    }
    let start = slot(
      of: key, tag: stored, flags: place.nullable.flags, isFlexible: tag.isFlexible)
    storeNil(stored, at: start)
  }

  /// Writes a string, or another kind of value that is stored as text.
  @inlinable
  @inline(__always)
  mutating func encodeText(_ text: String, tag: ArchiveTag, at place: ArchivePlace) {
    let slot = beginPayload(tag: tag, at: place)
    if slot == ObjectEncoder.noSlot { return }
    bytes.append(utf8: text)
    endPayload(slot: slot, at: place)
  }

  /// Writes a run of bytes as a payload.
  package mutating func encodePayload(
    _ payload: Span<UInt8>, tag: ArchiveTag, at place: ArchivePlace
  ) {
    let slot = beginPayload(tag: tag, at: place)
    if slot == ObjectEncoder.noSlot { return }
    expectPayload(byteCount: payload.count, at: place)
    bytes.append(payload)
    endPayload(slot: slot, at: place)
  }

  /// Writes a payload of an archive that is read.
  package mutating func encodePayload(
    _ view: ByteView, _ range: Range<Int>, tag: ArchiveTag, at place: ArchivePlace
  ) {
    let slot = beginPayload(tag: tag, at: place)
    if slot == ObjectEncoder.noSlot { return }
    bytes.append(from: view, range)
    endPayload(slot: slot, at: place)
  }

  /// Writes bytes that are not in an array of Swift.
  package mutating func encodeBytes(_ bytes: Span<UInt8>, at place: ArchivePlace) {
    encodePayload(bytes, tag: .bytes, at: place)
  }

  /// Writes a reference, and remembers that its object has to be written.
  @usableFromInline
  package mutating func encodeReference(_ id: ArchiveObjectID?, at place: ArchivePlace) {
    if let id {
      if id.rawValue == 0 { fail(.invalidValue, "a reference to object id 0, which is no object") }
      highestReference = max(highestReference, id.rawValue)
    }
    encodeFixed(id?.rawValue ?? 0, tag: .reference, at: place)
  }
}

extension ArchivePlace {
  /// The place in words, for the key path of an error.
  package var step: String? {
    switch target {
    case .key(let key): key.description
    case .element: nil
    }
  }
}

// Single values. A record is written in one pass: the slots where the plan says, the payloads after the room that was
// kept for slots and ends, and the ends when the record is complete, since their width depends on all payloads
// (Spec/archive.md, 5.2).

extension ObjectEncoder {
  /// The offset of an element that has no slot because of an error.
  @inlinable package static var noSlot: Int { -1 }

  /// The offset of the slot of a key, which the caller stores whole; that of a variable value has no meaning.
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

  /// Moves the payloads that the record has so far; no slot changes, as their ends are counted from their start.
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

  /// Writes a value of one bit, which takes a byte in an array for now.
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

  /// Begins a value whose payload follows, and returns the offset of its end among elements; ``noSlot`` after an error.
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

  @inlinable
  mutating func payloadElementSlot(tag: ArchiveTag) -> Int {
    guard elements.tag == tag, elements.index < elements.count else {
      return elementSlot(tag: tag)
    }
    let slot = elements.slots &+ elements.index &* MemoryLayout<UInt32>.size
    elements.index &+= 1
    return slot
  }

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
      if frame.isWide { frame.set(.fitsNarrow) }
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

  package mutating func encodePayload(
    _ payload: Span<UInt8>, tag: ArchiveTag, at place: ArchivePlace
  ) {
    let slot = beginPayload(tag: tag, at: place)
    if slot == ObjectEncoder.noSlot { return }
    expectPayload(byteCount: payload.count, at: place)
    bytes.append(payload)
    endPayload(slot: slot, at: place)
  }

  package mutating func encodePayload(
    _ view: ByteView, _ range: Range<Int>, tag: ArchiveTag, at place: ArchivePlace
  ) {
    let slot = beginPayload(tag: tag, at: place)
    if slot == ObjectEncoder.noSlot { return }
    bytes.append(from: view, range)
    endPayload(slot: slot, at: place)
  }

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

// A record of fixed width is stored inline, in the slot of its container (Spec/archive.md, 5.4). When the plan predicts
// that, the encoder writes the record straight into the slot. If the record then writes a payload or an unexpected key,
// the encoder first moves it to the place of an ordinary nested record.

extension ObjectEncoder {
  /// Begins a record in the slot of a key if the last record under the key, of the same type, was stored there.
  @inlinable
  @inline(__always)
  mutating func beginInSlot(
    at place: ArchivePlace, typeName: String, schemaVersion: UInt32, writer: UInt32
  ) -> Bool {
    guard case .key(let key) = place.target, place.flags.isNone else { return false }
    let step = plan.steps[frame.next]
    let signature = StepSignature(
      in: frame, tag: .inline, flags: .none, isReserved: key.isReserved)
    let root = plan.roots[Int(plan.steps[frame.step].nextRoot)]
    guard step.signature.withoutInlineRecord == signature,
      step.identity == StringIdentity(key.name),
      Int(step.byteCount) <= frame.tail &- frame.start,
      root.matches(typeName: typeName, schemaVersion: schemaVersion, writer: writer)
    else { return false }
    outerFrames.append(frame)
    var inner = RecordFrame(depth: frame.depth &+ 1)
    inner.set(root.isWide ? .inSlot.union(.wide) : .inSlot)
    let firstStep = Int(root.firstStep)
    inner.take(firstStep, next: plan.steps[firstStep].predicted)
    inner.start = frame.start &+ Int(step.slotOffset)
    inner.tail = frame.start &+ Int(step.byteCount)
    frame = inner
    return true
  }

  /// Completes a record that was begun in its slot, and goes back to the one around it.
  ///
  /// If the slot is for another record, the encoder moves this one out and completes it like any other.
  @inlinable
  @inline(__always)
  mutating func endBodyInSlot(tag: ArchiveTag, at place: ArchivePlace) {
    let last = plan.steps[frame.step]
    let outer = outerFrames[outerFrames.count &- 1]
    let step = plan.steps[outer.next]
    guard frame.isInSlot, last.inlineRecord != StepSignature.noInlineRecord,
      last.inlineRecord == step.signature.inlineRecord,
      last.shape.isBelow(ShapeEntry.inlineCount), !frame.isWiderThanNeeded
    else { return endBodyOutOfSlot(tag: tag, at: place) }
    frame = outerFrames.removeLast()
    frame.take(frame.next, next: step.predicted)
  }

  @inline(never)
  @usableFromInline
  mutating func endBodyOutOfSlot(tag: ArchiveTag, at place: ArchivePlace) {
    if frame.isInSlot { moveOutOfSlot() }
    endBody(tag: tag, at: place)
  }

  /// Moves the open record out of its slot, after the records around it that are in slots too.
  @inline(never)
  @usableFromInline
  mutating func moveOutOfSlot() {
    var first = outerFrames.count
    while outerFrames[first - 1].isInSlot { first -= 1 }
    for index in first..<outerFrames.count {
      outerFrames[index] = movedOut(outerFrames[index])
    }
    frame = movedOut(frame)
  }

  /// Copies the slot of a record to the end of the bytes, after room for the number of its shape.
  private mutating func movedOut(_ record: RecordFrame) -> RecordFrame {
    let slot = record.start..<record.tail
    bytes.appendRoom(1)
    var moved = record
    moved.start = bytes.count
    bytes.appendRoom(slot.count)
    bytes.shift(slot, to: moved.start)
    moved.tail = bytes.count
    moved.clear(.inSlot)
    return moved
  }
}

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
    frame.set(isNarrow ? .fitsNarrow : .needsWide)
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
    frame.clear(.ofWidth)
    if isWide { frame.set(.wide) }
    var hasFlexible = false
    for step in plan.steps(to: frame.step) where plan.steps[step].signature.isFlexible {
      hasFlexible = true
    }
    if !hasFlexible { return }
    layOutAgain { $0.integer(isWide: isWide) }
    if isWide { frame.set(.fitsNarrow) }
  }

  /// Writes the open record so far again, with other signatures.
  mutating func layOutAgain(_ change: (StepSignature) -> StepSignature) {
    if hasFailed || !canCountEnds(from: frame.tail) { return }
    let old = plan.steps(to: frame.step)
    guard let new = advance(along: old, changing: change) else { return failWordCount() }
    let last = new.last ?? plan.firstStep(of: frame.step)
    var former = takeRecord()
    let (start, arrays) = (former.start, former.numberArrays)
    defer { numberArrays.end(arrays) }
    bytes.truncate(to: start)
    frame.take(last, next: plan.steps[last].predicted)
    bytes.appendZeros(Int(plan.steps[frame.step].byteCount))
    frame.tail = bytes.count
    for (step, next) in zip(old, new) {
      put(plan.steps[step], of: &former, at: plan.steps[next])
    }
  }

  /// The steps that the open record takes with other signatures; nil when they are too many.
  private mutating func advance(
    along steps: [Int], changing change: (StepSignature) -> StepSignature
  ) -> [Int]? {
    var last = plan.firstStep(of: frame.step)
    var new: [Int] = []
    for step in steps {
      let signature = change(plan.steps[step].signature)
      guard let next = plan.advance(from: last, key: plan.keys[step], signature: signature)
      else { return nil }
      new.append(next)
      last = next
    }
    return new
  }

  /// Copies the open record, and takes out its ends and its arrays of numbers.
  private mutating func takeRecord() -> FormerRecord {
    var copy = ByteBuffer(capacity: bytes.count - frame.start)
    copy.append(from: bytes, frame.start..<bytes.count)
    let firstEnd = ends.count - Int(plan.steps[frame.step].variableCount)
    var formerEnds: [Int] = []
    for index in firstEnd..<ends.count { formerEnds.append(Int(ends[index])) }
    ends.truncate(to: firstEnd)
    return FormerRecord(
      bytes: copy, start: frame.start, tail: frame.tail, ends: formerEnds,
      numberArrays: numberArrays.take(from: frame.start))
  }

  /// Writes the next value of a former record, which had one step of the plan, at another step.
  private mutating func put(_ from: PlanStep, of record: inout FormerRecord, at to: PlanStep) {
    let signature = from.signature
    if from.nilMask != 0,
      record.bytes.load(UInt8.self, at: Int(from.nilOffset)) & from.nilMask != 0
    {
      bytes.setBits(to.nilMask, at: frame.start + Int(to.nilOffset))
    }
    if signature.isInline {
      putInline(from, of: record, at: to)
    } else if signature.isVariable {
      let payload = record.nextPayload()
      numberArrays.put(record.numberArrays, in: payload, at: bytes.count)
      bytes.append(
        from: record.bytes,
        payload.lowerBound - record.start..<payload.upperBound - record.start)
      ends.append(payloadEnd)
    } else if signature.tag.isBit {
      if record.bytes.load(UInt8.self, at: Int(from.slotOffset)) & from.bit != 0 {
        bytes.setBits(to.bit, at: frame.start + Int(to.slotOffset))
      }
    } else if signature.tag != .null {
      let entry = record.bytes.entry(signature.tag, at: Int(from.slotOffset))
      bytes.store(
        entry.resized(to: to.signature.tag), at: frame.start + Int(to.slotOffset))
    }
  }

  /// Writes a record that was in a slot of the former record, in its new slot or as a payload.
  private mutating func putInline(
    _ from: PlanStep, of record: borrowing FormerRecord, at to: PlanStep
  ) {
    let inline = plan.steps[plan.lastStep(ofInline: from.signature.inlineRecord)]
    let first = Int(from.slotOffset)
    let length = Int(inline.byteCount)
    if !to.signature.isInline {
      bytes.append(shapeNumber: inline.shape.number)
      bytes.append(from: record.bytes, first..<first + length)
      ends.append(payloadEnd)
      return
    }
    bytes.append(from: record.bytes, first..<first + length)
    bytes.copy(length, from: bytes.count - length, to: frame.start + Int(to.slotOffset))
    bytes.truncate(to: bytes.count - length)
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

  /// Appends integers as the payload of an array, which has no bytes when it is empty.
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

  /// Gives staged integers, which may have nil bits, their width; returns their tag and the bytes of each.
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

/// The open record as it was laid out before, while it is written in another layout.
private struct FormerRecord: ~Copyable {
  /// The bytes from ``start`` on.
  let bytes: ByteBuffer
  /// The offset that the record had among the bytes of the encoder, and still has.
  let start: Int
  /// The offset that its payloads had.
  let tail: Int
  let ends: [Int]
  /// The arrays of numbers in it (``NumberArrays/take(from:)``).
  let numberArrays: Range<Int>
  private var payloadCount = 0

  init(bytes: consuming ByteBuffer, start: Int, tail: Int, ends: [Int], numberArrays: Range<Int>) {
    self.bytes = bytes
    self.start = start
    self.tail = tail
    self.ends = ends
    self.numberArrays = numberArrays
  }

  /// The range that the next payload had among the bytes of the encoder.
  mutating func nextPayload() -> Range<Int> {
    let first = payloadCount == 0 ? 0 : ends[payloadCount - 1]
    payloadCount += 1
    return tail + first..<tail + ends[payloadCount - 1]
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
  func resized(to tag: ArchiveTag) -> StagedEntry {
    if tag == self.tag { return self }
    let isSigned = tag == .int64
    let wide = isSigned ? UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: low))) : low
    return StagedEntry(tag: tag, low: wide, high: 0)
  }
}

extension ObjectEncoder {
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

extension ObjectEncoder {
  mutating func encode(assembled entry: StagedEntry, forKey key: ArchiveKey) {
    if entry.tag == .null { return encodeNil(tag: .null, at: .key(key)) }
    if entry.inlineRecord != StepSignature.noInlineRecord,
      storeInline(plan.lastStep(ofInline: entry.inlineRecord), from: entry.start, forKey: key)
    {
      return
    }
    if entry.tag.isFlexible {
      return encodeInteger(Int64(bitPattern: entry.low), tag: entry.tag, at: .key(key))
    }
    let offset = slot(of: key, tag: entry.tag, flags: .none)
    if entry.tag.isVariable {
      ends.append(EndWidth.cut(entry.payload.count))
    } else {
      bytes.store(entry, at: offset)
    }
  }
}

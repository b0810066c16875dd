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
    inner.scopeAndDepth |=
      root.isWide ? RecordFrame.inSlot | RecordFrame.wide : RecordFrame.inSlot
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
    moved.scopeAndDepth &= ~RecordFrame.inSlot
    return moved
  }
}

// Nested records, and cases of enumerations.

extension ObjectEncoder {
  /// Writes a nested record whose keys are its own.
  ///
  /// For value types whose type name is known only when they are written; others conform to
  /// ``ArchiveRecord``.
  ///
  /// - Parameters:
  ///   - typeName: The stable name that inspectors show; may be empty.
  ///   - schemaVersion: The version of the set of keys.
  ///   - place: The place of the value.
  ///   - body: Writes the parts.
  package mutating func encodeRecord(
    typeName: String = "", schemaVersion: UInt32 = 0, at place: ArchivePlace,
    _ body: (inout ObjectEncoder) -> Void
  ) {
    guard enterDepth(at: place) else { return encodeNil(tag: .record, at: place) }
    let isInSlot = beginInSlot(
      at: place, typeName: typeName, schemaVersion: schemaVersion, writer: 0)
    if !isInSlot {
      beginBody(tag: .record, typeName: typeName, schemaVersion: schemaVersion, at: place)
    }
    body(&self)
    if isInSlot {
      endBodyInSlot(tag: .record, at: place)
    } else {
      endBody(tag: .record, at: place)
    }
  }

  /// Whether one more level of nesting is allowed; keeps an error when not.
  @inlinable
  package mutating func enterDepth(at place: ArchivePlace) -> Bool {
    if frame.depth < limits.nestingDepth { return true }
    failDepth(at: place)
    return false
  }

  @inline(never)
  @usableFromInline
  mutating func failDepth(at place: ArchivePlace) {
    fail(ArchiveError(nesting: "values", limits), under: place.step)
  }

  /// Begins a record, inside the one that is open.
  ///
  /// As many bytes are reserved for slots and ends as the last record of the type used. When this record needs
  /// another number of bytes, its payloads are moved.
  @inlinable
  mutating func beginRecord(typeName: String, schemaVersion: UInt32, writer: UInt32 = 0) {
    let outer = frame.step
    var index = outer == EncodingPlan.none ? elements.root : Int(plan.steps[outer].nextRoot)
    let isPredicted = plan.roots[index].matches(
      typeName: typeName, schemaVersion: schemaVersion, writer: writer)
    if !isPredicted {
      index = rootAfterMiss(typeName: typeName, schemaVersion: schemaVersion, writer: writer)
    }
    let root = plan.roots[index]
    let start = bytes.count
    let expected = Int(root.expectedTail)
    bytes.appendRoom(expected)
    var inner = RecordFrame(depth: frame.depth &+ 1)
    if root.isWide { inner.scopeAndDepth |= RecordFrame.wide }
    let firstStep = Int(root.firstStep)
    inner.take(firstStep, next: plan.steps[firstStep].predicted)
    inner.start = start
    inner.tail = start &+ expected
    frame = inner
  }

  /// The root of a record that is of another type than the last record in its place.
  @inline(never)
  @usableFromInline
  mutating func rootAfterMiss(typeName: String, schemaVersion: UInt32, writer: UInt32) -> Int {
    let root = plan.root(typeName: typeName, schemaVersion: schemaVersion, writer: writer)
    if !frame.isRecord {
      elements.root = root
    } else {
      plan.steps[frame.step].nextRoot = Int32(root)
    }
    return root
  }

  /// Begins a nested record after the other payloads.
  ///
  /// Under a key it has room in front for the number of its shape, which mostly takes one byte.
  @inlinable
  @inline(__always)
  package mutating func beginBody(
    tag: ArchiveTag, typeName: String, schemaVersion: UInt32, writer: UInt32 = 0,
    at place: ArchivePlace
  ) {
    switch place.target {
    case .key:
      if frame.isInSlot { moveOutOfSlot() }
      bytes.appendRoom(1)
      outerFrames.append(frame)
    case .element: beginBodyElement(tag: tag)
    }
    beginRecord(typeName: typeName, schemaVersion: schemaVersion, writer: writer)
  }

  /// Completes a nested record, and goes back to the one around it.
  @inlinable
  @inline(__always)
  package mutating func endBody(tag: ArchiveTag, at place: ArchivePlace) {
    let last = closeRecord()
    let start = frame.start
    switch place.target {
    case .key(let key):
      frame = outerFrames.removeLast()
      if plan.steps[last].isCell, tag == .record, !place.isNullable, frame.isRecord,
        storeInline(last, from: start, forKey: key)
      {
        return
      }
      store(shapeOf: last, before: start)
      _ = slot(of: key, tag: tag, flags: place.flags)
      ends.append(payloadEnd)
    case .element:
      // Elements are in no record.
      frame = RecordFrame(depth: frame.depth &- 1)
      endBodyElement(last, at: start, tag: tag)
    }
  }

  /// Moves a record of fixed width to the slot of its key; false if it cannot be stored there.
  @inlinable
  mutating func storeInline(_ last: Int, from start: Int, forKey key: ArchiveKey) -> Bool {
    var number = plan.steps[last].inlineRecord
    if number == StepSignature.noInlineRecord { number = plan.makeInlineRecord(endingAt: last) }
    if number == StepSignature.noInlineRecord || !plan.steps[last].shape.isLowEnoughForSlots {
      return false
    }
    let tail = frame.tail
    let target = slot(of: key, tag: .inline, flags: .none, inlineRecord: number)
    // The slot may have moved the payloads, and this record with them.
    let source = start &+ frame.tail &- tail
    let byteCount = Int(plan.steps[last].byteCount)
    // A record that has failed gets no slot, but room after everything else.
    if target &+ byteCount > source { return true }
    bytes.copy(byteCount, from: source, to: target)
    bytes.truncate(to: source &- 1)
    return true
  }

  /// Stores the number of a shape in front of a body, in the byte that was kept for it.
  @inlinable
  @inline(__always)
  mutating func store(shapeOf last: Int, before body: Int) {
    let shape = plan.steps[last].shape
    if shape.isBelow(Int(ShapeNumber.two)) {
      bytes.store(UInt8(truncatingIfNeeded: shape.rawValue), at: body &- 1)
    } else {
      storeWide(shape: shape, before: body)
    }
  }

  @inline(never)
  @usableFromInline
  mutating func storeWide(shape: OptionalShape, before body: Int) {
    // The record has failed and will not be written.
    if shape.isNone { return }
    moveBytes(from: body, to: body + ShapeNumber.byteCount(of: shape.number) - 1)
    bytes.store(shapeNumber: shape.number, at: body - 1)
  }

  /// Stores the ends of the open record, whose slots and payloads are in their places.
  ///
  /// - Returns: The step at which it ends.
  @inlinable
  @inline(__always)
  mutating func closeRecord() -> Int {
    let last = plan.steps[frame.step]
    let count = Int(last.variableCount)
    let slots = Int(last.byteCount)
    // Most records have no payloads, and so no ends.
    if count == 0, !last.shape.isNone, !frame.isWiderThanNeeded, frame.start &+ slots == frame.tail
    {
      return frame.step
    }
    let width = EndWidth.smallest(
      of: last.endCount, besides: slots &+ bytes.count &- frame.tail)
    let firstEnd = frame.start &+ slots
    if last.shape.isNone || frame.isWiderThanNeeded
      || firstEnd &+ last.endCount &<< Int(width) != frame.tail
      || count > ends.count
    {
      closeUnexpectedRecord(width)
    } else {
      bytes.storeEnds(count, of: &ends, width: width, at: firstEnd)
    }
    return frame.step
  }

  @inline(never)
  @usableFromInline
  mutating func closeUnexpectedRecord(_ width: UInt32) {
    guard Int(plan.steps[frame.step].variableCount) <= ends.count else {
      return fail(.invalidValue, "a value of a record was begun and not ended")
    }
    if frame.isWiderThanNeeded { setWide(false) }
    if plan.steps[frame.step].shape.isNone, !makeShape() {
      layOutAgain(\.outOfSlot)
      if plan.steps[frame.step].shape.isNone { _ = makeShape() }
    }
    let last = plan.steps[frame.step]
    let count = Int(last.variableCount)
    let tail = tail(ofPayloads: bytes.count - frame.tail)
    if tail != frame.tail { moveTail(to: tail) }
    bytes.storeEnds(count, of: &ends, width: width, at: frame.start + Int(last.byteCount))
  }

  /// The offset of the payloads if the open record ends with its last step and has payloads of `byteCount` bytes.
  mutating func tail(ofPayloads byteCount: Int) -> Int {
    let last = plan.steps[frame.step]
    let slots = Int(last.byteCount)
    let width = EndWidth.smallest(of: last.endCount, besides: slots + byteCount)
    return frame.start + slots + last.endCount << Int(width)
  }
}

// Enumerations and conditional references (Spec/archive.md, 5.4 and 4.4).

extension ObjectEncoder {
  /// Writes one case of an enumeration with the values of the case.
  ///
  /// For enumerations whose cases are known only when they are written; others conform to
  /// ``ArchiveEnumeration``.
  ///
  /// - Parameters:
  ///   - name: The stable name of the case.
  ///   - typeName: The stable name that inspectors show; may be empty.
  ///   - schemaVersion: The version of the set of cases and keys.
  ///   - place: The place of the value.
  ///   - body: Writes the values of the case.
  @usableFromInline
  package mutating func encodeEnumeration(
    _ name: ArchiveKey, typeName: String = "", schemaVersion: UInt32 = 0, at place: ArchivePlace,
    _ body: (inout ObjectEncoder) -> Void
  ) {
    guard enterDepth(at: place) else { return encodeNil(tag: .enumeration, at: place) }
    beginBody(tag: .enumeration, typeName: typeName, schemaVersion: schemaVersion, at: place)
    beginCase(name)
    body(&self)
    endBody(tag: .enumeration, at: place)
  }

  /// Names the case.
  ///
  /// It is the first step of the plan, and takes no room in the record.
  package mutating func beginCase(_ name: ArchiveKey) {
    let next = frame.next
    let step = plan.steps[next]
    if step.signature == .enumerationCase, step.identity == StringIdentity(name.name) {
      frame.take(next, next: step.predicted)
    } else {
      _ = slotAfterMiss(of: ArchiveKey(name.name), signature: .enumerationCase)
    }
  }

  package mutating func encodeConditionalReference(_ number: UInt32, at place: ArchivePlace) {
    highestConditional = max(highestConditional, number)
    encodeFixed(number, tag: .conditionalReference, at: place)
  }
}

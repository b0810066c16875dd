// Nested records, and cases of enumerations.

extension ObjectEncoder {
  /// Writes a nested record, or a case of an enumeration, whose keys are its own.
  ///
  /// For values whose type name or case is known only when they are written; others conform to ``ArchiveRecord`` or
  /// ``ArchiveEnumeration``. The type name, which inspectors show, may be empty.
  @usableFromInline
  package mutating func encodeNested(
    case name: ArchiveKey? = nil, typeName: String = "", schemaVersion: UInt32 = 0,
    at place: ArchivePlace, _ body: (inout ObjectEncoder) -> Void
  ) {
    let tag: ArchiveTag = name == nil ? .record : .enumeration
    guard enters(tag, at: place) else { return }
    let isInSlot =
      name == nil
      && beginInSlot(at: place, typeName: typeName, schemaVersion: schemaVersion, writer: 0)
    if !isInSlot {
      beginBody(tag: tag, typeName: typeName, schemaVersion: schemaVersion, at: place)
    }
    if let name { beginCase(name) }
    body(&self)
    if isInSlot {
      endBodyInSlot(tag: tag, at: place)
    } else {
      endBody(tag: tag, at: place)
    }
  }

  /// Whether one more level of nesting is allowed; if not, an error is kept, and a nil written for the value.
  @inlinable
  package mutating func enters(_ tag: ArchiveTag, at place: ArchivePlace) -> Bool {
    if frame.depth < limits.nestingDepth { return true }
    failDepth(tag, at: place)
    return false
  }

  @inline(never)
  @usableFromInline
  mutating func failDepth(_ tag: ArchiveTag, at place: ArchivePlace) {
    fail(ArchiveError(nesting: "values", limits), under: place.step)
    encodeNil(tag: tag, at: place)
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
    if root.isWide { inner.set(.wide) }
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
  /// Under a key it has room in front for the number of its shape, which usually takes one byte.
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

  /// Stores the ends of the open record, whose slots and payloads are in their places; returns the step where it ends.
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
  /// Names the case: the first step of the plan, which takes no room in the record.
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

// Shapes. A record gets one when the first record with the same steps is complete (Spec/archive.md, 5.4).

extension ObjectEncoder {
  /// Gives a shape to the open record, which is the first that ends at its step.
  ///
  /// False if records cannot be stored in its slots, since there are too many shapes (Spec/archive.md, 5.4).
  mutating func makeShape() -> Bool {
    if shapes.takeExpected(endingAt: frame.step, &plan) { return true }
    let steps = plan.steps(to: frame.step)
    var wordCount = steps.count
    for step in steps where plan.steps[step].signature.isInline { wordCount += 1 }
    if wordCount > limits.slotCount {
      // The plan has no more steps than a shape may have words.
      failLimit("a record has \(wordCount) keys", .slotCount, limits.slotCount)
      return true
    }
    var enumerationCase = ShapeEntry.noCase
    var declarations: [SlotDeclaration] = []
    declarations.reserveCapacity(steps.count)
    shapes.beginShape()
    for step in steps {
      let signature = plan.steps[step].signature
      if signature.namesCase {
        let name = plan.keys[step].name
        check(name: name)
        enumerationCase = shapes.tables.number(of: name, .enumerationCase)
        continue
      }
      let key = number(ofKeyAt: step)
      guard shapes.add(key) else {
        let names = plan.names(of: signature.scope) + [plan.keys[step].description]
        fail(
          .duplicateKey, "a key was encoded twice in one scope",
          under: names.joined(separator: "."))
        return true
      }
      var inlineShape = OptionalShape.none
      if signature.isInline {
        inlineShape = plan.steps[plan.lastStep(ofInline: signature.inlineRecord)].shape
      }
      declarations.append(
        SlotDeclaration(
          key: key, tag: signature.tag, isNullable: signature.isNullable,
          cell: inlineShape, omitsNil: signature.omitsNil))
    }
    let type = plan.type(of: frame.step)
    check(name: type.name)
    let isMade = shapes.endShape(
      of: type, enumerationCase: enumerationCase, slots: declarations, endingAt: frame.step, &plan)
    if isMade { checkTableSizes() }
    return isMade
  }

  /// The number of a step's key, giving numbers to its scopes first.
  private mutating func number(ofKeyAt number: Int) -> UInt32 {
    let key = plan.keys[number]
    var scope = KeyEntry.topScope
    for name in plan.names(of: plan.steps[number].signature.scope) {
      check(name: name)
      scope = shapes.tables.number(of: name, .scope, in: scope)
    }
    check(name: key.name)
    let space: KeySpace = key.isReserved ? .reserved : .user
    return UInt32(shapes.tables.number(of: key.name, space, in: scope))
  }

  private mutating func check(name: String) {
    if name.utf8.count > min(limits.nameByteCount, NameLength.largest) {
      failLimit("a name has \(name.utf8.count) bytes", .nameByteCount, limits.nameByteCount)
    }
  }

  private mutating func checkTableSizes() {
    let counts = shapes.tables.counts
    check(counts.keys, "keys", .keyCount, limits.keyCount)
    check(counts.types, "types", .typeCount, limits.typeCount)
    check(counts.shapes, "shapes", .shapeCount, limits.shapeCount)
  }

  private mutating func check(_ count: Int, _ what: String, _ name: LimitName, _ limit: Int) {
    if let error = ArchiveError(count, what, exceeds: name, of: limit) { fail(error) }
  }

  mutating func failLimit(_ what: String, _ name: LimitName, _ limit: Int) {
    fail(ArchiveError(what, exceeds: name, of: limit))
  }

  /// Keeps the error of a record for which the plan takes no further step.
  @inline(never)
  mutating func failWordCount() {
    failLimit(
      "a record has too many keys (a nested record of a fixed width counts as two)",
      .slotCount, ShapeEntry.largestWordCount)
  }
}

// Dictionaries and sets (Spec/archive.md, 5.6 and 5.7): keys and members are first written in the order of the calls,
// and then sorted by their encoded bytes.

/// A dictionary or a set that is being written.
@usableFromInline
package struct OpenMembers: BitwiseCopyable {
  var outer: EnclosingFrames
  /// The start of the members' order in ``ObjectEncoder/order``.
  @usableFromInline var firstInOrder: Int
  /// The offset of the bytes.
  var start: Int
  /// The offset of a dictionary's values.
  var middle = 0
}

extension ObjectEncoder {
  /// Writes a dictionary: two arrays of equal length.
  @inlinable
  package mutating func encodeDictionary(
    count: Int, at place: ArchivePlace, keys: (inout ObjectEncoder) -> Void,
    value: (Int, inout ObjectEncoder) -> Void
  ) {
    guard enters(.dictionary, at: place) else { return }
    let slot = beginPayload(tag: .dictionary, at: place)
    if slot == ObjectEncoder.noSlot { return }
    if count > 0 {
      var members = beginKeys(count: count)
      keys(&self)
      beginValues(&members, at: place)
      for index in members.firstInOrder..<order.count { value(Int(order[index].index), &self) }
      endDictionary(members)
    }
    endPayload(slot: slot, at: place)
  }

  /// Writes a set: an array in strictly increasing order.
  @inlinable
  package mutating func encodeSet(
    count: Int, at place: ArchivePlace, _ encodeMembers: (inout ObjectEncoder) -> Void
  ) {
    guard enters(.set, at: place) else { return }
    let slot = beginPayload(tag: .set, at: place)
    if slot == ObjectEncoder.noSlot { return }
    if count > 0 {
      let members = beginMembers(count: count)
      encodeMembers(&self)
      endMembers(members, at: place)
    }
    endPayload(slot: slot, at: place)
  }

  @usableFromInline
  package mutating func beginMembers(count: Int) -> OpenMembers {
    let start = bytes.count
    return OpenMembers(
      outer: beginElements(count: count, slot: 0), firstInOrder: order.count, start: start)
  }

  @usableFromInline
  package mutating func endMembers(_ members: OpenMembers, at place: ArchivePlace) {
    sortMembers(members, at: place)
    leaveElements(members.outer)
    order.truncate(to: members.firstInOrder)
  }

  /// Begins the keys of a dictionary, after room for their length.
  @usableFromInline
  package mutating func beginKeys(count: Int) -> OpenMembers {
    bytes.append(0 as UInt32)
    return beginMembers(count: count)
  }

  /// Puts the keys in their order, and begins the values.
  @usableFromInline
  package mutating func beginValues(_ members: inout OpenMembers, at place: ArchivePlace) {
    let count = elements.count
    sortMembers(members, at: place)
    leaveElements(members.outer)
    members.outer = beginElements(count: count, slot: 0)
    members.middle = bytes.count
  }

  /// Completes the values, and writes the length of the keys in its final width.
  @usableFromInline
  package mutating func endDictionary(_ members: OpenMembers) {
    finishElements()
    leaveElements(members.outer)
    order.truncate(to: members.firstInOrder)
    let start = members.start - StagedElements.keysLengthByteCount
    storeKeysLength(ofDictionaryAt: start, valuesAt: members.middle)
  }

  /// Stores the length of the keys of a dictionary, for which the staged width was kept.
  mutating func storeKeysLength(ofDictionaryAt start: Int, valuesAt middle: Int) {
    let keys = start + StagedElements.keysLengthByteCount
    let width = EndWidth.smallest(of: 1, besides: bytes.count - keys)
    moveBytes(from: keys, to: start + 1 << Int(width))
    bytes.store(middle - keys, width: width, at: start)
  }

  /// Sorts keys or members by their tags and bytes, and keeps the order unless there was an error.
  private mutating func sortMembers(_ members: OpenMembers, at place: ArchivePlace) {
    completeElements()
    if hasFailed { return }
    let (first, count) = (members.firstInOrder, elements.count)
    stagedMembers.truncate(to: 0)
    for index in 0..<count { stagedMembers.append(writtenElement(index)) }
    // The tag is a part of the key, so `Int` and `UInt` have 64 bits.
    var hasFlexible = false
    for index in 0..<count {
      let tag = stagedMembers[index].tag
      if tag.isFlexible {
        stagedMembers[index].tag = tag.integer(ofClass: 4)
        hasFlexible = true
      } else if !tag.isKeyable {
        return fail(
          .invalidValue, "a \(tag) cannot be a key or a member", under: place.step)
      }
    }
    for index in 0..<count {
      order.append(OrderedMember(stagedMembers[index], index: index, in: bytes))
    }
    if isStrictlySorted(first..<order.count) {
      if !hasFlexible { return compactElements() }
    } else {
      sort(first..<order.count)
      if !isStrictlySorted(first..<order.count) {
        order.truncate(to: first)
        return fail(
          .duplicateMember, "a dictionary or a set has one key or member twice", under: place.step)
      }
      if elements.tag != .any, !hasFlexible {
        reorderMembers(first..<order.count)
        return compactElements()
      }
    }
    var sorted = RawTable<StagedEntry>(capacity: count)
    for index in first..<order.count { sorted.append(stagedMembers[Int(order[index].index)]) }
    rewriteElements(sorted, 0..<count)
    finishElements()
  }

  /// Writes members of one tag again, in their order.
  private mutating func reorderMembers(_ range: Range<Int>) {
    if !elements.tag.isVariable {
      for (place, index) in range.enumerated() {
        bytes.store(
          stagedMembers[Int(order[index].index)],
          at: elements.slots + place * elements.tag.byteCount)
      }
      return
    }
    let end = bytes.count
    for (place, index) in range.enumerated() {
      let member = stagedMembers[Int(order[index].index)]
      let target = bytes.count
      bytes.appendRoom(member.byteCount)
      bytes.shift(member.start..<member.start + member.byteCount, to: target)
      bytes.store(UInt32(bytes.count - end), at: slotOfEnd(place))
    }
    bytes.shift(end..<bytes.count, to: elements.tail)
    bytes.truncate(to: end)
  }

  /// Sorts members, two of which may be the same.
  private mutating func sort(_ range: Range<Int>) {
    // The comparison reads this encoder.
    var order = RawTable<OrderedMember>(capacity: 0)
    swap(&self.order, &order)
    order.sort(range) { followsPrefix($0, $1) }
    swap(&self.order, &order)
  }

  @inline(__always)
  private func isStrictlySorted(_ range: Range<Int>) -> Bool {
    order.isStrictlySorted(range) { followsPrefix($0, $1) }
  }

  /// Whether a key or a member comes before another of its tag whose first eight bytes are the same.
  @inline(__always)
  private func followsPrefix(_ left: UInt32, _ right: UInt32) -> Bool {
    let (left, right) = (stagedMembers[Int(left)], stagedMembers[Int(right)])
    if left.tag.isVariable {
      return bytes.view.precedes(
        left.start..<left.start + left.byteCount, right.start..<right.start + right.byteCount)
    }
    return left.high.byteSwapped < right.high.byteSwapped
  }
}

// Records: the one of the object itself, those of values nested in it, and cases of enumerations.

extension ObjectEncoder {
  /// Writes a nested record whose keys are its own.
  ///
  /// For value types whose type name is known only when they are written; others conform to
  /// ``ArchiveRecord``.
  ///
  /// - Parameters:
  ///   - typeName: The stable name that inspectors show; may be empty.
  ///   - schemaVersion: The version of the set of keys.
  ///   - place: Where the value belongs.
  ///   - body: Writes the parts.
  @inlinable
  public mutating func encodeRecord(
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
  mutating func enterDepth(at place: ArchivePlace) -> Bool {
    if frame.depth < limits.nestingDepth { return true }
    failDepth(at: place)
    return false
  }

  @inline(never)
  @usableFromInline
  mutating func failDepth(at place: ArchivePlace) {
    fail(.limitExceeded, limits.excess(nesting: "values"), under: place.step)
  }

  /// Begins a record, inside the one that is open.
  ///
  /// As much room is kept for its slots and ends as the last record of the type took; they are moved
  /// apart or together when this one takes another.
  @inlinable
  mutating func beginRecord(typeName: String, schemaVersion: UInt32, writer: UInt32 = 0) {
    let outer = frame.node
    var index = outer == 0 ? elements.root : Int(plan.nodes[outer].nextRoot)
    let isPredicted = plan.nodes[index].isRoot(
      typeName: typeName, schemaVersion: schemaVersion, writer: writer)
    if !isPredicted {
      index = unpredictedRoot(typeName: typeName, schemaVersion: schemaVersion, writer: writer)
    }
    let root = plan.nodes[index]
    let start = bytes.count
    let expected = Int(root.expectedTail)
    bytes.appendRoom(expected)
    var inner = RecordFrame(depth: frame.depth &+ 1)
    if root.isWide { inner.scopeAndDepth |= RecordFrame.wide }
    inner.take(index, next: root.predicted)
    inner.start = start
    inner.tail = start &+ expected
    frame = inner
  }

  /// The node at which a record begins that is of another type than the last one in its place.
  @inline(never)
  @usableFromInline
  mutating func unpredictedRoot(typeName: String, schemaVersion: UInt32, writer: UInt32) -> Int {
    let root = plan.root(typeName: typeName, schemaVersion: schemaVersion, writer: writer)
    if frame.node == 0 {
      elements.root = root
    } else {
      plan.nodes[frame.node].nextRoot = Int32(truncatingIfNeeded: root)
    }
    return root
  }

  /// Begins a nested record after the other payloads.
  ///
  /// It has room in front for the number of its shape, mostly of one byte; among elements of one shape it
  /// has none there.
  @inlinable
  @inline(__always)
  mutating func beginBody(
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
  mutating func endBody(tag: ArchiveTag, at place: ArchivePlace) {
    let node = closeRecord()
    let start = frame.start
    switch place.target {
    case .key(let key):
      frame = outerFrames.removeLast()
      if plan.nodes[node].isCell, tag == .record, !place.isNullable, frame.node != 0,
        endCell(node, at: start, forKey: key)
      {
        return
      }
      store(shapeOf: node, before: start)
      _ = slot(of: key, tag: tag, flags: place.flags)
      ends.append(UInt32(truncatingIfNeeded: bytes.count &- frame.tail))
    case .element:
      // Elements are in no record.
      frame = RecordFrame(depth: frame.depth &- 1)
      endBodyElement(node, at: start, tag: tag)
    }
  }

  /// Puts a record of a fixed width in the slot where it belongs; false if it cannot lie there.
  @inlinable
  mutating func endCell(_ node: Int, at start: Int, forKey key: ArchiveKey) -> Bool {
    var cell = plan.nodes[node].cell
    if cell == 0 { cell = plan.makeCell(node) }
    if cell == 0 || plan.nodes[node].shape >= ShapeEntry.inlineCount { return false }
    let tail = frame.tail
    let target = slot(of: key, tag: .inline, flags: 0, cell: cell)
    // The slot may have moved the payloads, and this record with them.
    let source = start &+ frame.tail &- tail
    bytes.copy(Int(plan.nodes[node].byteCount), from: source, to: target)
    bytes.truncate(to: source &- 1)
    return true
  }

  /// Stores the number of a shape in front of a body, where one byte was kept for it.
  @inlinable
  @inline(__always)
  mutating func store(shapeOf node: Int, before body: Int) {
    let shape = plan.nodes[node].shape
    if UInt32(bitPattern: shape) < UInt32(ShapeNumber.two) {
      bytes.store(UInt8(truncatingIfNeeded: shape), at: body &- 1)
    } else {
      storeWide(shape: Int(shape), before: body)
    }
  }

  @inline(never)
  @usableFromInline
  mutating func storeWide(shape: Int, before body: Int) {
    // The record is not going to be written.
    if shape < 0 { return }
    moveBytes(from: body, to: body + ShapeNumber.byteCount(of: shape) - 1)
    bytes.store(shapeNumber: shape, at: body - 1)
  }

  /// Stores the ends of the open record, whose slots and payloads are in their places, and returns the
  /// step at which it ends.
  @inlinable
  @inline(__always)
  mutating func closeRecord() -> Int {
    let node = plan.nodes[frame.node]
    let count = Int(node.variableCount)
    let slots = Int(node.byteCount)
    // Most records have no payloads, and so no ends.
    if count == 0, node.shape >= 0, !frame.isWiderThanNeeded, frame.start &+ slots == frame.tail {
      return frame.node
    }
    let width = EndWidth.smallest(
      of: node.endCount, besides: slots &+ bytes.count &- frame.tail)
    let firstEnd = frame.start &+ slots
    if node.shape < 0 || frame.isWiderThanNeeded
      || firstEnd &+ node.endCount &<< Int(width) != frame.tail
      || count > ends.count
    {
      closeUnexpectedRecord(width)
    } else {
      bytes.storeEnds(count, of: &ends, width: width, at: firstEnd)
    }
    return frame.node
  }

  @inline(never)
  @usableFromInline
  mutating func closeUnexpectedRecord(_ width: UInt32) {
    guard Int(plan.nodes[frame.node].variableCount) <= ends.count else {
      return fail(.invalidValue, "a value of a record was begun and not ended")
    }
    if frame.isWiderThanNeeded { setWide(false) }
    if plan.nodes[frame.node].shape < 0, !makeShape() {
      layOutAgain { PlanNode.cell(of: $0) == 0 ? $0 : PlanNode.outOfSlot($0) }
      if plan.nodes[frame.node].shape < 0 { _ = makeShape() }
    }
    let node = plan.nodes[frame.node]
    let count = Int(node.variableCount)
    let tail = tail(ofPayloads: bytes.count - frame.tail)
    if tail != frame.tail { moveTail(to: tail) }
    bytes.storeEnds(count, of: &ends, width: width, at: frame.start + Int(node.byteCount))
  }

  /// Where the payloads begin if the open record ends with the step that was taken last and its
  /// payloads take so many bytes.
  func tail(ofPayloads byteCount: Int) -> Int {
    let node = plan.nodes[frame.node]
    let slots = Int(node.byteCount)
    let width = EndWidth.smallest(of: node.endCount, besides: slots + byteCount)
    return frame.start + slots + node.endCount << Int(width)
  }

  /// Gives a shape to a record that ends at this node for the first time; false if records in its slots
  /// cannot lie there, since there are too many shapes (Spec/archive.md, 5.4).
  mutating func makeShape() -> Bool {
    let steps = plan.steps(to: frame.node).dropFirst()
    var wordCount = steps.count
    for step in steps where PlanNode.cell(of: plan.nodes[step].signature) != 0 { wordCount += 1 }
    let most = min(limits.slotCount, ShapeEntry.largestWordCount)
    if wordCount > most {
      failLimit("a record has \(wordCount) keys", "slotCount", allows: most)
      return true
    }
    if tablesMark == nil { tablesMark = tables.counts }
    var enumerationCase = -1
    var declarations: [SlotDeclaration] = []
    declarations.reserveCapacity(steps.count)
    keyNumbers.beginRecord()
    for step in steps {
      let node = plan.nodes[step]
      if node.signature == PlanNode.caseSignature {
        let name = plan.keys[step].name
        check(name: name)
        enumerationCase = tables.number(ofKey: name, space: .enumerationCase)
        continue
      }
      let key = number(of: node, step: step)
      guard keyNumbers.add(key) else {
        let slot = plan.slot(of: step)
        let names = plan.names(of: slot.scope) + [slot.key.description]
        fail(
          .duplicateKey, "a key was encoded twice in one scope",
          under: names.joined(separator: "."))
        return true
      }
      let cell = PlanNode.cell(of: node.signature)
      declarations.append(
        SlotDeclaration(
          key: key, tag: ArchiveTag(rawValue: UInt8(truncatingIfNeeded: node.signature >> 8)),
          isNullable: node.signature & ArchivePlace.nullableFlag != 0,
          cell: cell == 0 ? -1 : plan.nodes[plan.node(of: UInt16(cell))].shape,
          omitsNil: node.signature & ArchivePlace.omitsNilFlag != 0))
    }
    let type = plan.type(of: frame.node)
    check(name: type.name)
    let entry = ShapeEntry(
      type: UInt32(tables.number(of: type)), enumerationCase: enumerationCase,
      slots: declarations)
    if entry.hasInline, tables.counts.shapes >= ShapeEntry.inlineCount, !tables.hasShape(entry) {
      return false
    }
    let shape = tables.number(of: entry)
    checkTableSizes()
    plan.nodes[frame.node].shape = Int32(shape)
    shapedNodes.append(frame.node)
    return true
  }

  /// The number of a step's key, giving numbers to its scopes first.
  private mutating func number(of node: PlanNode, step: Int) -> UInt32 {
    if let known = keyNumbers.number(of: node) { return known }
    let key = plan.keys[step]
    let innermost = Int32(truncatingIfNeeded: node.signature >> 32)
    var scope = -1
    if innermost >= 0 {
      for name in plan.names(of: innermost) {
        check(name: name)
        scope = tables.number(ofKey: name, space: .scope, scope: scope)
      }
    }
    check(name: key.name)
    let number = UInt32(
      tables.number(ofKey: key.name, space: key.isReserved ? .reserved : .user, scope: scope))
    keyNumbers.remember(number, of: node)
    return number
  }

  private mutating func check(name: String) {
    let most = min(limits.nameByteCount, NameLength.largest)
    if name.utf8.count > most {
      failLimit("a name has \(name.utf8.count) bytes", "nameByteCount", allows: most)
    }
  }

  private mutating func checkTableSizes() {
    let counts = tables.counts
    let most = (
      keys: min(limits.keyCount, KeyEntry.largestCount),
      types: min(limits.typeCount, TypeEntry.largestCount),
      shapes: min(limits.shapeCount, ShapeEntry.largestCount)
    )
    if counts.keys > most.keys {
      failLimit("the archive has \(counts.keys) keys", "keyCount", allows: most.keys)
    }
    if counts.types > most.types {
      failLimit("the archive has \(counts.types) types", "typeCount", allows: most.types)
    }
    if counts.shapes > most.shapes {
      failLimit("the archive has \(counts.shapes) shapes", "shapeCount", allows: most.shapes)
    }
  }

  private mutating func failLimit(_ what: String, _ limit: String, allows most: Int) {
    fail(.limitExceeded, ArchiveLimits.excess(what, limit, allows: most))
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
  ///   - place: Where the value belongs.
  ///   - body: Writes the values of the case.
  public mutating func encodeEnumeration(
    _ name: ArchiveKey, typeName: String = "", schemaVersion: UInt32 = 0, at place: ArchivePlace,
    _ body: (inout ObjectEncoder) -> Void
  ) {
    guard enterDepth(at: place) else { return encodeNil(tag: .enumeration, at: place) }
    beginBody(tag: .enumeration, typeName: typeName, schemaVersion: schemaVersion, at: place)
    beginCase(name)
    body(&self)
    endBody(tag: .enumeration, at: place)
  }

  /// Names the case: the first step of the plan, which takes no room in the record.
  mutating func beginCase(_ name: ArchiveKey) {
    let next = frame.next
    let node = plan.nodes[next]
    if node.signature == PlanNode.caseSignature, node.identity == StringIdentity(name.name) {
      frame.take(next, next: node.predicted)
    } else {
      _ = unpredictedSlot(of: ArchiveKey(name.name), signature: PlanNode.caseSignature)
    }
  }

  mutating func encodeConditionalReference(_ number: UInt32, at place: ArchivePlace) {
    highestConditional = max(highestConditional, number)
    encodeFixed(number, tag: .conditionalReference, at: place)
  }
}

// The record of the object itself.

/// The highest numbers that were referred to before an object was begun.
struct ReferenceMark {
  var highestReference: UInt32
  var highestConditional: UInt32
}

extension ObjectEncoder {
  var referenceMark: ReferenceMark {
    ReferenceMark(highestReference: highestReference, highestConditional: highestConditional)
  }

  /// Begins an object's record at the end of the bytes, and returns where.
  @usableFromInline
  mutating func beginObject(
    _ id: ArchiveObjectID, typeName: String, schemaVersion: UInt32
  ) -> Int {
    objectID = id
    if hasFailed { (failure, hasFailed) = (nil, false) }
    frame = RecordFrame()
    outerFrames.truncate(to: 0)
    order.truncate(to: 0)
    ends.truncate(to: 0)
    numberArrays.clear()
    let start = bytes.count
    beginRecord(typeName: typeName, schemaVersion: schemaVersion)
    return start
  }

  /// Completes an object's record; when it cannot be written, nothing of it remains.
  ///
  /// The tables know what the object added until it is settled.
  ///
  /// - Returns: The last step of the plan, which has the shape.
  mutating func endObject(
    at start: Int, since mark: ReferenceMark
  ) throws(ArchiveError) -> Int {
    let node = closeRecord()
    frame = RecordFrame()
    let length = bytes.count &- start
    if hasFailed || length > min(limits.recordByteCount, Int(UInt32.max)) {
      try refuseObject(at: start, since: mark, length: length)
    }
    return node
  }

  /// Takes back an object that has an error or is too long, and throws.
  @inline(never)
  private mutating func refuseObject(
    at start: Int, since mark: ReferenceMark, length: Int
  ) throws(ArchiveError) {
    let most = min(limits.recordByteCount, Int(UInt32.max))
    if length > most { failLimit("a record has \(length) bytes", "recordByteCount", allows: most) }
    dropObject(at: start, since: mark)
    if let failure { throw failure }
  }

  /// What the tables had before the object that was ended last, and is not settled.
  var tablesBeforeObject: TableCounts { tablesMark ?? tables.counts }

  /// Does what is left to do for an object when its body is where it stays.
  @inline(__always)
  mutating func settleObject() {
    numberArrays.align(in: &bytes)
    if tablesMark != nil {
      tablesMark = nil
      shapedNodes.removeAll(keepingCapacity: true)
    }
  }

  /// Takes back what an object wrote, so that the same archive always gives the same bytes.
  mutating func dropObject(at start: Int, since mark: ReferenceMark) {
    bytes.truncate(to: start)
    frame = RecordFrame()
    elements = ElementsFrame()
    highestReference = mark.highestReference
    highestConditional = mark.highestConditional
    if let tablesMark {
      forgetShapes(since: tablesMark)
      self.tablesMark = nil
    }
  }

  /// Takes back the entries of the tables that this object added.
  mutating func forgetShapes(since mark: TableCounts) {
    tables.rewind(to: mark)
    keyNumbers.forget()
    for node in shapedNodes { plan.nodes[node].shape = -1 }
    shapedNodes.removeAll(keepingCapacity: true)
  }

  /// Writes a reserved value that is present.
  mutating func encodeReserved(_ value: (some ArchiveValue)?, _ key: ArchiveKey) {
    value?.encode(to: &self, at: .key(key))
  }
}

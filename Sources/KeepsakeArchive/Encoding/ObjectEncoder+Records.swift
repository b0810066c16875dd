// Records: the one of the object itself, and those of values nested in it.

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
    let slot = beginPayload(tag: .record, at: place)
    let outer = beginRecord(typeName: typeName, schemaVersion: schemaVersion)
    body(&self)
    endRecord(outer)
    endPayload(slot: slot, at: place)
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
    fail(
      .limitExceeded, "values are nested more than \(limits.nestingDepth) deep", under: place.step)
  }

  /// Begins a record and returns the frame to go back to.
  ///
  /// As much room is kept for its slots as the last record of the type took; they are moved apart
  /// or together when this one takes another.
  @inlinable
  mutating func beginRecord(
    typeName: String, schemaVersion: UInt32, writer: UInt32 = 0
  ) -> RecordFrame {
    let outer = frame
    let root = plan.root(
      after: lastRoot, typeName: typeName, schemaVersion: schemaVersion, writer: writer)
    lastRoot = root
    let start = bytes.count
    let expected = Int(plan.nodes[root].expectedTail)
    bytes.appendRoom(expected)
    // What lies between the last slot and the payloads is zero.
    if expected >= 8 { bytes.store(0 as UInt64, at: start &+ expected &- 8) }
    frame = RecordFrame(depth: outer.depth &+ 1)
    frame.node = root
    frame.start = start
    frame.tail = start &+ expected
    return outer
  }

  /// Completes the record.
  @inlinable
  mutating func endRecord(_ outer: RecordFrame) {
    let node = plan.nodes[frame.node]
    let tail = frame.start &+ Int(node.tailStart)
    if node.shape < 0 || tail != frame.tail {
      endUnexpectedRecord()
    } else {
      bytes.store(node.shape, at: frame.start)
    }
    frame = outer
  }

  @inline(never)
  @usableFromInline
  mutating func endUnexpectedRecord() {
    let node = plan.nodes[frame.node]
    let tail = frame.start + Int(node.tailStart)
    if tail != frame.tail {
      moveTail(to: tail)
      bytes.clear(frame.start + Int(node.byteCount)..<tail)
    }
    let shape = node.shape >= 0 ? node.shape : makeShape()
    bytes.store(shape, at: frame.start)
  }

  /// Gives a shape to a record that ends at this node for the first time.
  private mutating func makeShape() -> Int32 {
    var steps = plan.path(to: frame.node)
    if steps.count > limits.slotCount {
      fail(.limitExceeded, "a record has more than \(limits.slotCount) keys")
      return -1
    }
    if tablesMark == nil { tablesMark = tables.mark }
    var enumerationCase: UInt32 = 0
    if let first = steps.first, first.isCase {
      check(name: first.key.name)
      enumerationCase =
        tables.key(.init(scope: 0, space: .enumerationCase, name: ArchiveKey(first.key.name))) + 1
      steps.removeFirst()
    }
    var declarations: [SlotDeclaration] = []
    var seen: Set<UInt32> = []
    for step in steps {
      let key = number(of: step)
      guard seen.insert(key).inserted else {
        let names = plan.names(of: step.scope) + [step.key.description]
        fail(
          .duplicateKey, "a key was encoded twice in one scope",
          under: names.joined(separator: "."))
        return -1
      }
      declarations.append(SlotDeclaration(key: key, tag: step.tag, isNullable: step.isNullable))
    }
    let type = plan.type(of: frame.node)
    check(name: type.key.name)
    let shape = tables.shape(
      .init(
        type: tables.type(type), enumerationCase: enumerationCase, slots: declarations))
    checkTableSizes()
    plan.nodes[frame.node].shape = Int32(shape)
    shapedNodes.append(frame.node)
    return Int32(shape)
  }

  /// The number of a key, giving numbers to its scopes first.
  private mutating func number(of slot: PlannedSlot) -> UInt32 {
    var scope: UInt32 = 0
    for name in plan.names(of: slot.scope) {
      check(name: name)
      scope = tables.key(.init(scope: scope, space: .scope, name: ArchiveKey(name))) + 1
    }
    check(name: slot.key.name)
    return tables.key(
      .init(
        scope: scope, space: slot.key.isReserved ? .reserved : .user,
        name: ArchiveKey(slot.key.name)))
  }

  private mutating func check(name: String) {
    if name.utf8.count > limits.nameByteCount {
      fail(.limitExceeded, "a name is longer than \(limits.nameByteCount) bytes")
    }
  }

  private mutating func checkTableSizes() {
    let mark = tables.mark
    if mark.keys > limits.keyCount || mark.types > limits.typeCount
      || mark.shapes > limits.shapeCount
    {
      fail(.limitExceeded, "the archive has more distinct keys, types or shapes than it may")
    }
  }
}

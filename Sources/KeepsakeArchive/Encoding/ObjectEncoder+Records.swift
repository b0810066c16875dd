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
  public mutating func encodeRecord(
    typeName: String = "", schemaVersion: UInt32 = 0, at place: ArchivePlace,
    _ body: (inout ObjectEncoder) -> Void
  ) {
    guard enterDepth(at: place) else {
      write(SlotValue(.record, bits: 0), at: place)
      return
    }
    let outer = beginRecord(typeName: typeName, schemaVersion: schemaVersion)
    body(&self)
    let start = endRecord(outer)
    writeStaged(from: start, tag: .record, at: place)
  }

  /// Whether one more level of nesting is allowed; keeps an error when not.
  @usableFromInline
  mutating func enterDepth(at place: ArchivePlace) -> Bool {
    if frame.depth < limits.nestingDepth { return true }
    fail(
      .limitExceeded, "values are nested more than \(limits.nestingDepth) deep", under: place.step)
    return false
  }

  /// Begins a record and returns the frame to go back to.
  mutating func beginRecord(typeName: String, schemaVersion: UInt32) -> Frame {
    let outer = frame
    frame = Frame(
      node: plan.root(typeName: typeName, schemaVersion: schemaVersion), values: values.count,
      stage: stage.count, depth: outer.depth + 1)
    return outer
  }

  /// Lays the record out at the end of the staging buffer, in place of what was staged for it, and
  /// returns where it begins.
  mutating func endRecord(_ outer: Frame) -> Int {
    let staged = frame.stage
    let start = stage.count
    if let layout = layoutOfRecord() {
      emit(layout)
    }
    values.removeLast(values.count - frame.values)
    stage.remove(staged..<start)
    frame = outer
    return staged
  }

  private mutating func layoutOfRecord() -> Int? {
    let known = plan.nodes[Int(frame.node)].layout
    return known >= 0 ? Int(known) : makeLayout()
  }

  /// Computes the shape of a record that ends at this node for the first time.
  @inline(never)
  private mutating func makeLayout() -> Int? {
    let steps = plan.path(to: frame.node)
    if steps.count > limits.slotCount {
      fail(.limitExceeded, "a record has more than \(limits.slotCount) keys")
      return nil
    }
    let paths = steps.map { KeyOrder.path(scopes: plan.names(of: $0.scope), key: $0.key) }
    let order = steps.indices.sorted { KeyOrder.precedes(paths[$0], paths[$1]) }
    for (left, right) in zip(order, order.dropFirst()) where paths[left] == paths[right] {
      let names = plan.names(of: steps[left].scope) + [steps[left].key.description]
      fail(
        .duplicateKey, "a key was encoded twice in one scope",
        under: names.joined(separator: "."))
      return nil
    }
    let declarations = order.map { index in
      SlotDeclaration(
        key: number(of: steps[index]), tag: steps[index].tag, isNullable: steps[index].isNullable)
    }
    let type = plan.types[Int(plan.nodes[Int(frame.node)].type)]
    check(name: type.key.name)
    let shape = tables.shape(.init(type: tables.type(type), slots: declarations))
    checkTableSizes()
    let layout = RecordLayout(slots: declarations)
    let writes = order.indices.map { slot in
      RecordPlan.Write(
        value: order[slot], offset: layout.offsets[slot],
        byteCount: declarations[slot].tag.width?.byteCount ?? 0, nilBit: layout.nilBits[slot])
    }
    layouts.append(
      RecordPlan(
        shape: shape, fixedByteCount: layout.fixedByteCount, bitmapOffset: layout.bitmapOffset,
        writes: writes.sorted { $0.offset < $1.offset }))
    layoutNodes.append(frame.node)
    plan.setLayout(Int32(layouts.count - 1), of: frame.node)
    return layouts.count - 1
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

  private mutating func emit(_ index: Int) {
    let base = stage.count
    let first = frame.values
    stage.appendZeros(layouts[index].fixedByteCount)
    stage.store(layouts[index].shape, at: base)
    for position in layouts[index].writes.indices {
      let write = layouts[index].writes[position]
      let value = values[first + write.value]
      if value.isNil {
        if write.nilBit >= 0 {
          stage.setBits(
            1 << UInt8(write.nilBit & 7), at: base + layouts[index].bitmapOffset + write.nilBit / 8)
        }
      } else {
        store(value, byteCount: write.byteCount, at: base + write.offset, base: base)
      }
    }
  }

  /// Stores one value in its slot, and moves its payload to the tail that begins at `base`.
  mutating func store(_ value: SlotValue, byteCount: Int, at offset: Int, base: Int) {
    if value.isStaged {
      let word = UInt64((stage.count - base) / 8)
      stage.appendCopy(of: Int(value.low)..<Int(value.low + value.high))
      stage.pad()
      stage.store(value.high << 32 | word << 1 | 1, at: offset)
      return
    }
    switch byteCount {
    case 1: stage.store(UInt8(truncatingIfNeeded: value.low), at: offset)
    case 2: stage.store(UInt16(truncatingIfNeeded: value.low), at: offset)
    case 4: stage.store(UInt32(truncatingIfNeeded: value.low), at: offset)
    case 8: stage.store(value.low, at: offset)
    case 16:
      stage.store(value.low, at: offset)
      stage.store(value.high, at: offset + 8)
    default: break
    }
  }
}

// Records: values under keys, put in the order of the keys when the record ends.

extension RecordAssembler {
  /// The plan does not follow records of more keys than this: it would remember every order in which a dictionary
  /// returns its keys.
  private static var followedKeyCount: Int { 64 }

  /// The maximum number of steps that records add to the plan; after that, records with new steps are listed.
  private static var followedStepLimit: Int { 8192 }

  /// Makes the value a record below a root of ``root(ofKeys:)``; false when it is something else already.
  package mutating func openKeyed(_ root: Int) -> Bool {
    if frame.content == .keyed || frame.content == .listed { return true }
    guard frame.content == .empty else { return false }
    enterDepth()
    frame.content = .keyed
    frame.root = Int32(root)
    let root = encoder.plan.roots[root]
    frame.step = root.firstStep
    // The number of the shape is stored first, except for elements of an array.
    if !isElement { encoder.bytes.appendRoom(1) }
    frame.start = encoder.bytes.count
    encoder.bytes.appendRoom(Int(root.expectedTail))
    frame.tail = encoder.bytes.count
    return true
  }

  private var isElement: Bool {
    @inline(__always)
    get { outer.count > 0 && outer[outer.count - 1].content == .array }
  }

  @inline(__always)
  mutating func put(_ entry: StagedEntry, forKey key: String) {
    if entry.tag.isFlexible, !entry.isNarrow { frame.isWide = true }
    let signature = Self.signature(of: entry)
    let next = encoder.plan.steps[Int(frame.step)].predicted
    let step = encoder.plan.steps[Int(next)]
    if step.signature == signature, step.identity == StringIdentity(key), frame.content == .keyed {
      entries.append(entry)
      frame.step = next
    } else {
      putAfterMiss(entry, key, signature)
    }
  }

  @inline(never)
  private mutating func putAfterMiss(
    _ entry: StagedEntry, _ key: String, _ signature: StepSignature
  ) {
    if frame.content == .irregular { return }
    entries.append(entry)
    if frame.content == .keyed {
      if entries.count - frame.firstEntry <= Self.followedKeyCount,
        encoder.plan.assembly.followedStepCount < Self.followedStepLimit
      {
        let count = encoder.plan.steps.count
        guard
          let next = encoder.plan.advance(
            from: Int(frame.step), key: ArchiveKey(key), signature: signature)
        else { return encoder.failWordCount() }
        frame.step = Int32(next)
        encoder.plan.assembly.followedStepCount += encoder.plan.steps.count - count
        return
      }
      frame.content = .listed
      for step in encoder.plan.steps(to: Int(frame.step)) { listed.append(listedKey(of: step)) }
    }
    listed.append(ListedKey(key: ArchiveKey(key), signature: signature))
  }

  /// The signature of an entry under an unscoped key.
  @inline(__always)
  private static func signature(of entry: StagedEntry) -> StepSignature {
    let isInline =
      entry.inlineRecord != StepSignature.noInlineRecord && entry.shape.isLowEnoughForSlots
      && !entry.omitsNil
    return StepSignature(
      in: RecordFrame(), tag: isInline ? .inline : entry.tag, flags: entry.nilFlags,
      inlineRecord: isInline ? entry.inlineRecord : StepSignature.noInlineRecord)
  }

  mutating func endKeyed() -> StagedEntry {
    let last = Int(frame.step)
    if let layout = encoder.plan.layout(ofOrderTo: last, isWide: frame.isWide) {
      return endRecord(layout)
    }
    let keys = encoder.plan.steps(to: last).map { listedKey(of: $0) }
    let layout = makeLayout(keys[...])
    encoder.plan.keep(layout, ofOrderTo: last, isWide: frame.isWide)
    return endRecord(layout)
  }

  private func listedKey(of step: Int) -> ListedKey {
    ListedKey(key: encoder.plan.keys[step], signature: encoder.plan.steps[step].signature)
  }

  /// True when the keys of the open record need more words than a shape can have: a record that is stored in its slot
  /// needs two words, any other value needs one.
  ///
  /// The getter is mutating for the same reason as that of ``hasNested``.
  package var exceedsShape: Bool {
    mutating get {
      let first = Int(frame.firstKey)
      guard frame.content == .listed, listed.count - first > ShapeEntry.largestWordCount / 2 else {
        return false
      }
      var isInline: [ArchiveKey: Bool] = [:]
      for key in listed[first...] {
        isInline[key.key] = key.signature.isInline
      }
      return isInline.count + isInline.values.count { $0 } > ShapeEntry.largestWordCount
    }
  }

  mutating func endListed() -> StagedEntry {
    let mark = encoder.plan.assembly.stores.count
    let layout = makeLayout(listed[frame.firstKey...])
    defer { encoder.plan.assembly.stores.truncate(to: mark) }
    return endRecord(layout)
  }

  /// Sorts the keys by their bytes, keeps the last of equal keys, and finds their places in the record.
  private mutating func makeLayout(_ keys: ArraySlice<ListedKey>) -> AssemblyLayout {
    let base = keys.startIndex
    let order = MemberOrder.sorted(
      count: keys.count, prefix: { keys[base + $0].key.name.firstBytes },
      precedes: { left, right in
        let (a, b) = (keys[base + left].key.name, keys[base + right].key.name)
        return a.hasSameBytes(as: b) ? left < right : a.bytesPrecede(b)
      })
    let first = encoder.plan.assembly.stores.count
    var last = Int(encoder.plan.roots[root].firstStep)
    var lastContainer = -1
    var reordersContainers = false
    for (position, index) in order.enumerated() {
      let key = keys[base + index].integer(isWide: frame.isWide)
      let tag = key.signature.tag
      let isContainer = tag.isContainer || tag == .inline
      if position + 1 < order.count, keys[base + order[position + 1]].key == key.key {
        if isContainer { reordersContainers = true }
        continue
      }
      guard let next = step(from: last, key) else {
        encoder.failWordCount()
        break
      }
      last = next
      let step = encoder.plan.steps[last]
      encoder.plan.assembly.stores.append(AssemblyStore(entry: index, tag, at: step))
      if isContainer {
        if index < lastContainer { reordersContainers = true }
        lastContainer = index
      }
    }
    return AssemblyLayout(
      stores: first..<encoder.plan.assembly.stores.count, step: last,
      byteCount: Int(encoder.plan.steps[last].byteCount), reordersContainers: reordersContainers)
  }

  private mutating func step(from last: Int, _ key: ListedKey) -> Int? {
    let next = Int(encoder.plan.steps[last].predicted)
    let candidate = encoder.plan.steps[next]
    if candidate.signature == key.signature, candidate.identity == StringIdentity(key.key.name) {
      return next
    }
    return encoder.plan.advance(from: last, key: key.key, signature: key.signature)
  }

  /// Ends the record, which gets its entries now.
  private mutating func endRecord(_ layout: AssemblyLayout) -> StagedEntry {
    let start = frame.start
    let outside = encoder.frame
    encoder.frame = RecordFrame(step: layout.step, start: start, tail: frame.tail)
    if layout.reordersContainers, encoder.shapes.steps.count > frame.shapeMark {
      areShapesOutOfOrder = true
    }
    if frame.tail < start &+ layout.byteCount {
      encoder.moveTail(to: encoder.tail(ofPayloads: encoder.bytes.count - frame.tail))
    }
    storeEntries(layout, recordAt: start)
    let last = encoder.closeRecord()
    if !isElement { encoder.store(shapeOf: last, before: start) }
    encoder.plan.roots[Int(frame.root)].expectedTail = Int32(
      clamping: encoder.frame.tail &- start)
    encoder.frame = outside
    return entry(ofRecordAt: start, endingAt: last)
  }

  /// Stores the entries of the record in its slots, and puts the payloads in the order of the slots.
  @inline(__always)
  private mutating func storeEntries(_ layout: AssemblyLayout, recordAt start: Int) {
    // The payloads were moved by this distance since they were staged.
    let tail = encoder.frame.tail
    let moved = tail &- frame.tail
    var isInOrder = true
    var end = 0
    for index in layout.stores {
      let store = encoder.plan.assembly.stores[index]
      let entry = entries[frame.firstEntry &+ Int(store.entry)]
      if store.openedByte != PlanStep.noByte {
        encoder.bytes.store(0 as UInt8, at: start &+ Int(store.openedByte))
      }
      if entry.isNil {
        storeNil(store, at: start)
        if store.kind == .payload { encoder.ends.append(EndWidth.cut(end)) }
        continue
      }
      let offset = start &+ Int(store.offset)
      switch store.kind {
      case .none: break
      case .bytes1: encoder.bytes.store(UInt8(truncatingIfNeeded: entry.low), at: offset)
      case .bytes2: encoder.bytes.store(UInt16(truncatingIfNeeded: entry.low), at: offset)
      case .bytes4: encoder.bytes.store(UInt32(truncatingIfNeeded: entry.low), at: offset)
      case .bytes8: encoder.bytes.store(entry.low, at: offset)
      case .bytes16:
        encoder.bytes.store(entry.low, at: offset)
        encoder.bytes.store(entry.high, at: offset &+ 8)
      case .bit: if entry.low != 0 { encoder.bytes.setBits(store.bit, at: offset) }
      case .inline: encoder.bytes.copy(entry.byteCount, from: entry.start &+ moved, to: offset)
      case .payload:
        let number = entry.numberByteCount
        if entry.start &- number &+ moved != tail &+ end { isInOrder = false }
        end &+= number &+ entry.byteCount
        encoder.ends.append(EndWidth.cut(end))
      }
    }
    if isInOrder {
      encoder.bytes.truncate(to: tail &+ end)
      encoder.numberArrays.drop(from: tail &+ end)
    } else {
      reorderPayloads(layout, moved: moved, byteCount: end)
    }
  }

  /// The entry of a record that is complete and ends with a step of the plan.
  @inline(__always)
  private mutating func entry(ofRecordAt start: Int, endingAt last: Int) -> StagedEntry {
    let shape = encoder.plan.steps[last].shape
    // A number of more than one byte moved the body.
    let first =
      isElement || shape.isNone ? start : start &- 1 &+ ShapeNumber.byteCount(of: shape.number)
    var entry = StagedEntry.body(.record, first..<encoder.bytes.count, shape: shape)
    if encoder.plan.steps[last].isCell {
      entry.inlineRecord = encoder.plan.steps[last].inlineRecord
      if entry.inlineRecord == StepSignature.noInlineRecord {
        entry.inlineRecord = encoder.plan.makeInlineRecord(endingAt: last)
      }
    }
    return entry
  }

  /// Sets the nil bit of a slot, and clears the slot.
  private mutating func storeNil(_ store: AssemblyStore, at start: Int) {
    encoder.bytes.setBits(store.nilMask, at: start &+ Int(store.nilOffset))
    if store.tag.isVariable || store.tag.isBit { return }
    let offset = start &+ Int(store.offset)
    encoder.bytes.clear(offset..<offset &+ store.tag.byteCount)
  }

  /// Moves the payloads to their final offset, in the order of their slots.
  private mutating func reorderPayloads(_ layout: AssemblyLayout, moved: Int, byteCount: Int) {
    let tail = encoder.frame.tail
    let taken = encoder.numberArrays.take(from: tail)
    defer { encoder.numberArrays.end(taken) }
    scratch.truncate(to: 0)
    scratch.append(from: writer.encoder.bytes, tail..<writer.encoder.bytes.count)
    encoder.bytes.truncate(to: tail)
    let target = encoder.tail(ofPayloads: byteCount)
    if target != tail { encoder.moveTail(to: target) }
    for index in layout.stores {
      let store = encoder.plan.assembly.stores[index]
      let entry = entries[frame.firstEntry &+ Int(store.entry)]
      guard store.kind == .payload, !entry.isNil else { continue }
      let first = entry.payload.lowerBound &+ moved
      let last = entry.payload.upperBound &+ moved
      if !taken.isEmpty {
        encoder.numberArrays.put(taken, in: first..<last, at: encoder.bytes.count)
      }
      writer.encoder.bytes.append(from: scratch, first &- tail..<last &- tail)
    }
  }
}

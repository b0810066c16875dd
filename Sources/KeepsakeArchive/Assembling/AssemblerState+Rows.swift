// Arrays (Spec/archive.md, 5.5), whose length is known only when they end.

extension AssemblerState {
  mutating func openUnkeyed() -> Bool {
    if frame.content == .row { return true }
    guard frame.content == .empty else { return false }
    enterDepth()
    frame.content = .row
    frame.start = encoder.bytes.count
    // The payloads of elements follow each other after the head of the array.
    encoder.bytes.appendRoom(StagedElements.headByteCount)
    return true
  }

  /// Keeps the next element of the open array.
  mutating func append(_ entry: StagedEntry) {
    guard frame.content == .row else { return }
    frame.count &+= 1
    if frame.count == 1 { frame.shape = entry.shape }
    if frame.shape != entry.shape { frame.shape = .none }
    if entry.tag == .null {
      frame.hasNil = true
    } else if frame.tag == .null {
      frame.tag = entry.tag
    } else if frame.tag != entry.tag {
      frame.tag = .any
    }
    entries.append(entry)
  }

  mutating func endRow() -> StagedEntry {
    let start = frame.start
    let elements = frame.firstEntry..<entries.count
    if elements.isEmpty {
      encoder.bytes.truncate(to: start)
    } else if frame.tag == .record, !frame.hasNil, !frame.shape.isNone {
      endBodies(elements)
    } else if frame.tag.isVariable, frame.tag != .record, !frame.hasNil {
      encoder.endArray(of: frame.tag, payloads: entries, elements, at: start)
    } else if frame.tag.isFlexible, !frame.hasNil {
      encoder.bytes.truncate(to: start)
      encoder.append(
        integers: elements.map { Int64(bitPattern: entries[$0].low) }, tag: frame.tag)
    } else if frame.tag.isFixed, !frame.hasNil {
      endNumbers(elements)
    } else {
      let outside = encoder.beginElements(count: elements.count, slot: 0)
      encoder.elements.start = start
      // Only scalars have a form for nils among them.
      encoder.rewriteElements(
        entries, elements, withTags: !frame.tag.isFixed || frame.tag.isBit)
      encoder.finishElements()
      encoder.leaveElements(outside)
    }
    return .payload(.array, start..<encoder.bytes.count)
  }

  /// Records of one shape.
  private mutating func endBodies(_ elements: Range<Int>) {
    if entries[elements.lowerBound].inlineRecord != StepSignature.noInlineRecord {
      encoder.endCells(shape: frame.shape.number, tag: .record, at: frame.start)
    } else {
      encoder.endArray(of: .record, payloads: entries, elements, at: frame.start)
    }
  }

  /// Elements of one width without nils.
  private mutating func endNumbers(_ elements: Range<Int>) {
    encoder.bytes.truncate(to: frame.start)
    if frame.tag.isBit {
      encoder.bytes.append(frame.tag.rawValue)
      for index in elements { encoder.bytes.append(UInt8(truncatingIfNeeded: entries[index].low)) }
      return encoder.bytes.packBits(elements.count, at: frame.start + 1)
    }
    let byteCount = elements.count * frame.tag.byteCount
    var offset = encoder.appendArray(of: frame.tag, count: elements.count) { bytes in
      bytes.appendRoom(byteCount)
    }
    for index in elements {
      encoder.bytes.store(entries[index], at: offset)
      offset &+= frame.tag.byteCount
    }
  }
}

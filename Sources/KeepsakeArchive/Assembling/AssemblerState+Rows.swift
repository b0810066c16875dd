// Arrays (Spec/archive.md, 5.5), whose length is known only when they end.

extension AssemblerState {
  mutating func openUnkeyed() -> Bool {
    if frame.content == .packed || frame.content == .row { return true }
    guard frame.content == .empty else { return false }
    enterDepth()
    frame.content = .packed
    frame.start = encoder.bytes.count
    encoder.bytes.beginArray(of: .null, count: 0)
    return true
  }

  /// Keeps the next element of the open array.
  mutating func append(_ entry: StagedEntry) {
    if frame.content == .packed, frame.tag == entry.tag, frame.count > 0 {
      frame.count &+= 1
      encoder.bytes.append(entry)
    } else if frame.content == .packed, frame.count == 0, entry.tag.isFixed {
      beginPacked(entry)
    } else {
      appendEntry(entry)
    }
  }

  /// Begins a row with a number; the count of all is known at its end.
  private mutating func beginPacked(_ entry: StagedEntry) {
    frame.tag = entry.tag
    frame.count = 1
    encoder.bytes.truncate(to: frame.start)
    encoder.bytes.beginArray(of: entry.tag, count: 0)
    frame.tail = encoder.bytes.count
    encoder.bytes.append(entry)
  }

  private mutating func appendEntry(_ entry: StagedEntry) {
    if frame.content == .packed { unpack() }
    guard frame.content == .row else { return }
    frame.count &+= 1
    if entry.tag == .null {
      frame.hasNil = true
    } else if frame.tag == .null {
      frame.tag = entry.tag
    } else if frame.tag != entry.tag {
      frame.tag = .any
    }
    entries.append(entry)
  }

  /// Takes the numbers out again that lie side by side.
  private mutating func unpack() {
    frame.content = .row
    let width = frame.tag.byteCount
    for index in 0..<frame.count {
      entries.append(packedEntry(at: frame.tail + index * width))
    }
    // The payload of the element that comes next may lie behind them already: their bytes stay, and
    // are left out when the array is written.
  }

  private func packedEntry(at offset: Int) -> StagedEntry {
    var entry = StagedEntry(tag: frame.tag, low: 0, high: 0)
    switch frame.tag.byteCount {
    case 1: entry.low = UInt64(encoder.bytes.load(UInt8.self, at: offset))
    case 2: entry.low = UInt64(encoder.bytes.load(UInt16.self, at: offset))
    case 4: entry.low = UInt64(encoder.bytes.load(UInt32.self, at: offset))
    case 8: entry.low = encoder.bytes.load(UInt64.self, at: offset)
    default:
      entry.low = encoder.bytes.load(UInt64.self, at: offset)
      entry.high = encoder.bytes.load(UInt64.self, at: offset + 8)
    }
    return entry
  }

  mutating func endRow() -> StagedEntry {
    let start = frame.start
    if frame.count == 0 {
      encoder.bytes.truncate(to: start)
    } else if frame.content == .packed {
      encoder.checkCount(frame.count)
      encoder.bytes.store(
        UInt32(truncatingIfNeeded: frame.count), at: start + ArrayHead.countOffset)
      encoder.bytes.endArray(at: start)
      encoder.numberArrays.append(start, of: frame.tag)
    } else if frame.tag.isVariable, !frame.hasNil {
      endVariableRow()
    } else {
      endMixedRow()
    }
    return .payload(.array, start..<encoder.bytes.count)
  }

  /// Makes room for the ends of payloads, which lie behind one another already.
  private mutating func endVariableRow() {
    let slots = frame.start + ArrayHead.byteCount
    let tail = slots + frame.count * 4
    encoder.numberArrays.move(from: slots, by: tail - slots)
    encoder.bytes.move(from: slots, to: tail)
    var offset = slots
    for index in Int(frame.firstEntry)..<entries.count {
      let entry = entries[index]
      let end = entry.start &+ entry.byteCount &- slots
      encoder.bytes.store(UInt32(truncatingIfNeeded: end), at: offset)
      offset &+= 4
    }
    encoder.checkCount(frame.count)
    encoder.bytes.store(
      ArrayHead(tag: frame.tag, count: frame.count).word, at: frame.start)
  }

  /// Writes elements that have nils among them or do not share a tag, one after the other.
  private mutating func endMixedRow() {
    let start = frame.start
    var copy = ByteBuffer(capacity: encoder.bytes.count - start)
    copy.append(from: encoder.bytes, start..<encoder.bytes.count)
    encoder.bytes.truncate(to: start)
    let taken = encoder.numberArrays.take(from: start)
    defer { encoder.numberArrays.end(taken) }
    let outside = encoder.beginElements(count: frame.count, slot: 0)
    for index in Int(frame.firstEntry)..<entries.count {
      let entry = entries[index]
      if entry.tag == .null {
        encoder.nilElement()
        continue
      }
      let slot = encoder.elementSlot(tag: entry.tag)
      if slot < 0 { break }
      if entry.tag.isVariable {
        let piece = entry.start..<entry.start + entry.byteCount
        encoder.numberArrays.put(taken, in: piece, at: encoder.bytes.count)
        encoder.bytes.append(from: copy, piece.lowerBound - start..<piece.upperBound - start)
        encoder.bytes.store(
          UInt32(truncatingIfNeeded: encoder.bytes.count - encoder.elements.tail), at: slot)
      } else {
        encoder.bytes.store(entry, at: slot)
      }
    }
    encoder.finishElements()
    encoder.frame = outside.frame
    encoder.elements = outside.elements
  }
}

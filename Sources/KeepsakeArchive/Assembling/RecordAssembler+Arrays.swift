// Arrays and dictionaries, whose length is known only when they end (Spec/archive.md, 5.5 and 5.7).

extension RecordAssembler {
  /// Makes the value an array; false when it is something else already.
  package mutating func openUnkeyed() -> Bool {
    if frame.content == .array { return true }
    guard frame.content == .empty else { return false }
    enterDepth()
    frame.content = .array
    frame.start = encoder.bytes.count
    // The payloads of elements follow each other after the head of the array.
    encoder.bytes.appendRoom(StagedElements.headByteCount)
    return true
  }

  mutating func append(_ entry: StagedEntry) {
    guard frame.content == .array else { return }
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

  mutating func endArray() -> StagedEntry {
    let start = frame.start
    let elements = frame.firstEntry..<entries.count
    if elements.isEmpty {
      encoder.bytes.truncate(to: start)
      return .payload(.array, start..<start)
    }
    // Only scalars have a form for nils among them.
    let arePacked = frame.tag.isFixed && !(frame.tag.isBit && frame.hasNil)
    if arePacked { encoder.bytes.truncate(to: start) }
    let outer = encoder.beginElements(count: elements.count, slot: ObjectEncoder.noSlot)
    encoder.elements.start = start
    if frame.tag.isVariable, !frame.hasNil, frame.tag != .record || !frame.shape.isNone {
      writer.encoder.takePayloads(entries, elements)
    } else {
      writer.encoder.rewriteElements(entries, elements, withTags: !arePacked)
    }
    encoder.finishElements()
    encoder.leaveElements(outer)
    return .payload(.array, start..<encoder.bytes.count)
  }

  /// Makes the value a dictionary, whose values follow in the order of the keys; false if it is something else already.
  package mutating func openDictionary(_ keys: SortedMembers) -> Bool {
    guard frame.content == .empty else { return false }
    frame.dictionary = encoder.bytes.count
    if keys.count > 0 {
      // Room for the length of the keys.
      encoder.bytes.appendRoom(StagedElements.keysLengthByteCount)
      keys.append(to: &encoder)
    }
    return openUnkeyed()
  }

  mutating func endDictionary() -> StagedEntry {
    let start = frame.dictionary
    if frame.count == 0 {
      encoder.bytes.truncate(to: start)
    } else {
      encoder.storeKeysLength(ofDictionaryAt: start, valuesAt: frame.start)
    }
    return .payload(.dictionary, start..<encoder.bytes.count)
  }
}

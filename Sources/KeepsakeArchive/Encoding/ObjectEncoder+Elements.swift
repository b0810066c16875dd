// Arrays and dictionaries (Spec/archive.md, 5.6 and 5.7). How elements are written depends on the
// elements alone, not on the static type: elements that share a tag are packed, others carry tags.

/// What to go back to when an array is complete.
@usableFromInline
struct ElementsFrame {
  var outer: ObjectEncoder.Frame
}

extension ObjectEncoder {
  /// Begins an array.
  @usableFromInline
  mutating func beginElements(count: Int) -> ElementsFrame {
    let outer = frame
    frame = Frame(
      node: -1, values: values.count, stage: stage.count, depth: outer.depth + 1)
    return ElementsFrame(outer: outer)
  }

  /// Lays the array out and puts it in its place.
  @usableFromInline
  mutating func endElements(_ elements: ElementsFrame, at place: ArchivePlace) {
    let start = layOutElements(elements)
    finishPayload(from: start, tag: .array, at: place)
  }

  /// Lays the array out at the end of the staging buffer and returns where it begins.
  mutating func layOutElements(_ elements: ElementsFrame) -> Int {
    let staged = frame.stage
    let start = stage.count
    emitElements(from: frame.values)
    values.removeLast(values.count - frame.values)
    stage.remove(staged..<start)
    frame = elements.outer
    return staged
  }

  /// Puts a payload in its place: inline when it is empty, staged otherwise.
  mutating func finishPayload(from start: Int, tag: ArchiveTag, at place: ArchivePlace) {
    if stage.count == start {
      write(SlotValue(tag, bits: 0), at: place)
    } else {
      writeStaged(from: start, tag: tag, at: place)
    }
  }

  /// Writes packed scalars of one tag as an array.
  mutating func encodeScalars<Scalar: BitwiseCopyable>(
    _ scalars: [Scalar], tag: ArchiveTag, at place: ArchivePlace
  ) {
    let start = stage.count
    if !scalars.isEmpty {
      appendArrayHeader(tag: tag, isNullable: false, count: scalars.count)
      stage.append(scalars: scalars)
      stage.pad()
    }
    finishPayload(from: start, tag: .array, at: place)
  }

  mutating func appendArrayHeader(tag: ArchiveTag, isNullable: Bool, count: Int) {
    stage.append(tag.rawValue)
    stage.append(UInt8(isNullable ? 1 : 0))
    stage.append(UInt16(0))
    stage.append(UInt32(0))
    stage.append(UInt64(count))
  }

  /// The tag that all elements but the nil ones share, or `any`.
  private func sharedTag(from first: Int) -> ArchiveTag {
    var shared: ArchiveTag?
    for index in first..<values.count where !values[index].isNil {
      let tag = values[index].tag
      if shared == nil { shared = tag }
      if shared != tag { return .any }
    }
    // Only nil: no tag to pack, and elements of no width would cost a reader memory for no bytes.
    guard let shared, shared != .null else { return .any }
    return shared
  }

  private mutating func emitElements(from first: Int) {
    let count = values.count - first
    if count == 0 { return }
    let base = stage.count
    let tag = sharedTag(from: first)
    let isAny = tag == .any
    var hasNil = false
    if !isAny { for index in first..<values.count where values[index].isNil { hasNil = true } }
    appendArrayHeader(tag: tag, isNullable: hasNil, count: count)
    let width = tag.width?.byteCount ?? 0
    let slots = stage.count
    stage.appendZeros(count * width)
    stage.pad()
    let bitmap = stage.count
    if hasNil {
      stage.appendZeros((count + 7) / 8)
      stage.pad()
    }
    for index in 0..<count {
      let value = values[first + index]
      if isAny {
        storeAny(value, at: slots + index * 16, base: base)
      } else if value.isNil {
        stage.setBits(1 << UInt8(index & 7), at: bitmap + index / 8)
      } else {
        store(value, byteCount: width, at: slots + index * width, base: base)
      }
    }
  }

  /// Stores a tag and a value side by side; one of sixteen bytes goes to the tail.
  private mutating func storeAny(_ value: SlotValue, at offset: Int, base: Int) {
    if value.isNil { return }
    stage.store(value.tag.rawValue, at: offset)
    if value.tag.width == .sixteen {
      let word = UInt64((stage.count - base) / 8)
      stage.append(value.low)
      stage.append(value.high)
      stage.store(UInt64(16) << 32 | word << 1 | 1, at: offset + 8)
    } else {
      // In the width of its tag: the rest of the eight bytes stays zero.
      store(value, byteCount: value.tag.width?.byteCount ?? 0, at: offset + 8, base: base)
    }
  }

  /// Writes a dictionary: two arrays of equal length, the keys in order of their encoded bytes.
  mutating func encodeDictionary(
    count: Int, at place: ArchivePlace, keys: (inout ObjectEncoder) -> Void,
    values: (inout ObjectEncoder) -> Void
  ) {
    guard enterDepth(at: place) else {
      write(SlotValue(.dictionary, bits: 0), at: place)
      return
    }
    let start = stage.count
    if count > 0 {
      stage.append(UInt64(0))
      let keyFrame = beginElements(count: count)
      keys(&self)
      _ = layOutElements(keyFrame)
      stage.store(UInt64(stage.count - start - 8), at: start)
      let valueFrame = beginElements(count: count)
      values(&self)
      _ = layOutElements(valueFrame)
    }
    finishPayload(from: start, tag: .dictionary, at: place)
  }
}

// How single values reach their place. The value types of this module call these; types outside
// hand on to them.

extension ObjectEncoder {
  /// Puts one value in its place.
  mutating func write(_ value: SlotValue, at place: ArchivePlace) {
    switch place.target {
    case .element: break
    case .key(let key):
      frame.node = plan.advance(
        from: frame.node, key: key,
        signature: EncodingPlan.signature(
          scope: frame.scope, tag: value.tag, isNullable: place.isNullable || value.isNil,
          isReserved: key.isReserved))
    }
    values.append(value)
  }

  /// Writes a value of up to eight bytes.
  @usableFromInline
  mutating func encodeBits(_ bits: UInt64, tag: ArchiveTag, at place: ArchivePlace) {
    write(SlotValue(tag, bits: bits), at: place)
  }

  /// Writes a value of sixteen bytes.
  @usableFromInline
  mutating func encodeBits(
    low: UInt64, high: UInt64, tag: ArchiveTag, at place: ArchivePlace
  ) {
    write(SlotValue(tag, bits: low, high: high), at: place)
  }

  /// Writes a nil among values of a tag.
  @usableFromInline
  mutating func encodeNil(tag: ArchiveTag, at place: ArchivePlace) {
    write(SlotValue(nil: tag), at: place)
  }

  /// Writes a string, or another kind that is spelled as one.
  @usableFromInline
  mutating func encodeText(_ text: String, tag: ArchiveTag, at place: ArchivePlace) {
    if let bits = inlineBits(of: text) {
      write(SlotValue(tag, bits: bits), at: place)
    } else {
      let start = stage.count
      stage.append(utf8: text)
      writeStaged(from: start, tag: tag, at: place)
    }
  }

  /// Writes a run of bytes as a payload.
  @usableFromInline
  mutating func encodePayload(_ bytes: [UInt8], tag: ArchiveTag, at place: ArchivePlace) {
    if bytes.count <= FormatConstants.inlineByteCount {
      var bits = UInt64(bytes.count) << 1
      for (index, byte) in bytes.enumerated() { bits |= UInt64(byte) << UInt64(8 * (index + 1)) }
      write(SlotValue(tag, bits: bits), at: place)
    } else {
      let start = stage.count
      stage.append(bytes)
      writeStaged(from: start, tag: tag, at: place)
    }
  }

  /// Writes a reference, and remembers that its object has to come.
  @usableFromInline
  mutating func encodeReference(_ id: ArchiveObjectID?, at place: ArchivePlace) {
    if let id {
      if id.rawValue == 0 { fail(.invalidValue, "a reference to object id 0, which is no object") }
      highestReference = max(highestReference, id.rawValue)
    }
    encodeBits(UInt64(id?.rawValue ?? 0), tag: .reference, at: place)
  }

  /// Writes what was staged from an offset on as one payload.
  mutating func writeStaged(from start: Int, tag: ArchiveTag, at place: ArchivePlace) {
    let length = stage.count - start
    // What is staged always begins at a multiple of eight, as it will in the tail.
    stage.pad()
    if length > limits.recordByteCount || length > Int(UInt32.max) {
      fail(
        .limitExceeded, "a value of \(length) bytes is larger than a record may be",
        under: place.step)
      stage.truncate(to: start)
      write(SlotValue(tag, bits: 0), at: place)
      return
    }
    write(SlotValue(tag, staged: start..<start + length), at: place)
  }
}

extension ArchivePlace {
  /// The place in words, for the key path of an error.
  var step: String? {
    switch target {
    case .key(let key): key.description
    case .element: nil
    }
  }
}

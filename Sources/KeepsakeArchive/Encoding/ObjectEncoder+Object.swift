// The record of the object itself.

/// The highest numbers that were referred to before an object was begun.
struct ReferenceMark {
  var highestReference: UInt32
  var highestConditional: UInt32
}

extension ObjectEncoder {
  var referenceMark: ReferenceMark {
    @inline(__always)
    get {
      ReferenceMark(highestReference: highestReference, highestConditional: highestConditional)
    }
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
    let step = closeRecord()
    frame = RecordFrame()
    let length = bytes.count &- start
    if hasFailed || length > min(limits.recordByteCount, Int(UInt32.max)) {
      try refuseObject(at: start, since: mark, length: length)
    }
    return step
  }

  /// Takes back an object that has an error or is too long, and throws.
  @inline(never)
  private mutating func refuseObject(
    at start: Int, since mark: ReferenceMark, length: Int
  ) throws(ArchiveError) {
    if length > min(limits.recordByteCount, Int(UInt32.max)) {
      failLimit("a record has \(length) bytes", .recordByteCount, limits.recordByteCount)
    }
    dropObject(at: start, since: mark)
    if let failure { throw failure }
  }

  /// Does what is left to do for an object when its body is where it stays.
  @inline(__always)
  mutating func settleObject() {
    numberArrays.align(in: &bytes)
    shapes.settleObject()
  }

  /// Takes back what an object wrote, so that the same archive always gives the same bytes.
  mutating func dropObject(at start: Int, since mark: ReferenceMark) {
    bytes.truncate(to: start)
    frame = RecordFrame()
    elements = ElementsFrame()
    highestReference = mark.highestReference
    highestConditional = mark.highestConditional
    shapes.dropObject(&plan)
  }

  /// Writes a reserved value that is present.
  mutating func encodeReserved(_ value: (some ArchiveValue)?, _ key: ArchiveKey) {
    value?.encode(to: &self, at: .key(key))
  }
}

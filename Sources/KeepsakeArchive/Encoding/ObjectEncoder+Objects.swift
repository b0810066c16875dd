// The record of the object itself.

extension ObjectEncoder {
  /// Begins an object's record at the end of the bytes, and returns where.
  @usableFromInline
  mutating func beginObject(
    _ id: ArchiveObjectID, typeName: String, schemaVersion: UInt32
  ) -> Int {
    objectID = id
    failure = nil
    conditionalBefore = highestConditional
    frame = RecordFrame()
    let start = bytes.count
    _ = beginRecord(typeName: typeName, schemaVersion: schemaVersion)
    return start
  }

  /// Completes an object's record; when it cannot be written, nothing of it remains.
  mutating func endObject(at start: Int, reference: UInt32) throws(ArchiveError) {
    endRecord(RecordFrame())
    let length = bytes.count - start
    bytes.pad()
    if length > min(limits.recordByteCount, Int(UInt32.max) - 16) {
      fail(.limitExceeded, "the record has \(length) bytes, more than the limit allows")
    }
    if let failure {
      dropObject(at: start, reference: reference)
      throw failure
    }
    if tablesMark != nil {
      tablesMark = nil
      shapedNodes.removeAll(keepingCapacity: true)
    }
  }

  /// Takes back what an object wrote, so that the same archive always gives the same bytes.
  mutating func dropObject(at start: Int, reference: UInt32) {
    bytes.truncate(to: start)
    frame = RecordFrame()
    elements = ElementsFrame()
    highestReference = reference
    highestConditional = conditionalBefore
    if let mark = tablesMark {
      tables.rewind(to: mark)
      for node in shapedNodes { plan.nodes[node].shape = -1 }
      shapedNodes.removeAll(keepingCapacity: true)
      tablesMark = nil
    }
  }

  /// Writes a reserved value that is present.
  mutating func encodeReserved(_ value: (some ArchiveValue)?, _ key: ArchiveKey) {
    value?.encode(to: &self, at: .key(key))
  }
}

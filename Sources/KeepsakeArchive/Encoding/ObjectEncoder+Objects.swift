// The record of the object itself.

/// The highest numbers that were referred to before an object was begun.
struct ReferenceMark {
  var highestReference: UInt32
  var highestConditional: UInt32
}

extension ObjectEncoder {
  var referenceMark: ReferenceMark {
    ReferenceMark(highestReference: highestReference, highestConditional: highestConditional)
  }

  /// Begins an object's record at the end of the bytes, and returns where.
  @usableFromInline
  mutating func beginObject(
    _ id: ArchiveObjectID, typeName: String, schemaVersion: UInt32
  ) -> Int {
    objectID = id
    failure = nil
    frame = RecordFrame()
    ends.truncate(to: 0)
    numberArrays.clear()
    let start = bytes.count
    _ = beginRecord(typeName: typeName, schemaVersion: schemaVersion)
    return start
  }

  /// Completes an object's record; when it cannot be written, nothing of it remains.
  mutating func endObject(at start: Int, since mark: ReferenceMark) throws(ArchiveError) {
    endRecord(RecordFrame())
    let length = bytes.count - start
    if length > min(limits.recordByteCount, RecordHead.largestRecordByteCount) {
      fail(.limitExceeded, "the record has \(length) bytes, more than the limit allows")
    }
    if let failure {
      dropObject(at: start, since: mark)
      throw failure
    }
    numberArrays.align(in: &bytes)
    if tablesMark != nil {
      tablesMark = nil
      shapedNodes.removeAll(keepingCapacity: true)
    }
  }

  /// Takes back what an object wrote, so that the same archive always gives the same bytes.
  mutating func dropObject(at start: Int, since mark: ReferenceMark) {
    bytes.truncate(to: start)
    frame = RecordFrame()
    elements = ElementsFrame()
    highestReference = mark.highestReference
    highestConditional = mark.highestConditional
    if let tablesMark {
      forgetShapes(since: tablesMark)
      self.tablesMark = nil
    }
  }

  /// Takes back the entries of the tables that this object added.
  mutating func forgetShapes(since mark: TableCounts) {
    tables.rewind(to: mark)
    for node in shapedNodes { plan.nodes[node].shape = -1 }
    shapedNodes.removeAll(keepingCapacity: true)
  }

  /// Writes a reserved value that is present.
  mutating func encodeReserved(_ value: (some ArchiveValue)?, _ key: ArchiveKey) {
    value?.encode(to: &self, at: .key(key))
  }
}

// The record of the object itself.

extension ObjectEncoder {
  /// Writes one object's record to the end of the records, or nothing when it cannot be written.
  mutating func encodeObjectRecord(
    _ id: ArchiveObjectID, typeName: String, schemaVersion: UInt32,
    _ body: (inout ObjectEncoder) throws -> Void
  ) throws {
    objectID = id
    failure = nil
    frame = Frame()
    let mark = tables.mark
    let layoutCount = layouts.count
    let reference = highestReference
    _ = beginRecord(typeName: typeName, schemaVersion: schemaVersion)
    do {
      try body(&self)
      let start = endRecord(Frame())
      if stage.count - start > limits.recordByteCount {
        fail(.limitExceeded, "the record has \(stage.count - start) bytes")
      }
      if let failure { throw failure }
      records.append(from: stage, at: start)
    } catch {
      // Nothing of the record may remain, or the same archive would not give the same bytes.
      tables.rewind(to: mark)
      for node in layoutNodes[layoutCount...] { plan.setLayout(-1, of: node) }
      layoutNodes.removeLast(layoutNodes.count - layoutCount)
      layouts.removeLast(layouts.count - layoutCount)
      highestReference = reference
      values.removeAll()
      stage.truncate(to: 0)
      throw error
    }
    stage.truncate(to: 0)
  }

  /// Writes a reserved value that is present.
  mutating func encodeReserved(_ value: (some ArchiveValue)?, _ key: ArchiveKey) {
    value?.encode(to: &self, at: .key(key))
  }
}

extension ArchiveWriter {
  /// Writes an object with one value under one key, whose parts may come in any order.
  ///
  /// - Parameters:
  ///   - id: The id; one more than that of the object before.
  ///   - typeName: The stable name of the object's type.
  ///   - key: The key of the value.
  ///   - body: Begins one value of the assembler and fills it. To end it is not its task.
  /// - Throws: What `body` throws; otherwise ``ArchiveError``.
  package mutating func assembleObject(
    _ id: ArchiveObjectID, typeName: String, forKey key: ArchiveKey,
    _ body: (RecordAssembler) throws -> Void
  ) throws {
    try writeObject(id, typeName: typeName) { coder in try coder.assemble(forKey: key, body) }
  }
}

extension ObjectEncoder {
  fileprivate mutating func assemble(
    forKey key: ArchiveKey, _ body: (RecordAssembler) throws -> Void
  ) throws {
    // The object's record has one payload, behind the number of the shape and its end: of a large
    // one the end has four bytes.
    moveTail(to: frame.start + 8)
    var taken = ObjectEncoder(limits: limits)
    swap(&self, &taken)
    let assembler = RecordAssembler(taken)
    defer { swap(&self, &assembler.state.value.encoder) }
    try body(assembler)
    let entry = assembler.state.value.endRoot()
    assembler.state.value.encoder.encodeAssembled(entry, forKey: key)
  }

  private mutating func encodeAssembled(_ entry: StagedEntry, forKey key: ArchiveKey) {
    if entry.tag == .null { return encodeNil(tag: .null, at: .key(key)) }
    let offset = slot(of: key, tag: entry.tag, isNullable: false)
    if entry.tag.isVariable {
      ends.append(UInt32(truncatingIfNeeded: entry.byteCount))
    } else {
      bytes.store(entry, at: offset)
    }
  }
}

extension AssemblerState {
  /// Completes the whole value.
  fileprivate mutating func endRoot() -> StagedEntry {
    let entry = end()
    numberShapes(of: entry)
    return entry
  }
}

extension ValueDecoder {
  /// Reads the value without knowing its type.
  ///
  /// - Returns: The value with everything nested in it.
  /// - Throws: ``ArchiveError`` when the stored bytes contradict the format.
  public func dynamicValue() throws(ArchiveError) -> ArchivedValue {
    if isNil { return .null }
    switch tag.kind {
    case .null: return .null
    case .bool: return .bool(try bool())
    case .signed where tag.width != .sixteen:
      return .signed(try integer(), bitWidth: (tag.width?.byteCount ?? 0) * 8)
    case .unsigned where tag.width != .sixteen:
      return .unsigned(try integer(), bitWidth: (tag.width?.byteCount ?? 0) * 8)
    case .floatingPoint where tag == .double: return .double(try double())
    case .floatingPoint where tag == .float: return .float(try float())
    case .string: return .string(try text())
    case .bytes: return .bytes(try payloadBytes())
    case .date: return .date(try ArchiveDate(from: self))
    case .uuid: return .uuid(try ArchiveUUID(from: self))
    case .url: return .url(try ArchiveURL(from: self))
    case .reference: return .reference(try reference())
    case .record: return .record(try record().dynamicRecord())
    case .array: return .array(try [ArchivedValue](from: self))
    case .dictionary: return .dictionary(try dynamicEntries())
    case .signed, .unsigned, .floatingPoint, .any, nil:
      return .unknown(tag, bytes: try rawBytes())
    }
  }

  private func dynamicEntries() throws(ArchiveError) -> [ArchivedEntry] {
    let stored = try dictionaryEntries()
    var entries: [ArchivedEntry] = []
    for index in 0..<stored.keys.count {
      let key = try element(index, of: stored.keys).dynamicValue()
      do {
        let value = try element(index, of: stored.values).dynamicValue()
        entries.append(ArchivedEntry(key: key, value: value))
      } catch {
        throw error.atElement(index)
      }
    }
    return entries
  }

  /// The bytes of a value whose kind says nothing to this version.
  private func rawBytes() throws(ArchiveError) -> [UInt8] {
    if tag.isVariable { return try payloadBytes() }
    let count = tag.width?.byteCount ?? 0
    return (0..<count).map { index in
      let word = index < 8 ? bits : highBits
      return UInt8(truncatingIfNeeded: word >> UInt64(8 * (index & 7)))
    }
  }
}

extension ValueDecoder {
  /// Reads the value without knowing its type.
  ///
  /// - Returns: The value with everything nested in it.
  /// - Throws: ``ArchiveError`` when the stored bytes contradict the format.
  public func dynamicValue() throws(ArchiveError) -> ArchivedValue {
    if isNil {
      try checkNil()
      return .null
    }
    switch tag.kind {
    case .null: return .null
    case .bool: return .bool(try bool())
    case .signed where tag == .int128: return .int128(word())
    case .unsigned where tag == .uint128: return .uint128(word())
    case .signed: return .signed(try convertedInteger(), bitWidth: tag.byteCount * 8)
    case .unsigned: return .unsigned(try convertedInteger(), bitWidth: tag.byteCount * 8)
    case .floatingPoint where tag == .float16: return .float16(bitPattern: word())
    case .floatingPoint where tag == .float: return .float(try float())
    case .floatingPoint: return .double(try double())
    case .string: return .string(try text())
    case .bytes: return .bytes(view.copy(range))
    case .date: return .date(try ArchiveDate(from: self))
    case .uuid: return .uuid(try ArchiveUUID(from: self))
    case .url: return .url(try ArchiveURL(from: self))
    case .reference: return .reference(try reference())
    case .conditionalReference:
      return .conditionalReference(try ArchiveConditionalReference(from: self))
    case .record: return .record(try lentRecord().dynamicRecord())
    case .enumeration:
      let record = try lentEnumeration()
      return .enumeration(record.enumerationCase ?? "", try record.dynamicRecord())
    case .array: return .array(try [ArchivedValue](from: self))
    case .set: return .set(try dynamicElements(members()))
    case .dictionary: return .dictionary(try dynamicEntries())
    case .any, nil:
      let bytes = tag.isVariable ? range : offset..<offset + tag.byteCount
      return .unknown(tag, bytes: view.copy(bytes))
    }
  }

  private func dynamicElements(
    _ elements: StoredElements
  ) throws(ArchiveError) -> [ArchivedValue] {
    var values: [ArchivedValue] = []
    values.reserveCapacity(elements.initialCapacity)
    for index in 0..<elements.count {
      do {
        values.append(try element(index, of: elements).dynamicValue())
      } catch {
        throw error.atElement(index)
      }
    }
    return values
  }

  private func dynamicEntries() throws(ArchiveError) -> [ArchivedEntry] {
    let stored = try dictionaryEntries()
    var entries: [ArchivedEntry] = []
    entries.reserveCapacity(stored.keys.initialCapacity)
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
}

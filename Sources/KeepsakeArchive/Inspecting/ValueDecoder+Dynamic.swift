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
    switch tag {
    case .bool: return .bool(try bool())
    case .int8: return .signed(Int64(word(Int8.self)), bitWidth: 8)
    case .int16: return .signed(Int64(word(Int16.self)), bitWidth: 16)
    case .int32: return .signed(Int64(word(Int32.self)), bitWidth: 32)
    case .int64: return .signed(word(), bitWidth: 64)
    case .uint8: return .unsigned(UInt64(word(UInt8.self)), bitWidth: 8)
    case .uint16: return .unsigned(UInt64(word(UInt16.self)), bitWidth: 16)
    case .uint32: return .unsigned(UInt64(word(UInt32.self)), bitWidth: 32)
    case .uint64: return .unsigned(word(), bitWidth: 64)
    case .int128: return .int128(word())
    case .uint128: return .uint128(word())
    case .float16: return .float16(bitPattern: word())
    case .float: return .float(Float(bitPattern: word()))
    case .double: return .double(Double(bitPattern: word()))
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
    default:
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

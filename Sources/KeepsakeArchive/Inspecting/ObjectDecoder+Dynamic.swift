// The dynamic view of one record: its fields without its types.

extension ObjectDecoder {
  /// Reads everything that is stored in this scope and in those inside it, without its types.
  ///
  /// - Returns: The values, in the order in which they were written.
  /// - Throws: ``ArchiveError`` when stored bytes contradict the format.
  public func dynamicRecord() throws(ArchiveError) -> ArchivedRecord {
    try storage.with { storage throws(ArchiveError) in
      try storage.index.tables.record(of: self)
    }
  }

  /// The value of a slot; those that are met most are read right here.
  @inline(__always)
  fileprivate func dynamicValue(
    ofSlot slot: Int, _ row: SlotRow, _ tables: borrowing ReaderTables
  ) throws(ArchiveError) -> ArchivedValue {
    if !isNil(row) {
      let offset = start &+ Int(row.placement.offset)
      switch row.tag {
      case .string: if let text = view.string(payload(row)) { return .string(text) }
      case .record: return .record(try tables.record(of: lentRecord(row)))
      case .uint8: return .unsigned(UInt64(view.load(UInt8.self, at: offset)), bitWidth: 8)
      case .uint16: return .unsigned(UInt64(view.load(UInt16.self, at: offset)), bitWidth: 16)
      case .uint32: return .unsigned(UInt64(view.load(UInt32.self, at: offset)), bitWidth: 32)
      case .uint64: return .unsigned(view.load(UInt64.self, at: offset), bitWidth: 64)
      case .int32: return .signed(Int64(view.load(Int32.self, at: offset)), bitWidth: 32)
      case .int64: return .signed(view.load(Int64.self, at: offset), bitWidth: 64)
      case .double: return .double(Double(bitPattern: view.load(UInt64.self, at: offset)))
      default: break
      }
    }
    return try value(ofSlot: slot).dynamicValue()
  }

  /// Goes through the stored values of this scope and of those inside it, without their types.
  ///
  /// Nothing is read but what `body` asks for, so an inspector can show sizes and kinds of values
  /// that it does not load.
  ///
  /// - Parameter body: Gets the scopes of a value from the outermost, its key, and the value; the
  ///   values come in the order in which they were written.
  /// - Throws: What `body` throws; an ``ArchiveError`` then names the key.
  public func forEachValue(
    _ body: (_ scope: [String], _ key: ArchiveKey, _ value: borrowing ValueDecoder) throws -> Void
  ) throws {
    let storage = storage.object
    for slot in 0..<shape.slots.count {
      let row = shape.slots[slot]
      guard let scopes = scopes(from: row.scope, storage.tables) else { continue }
      let entry = storage.tables.keys[Int(row.key)]
      do {
        let value = value(ofSlot: slot)
        try body(
          scopes, entry.archiveKey,
          value)
      } catch let error as ArchiveError {
        throw located(error, under: scopes + [entry.name])
      }
    }
  }

  /// The key of a slot after its scopes, such as `Base.title`, with control characters escaped.
  func name(ofSlot slot: Int) -> String {
    let row = shape.slots[slot]
    return storage.with { storage in
      let key = storage.tables.keys[Int(row.key)].archiveKey
      let scopes = scopes(from: row.scope, storage.tables) ?? []
      return (scopes + [key.description]).joined(separator: ".").displayed
    }
  }

  /// The names from this scope to another one, or nil when that does not lie in it.
  @inline(__always)
  fileprivate func scopes(from inner: Int32, _ tables: borrowing ReaderTables) -> [String]? {
    inner == scope ? [] : outerScopes(from: inner, tables)
  }

  @inline(never)
  private func outerScopes(
    from inner: Int32, _ tables: borrowing ReaderTables
  ) -> [String]? {
    var scopes: [String] = []
    var entry = Int(inner)
    while entry >= 0, entry != Int(scope) {
      scopes.append(tables.keys[entry].name)
      entry = tables.keys[entry].scope
    }
    if entry != Int(scope) { return nil }
    scopes.reverse()
    return scopes
  }

  fileprivate func located(_ error: ArchiveError, under names: [String]) -> ArchiveError {
    var error = error
    for name in names.reversed() { error = error.under(name) }
    for name in path.reversed() { error = error.under(name) }
    return error.inObject(objectID)
  }
}

extension ReaderTables {
  /// Reads a record; a method of the tables, so that they are not counted for each record.
  fileprivate func record(
    of decoder: borrowing ObjectDecoder
  ) throws(ArchiveError) -> ArchivedRecord {
    let slots = decoder.shape.slots
    var fields: [ArchivedRecord.Field] = []
    // Room for an edit, which would otherwise move all fields.
    fields.reserveCapacity(slots.count + 2)
    for slot in 0..<slots.count {
      let row = slots[slot]
      guard let scopes = decoder.scopes(from: row.scope, self) else { continue }
      do throws(ArchiveError) {
        let value = try decoder.dynamicValue(ofSlot: slot, row, self)
        fields.append(
          ArchivedRecord.Field(
            scope: scopes, key: keys[Int(row.key)].archiveKey, value: value,
            optionalTag: row.placement.nilOffset != 0 ? row.tag : nil))
      } catch {
        throw decoder.located(error, under: scopes + [keys[Int(row.key)].name])
      }
    }
    return ArchivedRecord(type: types[Int(decoder.shape.type)].shared, fields: fields)
  }
}

extension ValueDecoder {
  /// The bytes that the value takes: its slot, and its payload if it has one.
  ///
  /// A value that may be nil takes a bit more, which is not counted, as is padding.
  public var byteCount: Int { tag.byteCount + (tag.isVariable ? range.count : 0) }
}

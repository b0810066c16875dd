// The dynamic view of one record: its fields without its types.

extension ObjectDecoder {
  /// Reads everything that is stored in this scope and in those inside it, without its types.
  ///
  /// - Returns: The values, in the order in which they were written.
  /// - Throws: ``ArchiveError`` when stored bytes contradict the format.
  public func dynamicRecord() throws(ArchiveError) -> ArchivedRecord {
    var record = ArchivedRecord(typeName: typeName, schemaVersion: schemaVersion)
    // Room for an edit, which would otherwise move all fields.
    record.fields.reserveCapacity(shape.slots.count + 2)
    let keys = storage.with { $0.tables.keys }
    for slot in 0..<shape.slots.count {
      let row = shape.slots[slot]
      guard let scopes = scopes(from: row.scope, keys) else { continue }
      let entry = keys[Int(row.key)]
      do throws(ArchiveError) {
        record.fields.append(
          .init(
            scope: scopes,
            key: entry.space == .user ? ArchiveKey(entry.name) : ArchiveKey(reserved: entry.name),
            value: try value(ofSlot: slot).dynamicValue(),
            optionalTag: row.placement.nilOffset != 0 ? row.tag : nil))
      } catch {
        throw located(error, under: scopes + [entry.name])
      }
    }
    return record
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
    let keys = storage.with { $0.tables.keys }
    for slot in 0..<shape.slots.count {
      let row = shape.slots[slot]
      guard let scopes = scopes(from: row.scope, keys) else { continue }
      let entry = keys[Int(row.key)]
      do {
        let value = value(ofSlot: slot)
        try body(
          scopes, entry.space == .user ? ArchiveKey(entry.name) : ArchiveKey(reserved: entry.name),
          value)
      } catch let error as ArchiveError {
        throw located(error, under: scopes + [entry.name])
      }
    }
  }

  /// The key of a slot behind its scopes, such as `Base.title`.
  func name(ofSlot slot: Int) -> String {
    let keys = storage.with { $0.tables.keys }
    let row = shape.slots[slot]
    let entry = keys[Int(row.key)]
    let key = entry.space == .user ? ArchiveKey(entry.name) : ArchiveKey(reserved: entry.name)
    return ((scopes(from: row.scope, keys) ?? []) + [key.description]).joined(separator: ".")
  }

  /// The names from this scope to another one, or nil when that does not lie in it.
  @inline(__always)
  private func scopes(from inner: Int32, _ keys: [ReaderTables.Key]) -> [String]? {
    inner == scope ? [] : outerScopes(from: inner, keys)
  }

  @inline(never)
  private func outerScopes(from inner: Int32, _ keys: [ReaderTables.Key]) -> [String]? {
    var scopes: [String] = []
    var entry = Int(inner)
    while entry >= 0, entry != Int(scope) {
      scopes.append(keys[entry].name)
      entry = keys[entry].scope
    }
    if entry != Int(scope) { return nil }
    scopes.reverse()
    return scopes
  }

  private func located(_ error: ArchiveError, under names: [String]) -> ArchiveError {
    var error = error
    for name in names.reversed() { error = error.under(name) }
    for name in path.reversed() { error = error.under(name) }
    return error.inObject(objectID)
  }
}

extension ValueDecoder {
  /// The bytes that the value takes: its slot, and its payload if it has one.
  ///
  /// A value that may be nil takes a bit more, which is not counted, as is padding.
  public var byteCount: Int { tag.byteCount + (tag.isVariable ? range.count : 0) }
}

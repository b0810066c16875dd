// The dynamic view of one record: its fields without its types.

extension ObjectDecoder {
  /// Reads everything that is stored in this scope and in those inside it, without its types.
  ///
  /// - Returns: The values, in key order.
  /// - Throws: ``ArchiveError`` when stored bytes contradict the format.
  public func dynamicRecord() throws(ArchiveError) -> ArchivedRecord {
    var record = ArchivedRecord(typeName: typeName, schemaVersion: schemaVersion)
    // Room for an edit, which would otherwise move all fields.
    record.fields.reserveCapacity(slots.count + 2)
    for slot in slots {
      do throws(ArchiveError) {
        let value = try value(ofSlot: slot)
        let declaration = storage.tables.slots[slot]
        let entry = storage.tables.keys[declaration.key]
        record.fields.append(
          .init(
            scope: entry.scope == scope ? [] : scopes(ofSlot: slot),
            key: entry.space == .user ? ArchiveKey(entry.name) : ArchiveKey(reserved: entry.name),
            value: try value.dynamicValue(),
            optionalTag: declaration.nilBit >= 0 ? declaration.tag : nil))
      } catch {
        throw located(error, slot: slot)
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
  ///   values come in key order.
  /// - Throws: ``ArchiveError`` when stored bytes contradict the format; also what `body` throws.
  public func forEachValue(
    _ body: (_ scope: [String], _ key: ArchiveKey, _ value: borrowing ValueDecoder) throws -> Void
  ) throws {
    for slot in slots {
      do {
        let value = try value(ofSlot: slot)
        try body(scopes(ofSlot: slot), key(ofSlot: slot), value)
      } catch let error as ArchiveError {
        throw located(error, slot: slot)
      }
    }
  }

  /// The key of a slot behind its scopes, such as `Base.title`.
  func name(ofSlot slot: Int) -> String {
    (scopes(ofSlot: slot) + [key(ofSlot: slot).description]).joined(separator: ".")
  }

  private func key(ofSlot slot: Int) -> ArchiveKey {
    let entry = storage.tables.keys[storage.tables.slots[slot].key]
    return entry.space == .reserved ? ArchiveKey(reserved: entry.name) : ArchiveKey(entry.name)
  }

  private func scopes(ofSlot slot: Int) -> [String] {
    var scopes: [String] = []
    var outer = storage.tables.keys[storage.tables.slots[slot].key].scope
    while outer >= 0, outer != scope {
      scopes.append(storage.tables.keys[outer].name)
      outer = storage.tables.keys[outer].scope
    }
    scopes.reverse()
    return scopes
  }

  private func located(_ error: ArchiveError, slot: Int) -> ArchiveError {
    var error = error.under(key(ofSlot: slot).description)
    for name in scopes(ofSlot: slot).reversed() { error = error.under(name) }
    for name in path.reversed() { error = error.under(name) }
    return error.inObject(objectID)
  }
}

extension ValueDecoder {
  /// The bytes that the value takes: its slot, and its payload with padding if that lies elsewhere.
  ///
  /// A value in a nil bitmap takes a bit more, which is not counted.
  public var byteCount: Int {
    let slot = tag.width?.byteCount ?? 0
    guard tag.isVariable, !isNil, bits & 1 == 1 else { return slot }
    return slot + (Int(bits >> 32) + 7) & ~7
  }
}

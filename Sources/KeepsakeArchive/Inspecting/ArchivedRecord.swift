/// A record with all its values: what a nested value, or a whole object, holds.
public struct ArchivedRecord: Hashable, Sendable {
  /// One key of a record with its value.
  public struct Field: Hashable, Sendable {
    /// The scopes that the key is declared in, from the outermost.
    public var scope: [String]
    /// The key.
    public var key: ArchiveKey
    /// The value.
    public var value: ArchivedValue

    /// Makes a field.
    ///
    /// - Parameters:
    ///   - scope: The scopes that the key is declared in, from the outermost.
    ///   - key: The key.
    ///   - value: The value.
    public init(scope: [String] = [], key: ArchiveKey, value: ArchivedValue) {
      self.scope = scope
      self.key = key
      self.value = value
    }
  }

  /// The name of the type that the record was written as; empty for none.
  public var typeName: String
  /// The version of the type's set of keys.
  public var schemaVersion: UInt32
  /// The values, in the order in which they were written.
  public var fields: [Field]

  /// Makes a record.
  ///
  /// - Parameters:
  ///   - typeName: The name of the type; empty for none.
  ///   - schemaVersion: The version of the type's set of keys.
  ///   - fields: The values.
  public init(typeName: String = "", schemaVersion: UInt32 = 0, fields: [Field] = []) {
    self.typeName = typeName
    self.schemaVersion = schemaVersion
    self.fields = fields
  }
}

extension ObjectDecoder {
  /// Reads everything that is stored in this scope and in those inside it, without its types.
  ///
  /// - Returns: The values, in the order in which they were written.
  /// - Throws: ``ArchiveError`` when stored bytes contradict the format.
  public func dynamicRecord() throws(ArchiveError) -> ArchivedRecord {
    var record = ArchivedRecord(typeName: typeName, schemaVersion: schemaVersion)
    let keys = storage.with { $0.tables.keys }
    for slot in 0..<shape.slots.count {
      let entry = keys[Int(shape.slots[slot].key)]
      let key = entry.space == .reserved ? ArchiveKey(reserved: entry.name) : ArchiveKey(entry.name)
      var scopes: [String] = []
      var outer = entry.scope
      while outer >= 0, outer != Int(scope) {
        scopes.append(keys[outer].name)
        outer = keys[outer].scope
      }
      if outer != Int(scope) { continue }
      scopes.reverse()
      do {
        let value = try value(ofSlot: slot).dynamicValue()
        record.fields.append(.init(scope: scopes, key: key, value: value))
      } catch {
        var error = error.under(key.description)
        for name in scopes.reversed() { error = error.under(name) }
        for name in path.reversed() { error = error.under(name) }
        throw error.inObject(objectID)
      }
    }
    return record
  }
}

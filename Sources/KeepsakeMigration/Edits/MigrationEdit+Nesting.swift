public import KeepsakeArchive

// Values in and out of nested records (Spec/archive.md, 5.4). Both stream: no other object is
// looked at.

extension MigrationEdit {
  /// Puts some keys of a record into a record nested in it.
  ///
  /// - Parameters:
  ///   - keys: The keys, all at the top; a record that has none of them gets no nested record.
  ///   - key: The key of the nested record; that it is taken by another value is an error.
  ///   - nestedTypeName: The type name of the nested record; may be empty.
  ///   - typeName: The type whose records have the keys.
  /// - Returns: The edit.
  public static func wrapKeys(
    _ keys: [ArchiveKey], inRecord key: ArchiveKey, nestedTypeName: String = "",
    ofType typeName: String
  ) -> MigrationEdit {
    MigrationEdit(
      "wrap keys \(list(keys)) of \(typeName) in a record \(key)",
      .records(ofType: typeName) { record in
        let fields = record.removeFields(keys)
        guard !fields.isEmpty else { return false }
        try record.add(
          key, .record(ArchivedRecord(typeName: nestedTypeName, fields: fields)))
        return true
      })
  }

  /// Puts the keys of a nested record in place of it.
  ///
  /// - Parameters:
  ///   - key: The key of the nested record; a nil under it is removed, and another value is an
  ///     error, as is a key of the nested record that is taken.
  ///   - typeName: The type whose records have the key.
  /// - Returns: The edit.
  public static func unwrapRecord(
    _ key: ArchiveKey, ofType typeName: String
  ) -> MigrationEdit {
    MigrationEdit(
      "unwrap the record \(key) of \(typeName)",
      .records(ofType: typeName) { record in
        switch record.removeValue(forKey: key) {
        case nil: return false
        case .null?: return true
        case .record(let nested)?:
          try record.add(nested.fields)
          return true
        case let other?:
          throw ArchiveError.edit(
            "a value of type \(other.typeDescription) is stored and no record", key: "\(key)")
        }
      })
  }

  static func list(_ keys: [ArchiveKey]) -> String {
    keys.map(\.description).joined(separator: ", ")
  }
}

extension ArchivedRecord {
  /// Takes the fields of some keys out of the top of the record.
  mutating func removeFields(_ keys: [ArchiveKey]) -> [Field] {
    let taken = fields.filter { $0.scope.isEmpty && keys.contains($0.key) }
    if !taken.isEmpty { fields.removeAll { $0.scope.isEmpty && keys.contains($0.key) } }
    return taken
  }

  /// Adds a value under a key that is free.
  mutating func add(_ key: ArchiveKey, _ value: ArchivedValue) throws(ArchiveError) {
    try add([Field(key: key, value: value)])
  }

  /// Adds fields whose keys are free.
  mutating func add(_ added: [Field]) throws(ArchiveError) {
    for field in added {
      guard self[field.key, inScope: field.scope] == nil else {
        throw ArchiveError.edit("there is a value under this key already", key: field.name)
      }
      insert(field)
    }
  }
}

extension ArchiveError {
  /// The error of an edit that cannot be made at a key.
  static func edit(_ reason: String, key: String) -> ArchiveError {
    var error = ArchiveError(.invalidValue, reason)
    error.keyPath = [key]
    return error
  }
}

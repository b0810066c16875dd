public import KeepsakeArchive
import KeepsakeDocuments

// Moving values into and out of nested records (Spec/archive.md, 5.4). Both edits stream: they need no other object.

extension MigrationEdit {
  /// Moves some unscoped keys of each record of a type into a nested record.
  ///
  /// A record that has none of them gets no nested record. It is an error when a record has the key of the nested
  /// record already. The type name of the nested record may be empty.
  public static func wrapKeys(
    _ keys: [ArchiveKey], inRecord key: ArchiveKey, nestedTypeName: String = "",
    ofType typeName: String
  ) -> MigrationEdit {
    MigrationEdit(
      "wrap keys \(list(keys)) of \(typeName) in a record \(key)",
      .records(ofType: ArchiveKey(typeName)) { record in
        guard let taken = try record.removeFields(keys) else { return .none }
        let nested = DynamicRecord(typeName: nestedTypeName, fields: taken.fields)
        try record.insert([.init(key: key, value: .record(nested))], at: taken.index)
        return .nesting
      }, .wrapping(ArchiveKey(nestedTypeName)))
  }

  /// Replaces a nested record by its keys.
  ///
  /// A stored nil is removed; any other value than a record is an error. It is also an error when the record already
  /// has a key of the nested record.
  public static func unwrapRecord(
    _ key: ArchiveKey, ofType typeName: String
  ) -> MigrationEdit {
    MigrationEdit(
      "unwrap the record \(key) of \(typeName)",
      .records(ofType: ArchiveKey(typeName)) { record in
        guard let taken = try record.removeFields([key]), let field = taken.fields.first else {
          return .none
        }
        switch field.value {
        case .null: break
        case .record(let nested): try record.insert(nested.fields, at: taken.index)
        default:
          throw ArchiveError.edit(
            "the key has a value of type \(field.value.typeDescription), not a record",
            key: "\(key)")
        }
        return .nesting
      }, .keys)
  }

  static func list(_ keys: [ArchiveKey]) -> String {
    keys.map(\.description).joined(separator: ", ")
  }
}

extension DynamicRecord {
  /// Removes the fields of some keys from the top of the record, and returns them with the index of the first one;
  /// nil when the record has none of the keys.
  mutating func removeFields(
    _ keys: [ArchiveKey]
  ) throws(ArchiveError) -> (fields: [Field], index: Int)? {
    for key in keys { try checkSpelling(of: key) }
    func isTaken(_ field: Field) -> Bool { field.scope.isEmpty && keys.contains(field.key) }
    guard let index = fields.firstIndex(where: isTaken) else { return nil }
    let taken = fields.filter(isTaken)
    fields.removeAll(where: isTaken)
    return (taken, index)
  }

  /// Inserts fields at an index; throws when one of their keys is taken.
  mutating func insert(_ added: [Field], at index: Int) throws(ArchiveError) {
    for field in added where self[field.key, inScope: field.scope] != nil {
      throw ArchiveError.edit("there is a value under this key already", key: field.name)
    }
    fields.insert(contentsOf: added, at: index)
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

public import KeepsakeArchive
public import KeepsakeDocuments

// Edits of the records at a path in the records of a type (Spec/migration.md, section 5).

extension MigrationEdit {
  /// Renames an unscoped key in the records at a path that begins in records of a type.
  ///
  /// It is an error when a record already has a key of the new name.
  public static func renameKey(
    _ key: ArchiveKey, to newKey: ArchiveKey, at path: RecordPath, ofType typeName: String
  ) -> MigrationEdit {
    editing("rename key \(key) to \(newKey)", path, typeName) {
      try $0.renameKey(key, to: newKey, at: path)
    }
  }

  /// Removes an unscoped key and its value from the records at a path that begins in records of a type.
  public static func removeKey(
    _ key: ArchiveKey, at path: RecordPath, ofType typeName: String
  ) -> MigrationEdit {
    editing("remove key \(key)", path, typeName) { try $0.removeValue(forKey: key, at: path) }
  }

  /// Stores a value where an unscoped key is absent in the records at a path that begins in records of a type.
  ///
  /// A stored nil counts as a value.
  public static func setDefault(
    _ value: DynamicValue, forKey key: ArchiveKey, at path: RecordPath, ofType typeName: String
  ) -> MigrationEdit {
    editing("give key \(key) the default \(value)", path, typeName) {
      try $0.setDefault(value, forKey: key, at: path)
    }
  }

  /// Converts the value of an unscoped key in the records at a path that begins in records of a type.
  ///
  /// The closure gets the stored value, which may be `DynamicValue.null`. An error that it throws ends the migration,
  /// and the migration's error names it.
  public static func convertKey(
    _ key: ArchiveKey, at path: RecordPath, ofType typeName: String,
    _ convert: @escaping @Sendable (DynamicValue) throws -> DynamicValue
  ) -> MigrationEdit {
    editing("convert key \(key)", path, typeName) {
      try $0.convertValue(forKey: key, at: path, convert)
    }
  }

  /// An edit by a closure, of each record of a type, or of the records at a path that begins there.
  ///
  /// The plan and the report show the description. An error that the closure throws ends the migration, and the
  /// migration's error names it.
  public static func editRecords(
    at path: RecordPath = "", ofType typeName: String, _ description: String,
    _ body: @escaping @Sendable (inout DynamicRecord) throws -> Void
  ) -> MigrationEdit {
    if path == "" {
      return MigrationEdit(
        "\(description) (\(typeName))", .records(ofType: ArchiveKey(typeName), telling(body)))
    }
    return editing(description, path, typeName) { try $0.updateRecords(at: path, body) }
  }

  private static func editing(
    _ description: String, _ path: RecordPath, _ typeName: String,
    _ edit: @escaping @Sendable (inout DynamicRecord) throws -> Int
  ) -> MigrationEdit {
    MigrationEdit(
      "\(description) at \(path) of \(typeName)",
      .records(ofType: ArchiveKey(typeName)) { record in
        let before = record
        if try edit(&record) == 0 { return .none }
        return record == before ? .match : .nesting
      })
  }
}

public import KeepsakeArchive
public import KeepsakeDocuments

// Edits of the records at a path in the records of a type (Spec/migration.md, section 5).

extension MigrationEdit {
  /// Renames a key of the records at a path.
  ///
  /// - Parameters:
  ///   - key: The key, which is in no scope.
  ///   - newKey: The new name; it is an error when a record already has a key of this name.
  ///   - path: The path, from records of the type.
  ///   - typeName: The type whose records the path begins in.
  /// - Returns: The edit.
  public static func renameKey(
    _ key: ArchiveKey, to newKey: ArchiveKey, at path: RecordPath, ofType typeName: String
  ) -> MigrationEdit {
    editing("rename key \(key) to \(newKey)", path, typeName) {
      try $0.renameKey(key, to: newKey, at: path)
    }
  }

  /// Removes a key with its value from the records at a path.
  ///
  /// - Parameters:
  ///   - key: The key, which is in no scope.
  ///   - path: The path, from records of the type.
  ///   - typeName: The type whose records the path begins in.
  /// - Returns: The edit.
  public static func removeKey(
    _ key: ArchiveKey, at path: RecordPath, ofType typeName: String
  ) -> MigrationEdit {
    editing("remove key \(key)", path, typeName) { try $0.removeValue(forKey: key, at: path) }
  }

  /// Stores a value in those records at a path that lack a key.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key, in no scope; a stored nil counts as a value.
  ///   - path: The path, from records of the type.
  ///   - typeName: The type whose records the path begins in.
  /// - Returns: The edit.
  public static func setDefault(
    _ value: DynamicValue, forKey key: ArchiveKey, at path: RecordPath, ofType typeName: String
  ) -> MigrationEdit {
    editing("give key \(key) the default \(value)", path, typeName) {
      try $0.setDefault(value, forKey: key, at: path)
    }
  }

  /// Converts the value of a key in the records at a path.
  ///
  /// - Parameters:
  ///   - key: The key, which is in no scope.
  ///   - path: The path, from records of the type.
  ///   - typeName: The type whose records the path begins in.
  ///   - convert: Makes the new value from the stored one, which may be `DynamicValue.null`; an error that it throws
  ///     ends the migration, and the migration's error names it.
  /// - Returns: The edit.
  public static func convertKey(
    _ key: ArchiveKey, at path: RecordPath, ofType typeName: String,
    _ convert: @escaping @Sendable (DynamicValue) throws -> DynamicValue
  ) -> MigrationEdit {
    editing("convert key \(key)", path, typeName) {
      try $0.convertValue(forKey: key, at: path, convert)
    }
  }

  /// An edit by a closure, of the records at a path.
  ///
  /// - Parameters:
  ///   - path: The path, from records of the type.
  ///   - typeName: The type whose records the path begins in.
  ///   - description: The edit in words, for the plan and the report.
  ///   - body: Changes one record; an error that it throws ends the migration, and the migration's error names it.
  /// - Returns: The edit.
  public static func editRecords(
    at path: RecordPath, ofType typeName: String, _ description: String,
    _ body: @escaping @Sendable (inout DynamicRecord) throws -> Void
  ) -> MigrationEdit {
    editing(description, path, typeName) { try $0.updateRecords(at: path, body) }
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

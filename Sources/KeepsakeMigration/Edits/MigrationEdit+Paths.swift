import KeepsakeArchive
public import KeepsakeDocuments

// Edits of the records at a path in the records of a type (Spec/migration.md, section 5).

extension MigrationEdit {
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
        "\(description) (\(typeName))",
        .records(ofType: ArchiveKey(typeName), reportingEffect(body)))
    }
    return editing(description, path, typeName) { try $0.updateRecords(at: path, body) }
  }

  /// An edit that returns the number of records at the path that it applied to.
  static func editing(
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

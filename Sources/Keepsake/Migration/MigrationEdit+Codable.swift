import KeepsakeArchive
import KeepsakeCodable
public import KeepsakeDocuments
public import KeepsakeMigration

// Edits of `Codable` values. They hide that an `ArchiveEncoder` stores its value under one key of one object.

extension MigrationEdit {
  /// Changes the value that an `ArchiveEncoder` wrote, by the value's own keys.
  ///
  /// ```swift
  /// .editCodable("colour is color now") {
  ///   try $0.renameKey("colour", to: "color")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - description: The edit in words, for the plan and the report.
  ///   - body: Changes the keys and values. An error that it throws, and a value without keys, end the migration; the
  ///     migration's error names them.
  /// - Returns: The edit.
  public static func editCodable(
    _ description: String, _ body: @escaping @Sendable (inout DynamicRecord) throws -> Void
  ) -> MigrationEdit {
    codable(description) { value in
      guard case .record(var record) = value else {
        throw ArchiveError(
          .invalidValue, "the value is a \(value.typeDescription), and has no keys of its own")
      }
      try body(&record)
      return .record(record)
    }
  }

  /// Converts the value that an `ArchiveEncoder` wrote from its former type to the present one.
  ///
  /// ```swift
  /// .convertCodable(from: OldSettings.self) { Settings($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - former: The former type of the value.
  ///   - convert: Makes the new value. An error that it throws, and a value of another type, end the migration; the
  ///     migration's error names them.
  /// - Returns: The edit.
  public static func convertCodable<
    Former: Decodable & SendableMetatype, New: Encodable & SendableMetatype
  >(
    from former: Former.Type, _ convert: @escaping @Sendable (Former) throws -> New
  ) -> MigrationEdit {
    codable("make a \(New.self) of the \(Former.self)") { content in
      // The new value is written under the limits of the archive that is migrated.
      try StoredValue.converted(content, from: former, SealedValue.readingLimits, convert).value
    }
  }

  /// Converts the value of a key in the records at a path from one `Codable` type to another.
  ///
  /// ```swift
  /// .convertKey(
  ///   "zip", at: "addresses[]", ofType: "Contact",
  ///   from: Int.self
  /// ) { String($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The unscoped key.
  ///   - path: The path, from records of the type.
  ///   - typeName: The type whose records the path begins in.
  ///   - former: The former type of the value. A nil stays one, unless the type is an optional.
  ///   - convert: Makes the new value. An error that it throws, and a value of another type, end the migration; the
  ///     migration's error names them.
  /// - Returns: The edit.
  public static func convertKey<
    Former: Decodable & SendableMetatype, New: Encodable & SendableMetatype
  >(
    _ key: ArchiveKey, at path: RecordPath = "", ofType typeName: String,
    from former: Former.Type, _ convert: @escaping @Sendable (Former) throws -> New
  ) -> MigrationEdit {
    convertKey(key, at: path, ofType: typeName) { value in
      try value.converted(from: former, convert)
    }
  }

  private static func codable(
    _ description: String,
    _ convert: @escaping @Sendable (DynamicValue) throws -> DynamicValue
  ) -> MigrationEdit {
    convertKey(CodableArchive.rootKey, ofType: CodableArchive.typeName, convert)
      .described(as: description)
  }
}

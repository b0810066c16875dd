import KeepsakeArchive
import KeepsakeCodable
public import KeepsakeMigration

// Edits of `Codable` values. An `ArchiveEncoder` stores its value under one key of one object, which nobody has to
// know here.

extension MigrationEdit {
  /// Changes the value that an `ArchiveEncoder` wrote, by the value's own keys.
  ///
  /// ```swift
  /// .editCodable("colour is color now") { try $0.renameKey("colour", to: "color") }
  /// ```
  ///
  /// - Parameters:
  ///   - description: What it does, in words, for the plan and the report.
  ///   - body: Changes the keys and values; what it throws ends the migration and is named in the error, as is
  ///     a value without keys.
  /// - Returns: The edit.
  public static func editCodable(
    _ description: String, _ body: @escaping @Sendable (inout ArchivedRecord) throws -> Void
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

  /// Makes the value that an `ArchiveEncoder` wrote anew, from the type that it had to the type of today.
  ///
  /// ```swift
  /// .convertCodable(from: OldSettings.self) { Settings($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - former: The type that the value had.
  ///   - convert: Makes the new value; what it throws ends the migration and is named in the error, as is a value
  ///     that is none of the type.
  /// - Returns: The edit.
  public static func convertCodable<
    Former: Decodable & SendableMetatype, New: Encodable & SendableMetatype
  >(
    from former: Former.Type, _ convert: @escaping @Sendable (Former) throws -> New
  ) -> MigrationEdit {
    // The archive that is migrated has limits of its own, which the new value is written under.
    let limits = SealedValue.readingLimits
    return codable("make a \(New.self) of the \(Former.self)") { content in
      let archive = try StoredValue.archive(
        of: content, typeName: CodableArchive.typeName, limits)
      var decoder = ArchiveDecoder()
      decoder.limits = limits
      let value = try decoder.decode(Former.self, from: archive)
      return try StoredValue.content(of: convert(value), limits)
    }
  }

  private static func codable(
    _ description: String,
    _ convert: @escaping @Sendable (ArchivedValue) throws -> ArchivedValue
  ) -> MigrationEdit {
    convertKey(CodableArchive.rootKey, ofType: CodableArchive.typeName, convert)
      .described(as: description)
  }
}

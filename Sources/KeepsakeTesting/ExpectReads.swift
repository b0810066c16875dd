public import Keepsake

/// Fails a test when a type no longer reads everything in a stored sample.
///
/// Keep a sample that each released version wrote, as a resource of your tests. The test then fails when a property was
/// renamed without a `ValueMigration`, before a user loses its value.
///
/// ```swift
/// @Test func `The settings read what version 1 wrote`() throws {
///   try expectReads(versionOne, as: Settings.self)
/// }
/// ```
///
/// - Parameters:
///   - sample: The bytes of an archive, as `ArchiveEncoder` makes them from a value.
///   - type: The current type of the value.
///   - defaultValue: The default of the store, for keys that the sample lacks; nil for no default.
///   - migrations: The migrations of the store.
/// - Throws: `KeepsakeError`: `valueUnreadable` when the sample is not such a value, or has keys that the type neither
///   reads nor writes; `migrationRefused` when a migration fails.
public func expectReads<Value: Codable>(
  _ sample: some Sequence<UInt8>, as type: Value.Type, default defaultValue: Value? = nil,
  migrations: [ValueMigration] = []
) throws(KeepsakeError) {
  let report = try SealedValue.unknownKeys(
    in: Array(sample), as: type, completedBy: defaultValue, migrations: migrations)
  guard report.isEmpty else {
    let names = (report.kept + report.lost).joined(separator: ", ")
    throw KeepsakeError(
      .valueUnreadable,
      "\(type) does not read all of the sample: it does not know \(names). Add a migration that renames or removes "
        + "these keys, or bring the properties back.")
  }
}

/// Fails a test when a type no longer reads everything in a sealed sample file.
///
/// - Parameters:
///   - path: A file, as a path or a `URL`, that a `SealedValueStore` or `SealedValue` has written.
///   - key: A key that opens the file.
///   - type: The current type of the value.
///   - defaultValue: The default of the store, for keys that the sample lacks; nil for no default.
///   - migrations: The migrations of the store.
/// - Throws: `KeepsakeError` as the overload for bytes does; `valueAbsent` without a file, and the codes of keys.
public func expectReads<Value: Codable>(
  fileAt path: some FilePathConvertible, with key: SealedValueKey, as type: Value.Type,
  default defaultValue: Value? = nil, migrations: [ValueMigration] = []
) throws(KeepsakeError) {
  try expectReads(
    SealedValue.archive(at: path.filePath, with: key), as: type, default: defaultValue,
    migrations: migrations)
}

import KeepsakeArchive
public import KeepsakeMigration
public import KeepsakeSeal

// Spec/migration.md, section 7.

extension MigrationPlan {
  /// Migrates the archive in a sealed file, and replaces the file durably.
  ///
  /// Whenever the process dies, the old file or the new one is there, whole. The new file has a new
  /// data key, a slot for each of the keys, the same context, public metadata, creator and chunk
  /// size, and the next generation. A file with nothing to migrate is not written. The call blocks;
  /// no other program may write the file meanwhile.
  ///
  /// - Parameters:
  ///   - path: The path of the sealed file.
  ///   - keys: Between 1 and 32 keys: together they have to open every slot of the file, and each
  ///     will open the new one.
  ///   - options: Context, slots that may be lost, and the length of the report.
  /// - Returns: What was changed.
  /// - Throws: ``KeepsakeError`` when no key fits, a slot would be lost, the archive is refused or
  ///   damaged, a step fails, or the file cannot be written; the file is then as it was, unless the
  ///   error says that the new file may not have reached the disk.
  @discardableResult
  public func migrateFile(
    at path: String, keys: [SealKey], options: FileMigrationOptions = FileMigrationOptions()
  ) throws(KeepsakeError) -> MigrationReport {
    let file = try SealedMigration(path: path, keys: keys, options: options)
    let migrated = try file.migrated(by: self)
    if let bytes = migrated.bytes { try file.replace(with: bytes) }
    return migrated.report
  }

  /// Finds out what migrating a sealed file would change; nothing is written.
  ///
  /// - Parameters:
  ///   - path: The path of the sealed file.
  ///   - keys: The keys, as ``migrateFile(at:keys:options:)`` needs them.
  ///   - options: Context, slots that may be lost, and the length of the report.
  /// - Returns: What would be changed.
  /// - Throws: ``KeepsakeError`` when the migration would be refused or fail.
  public func dryRunFile(
    at path: String, keys: [SealKey],
    options: FileMigrationOptions = FileMigrationOptions(objectLimit: 1_000)
  ) throws(KeepsakeError) -> MigrationReport {
    var options = options
    options.keepsRefusedFiles = false
    return try SealedMigration(path: path, keys: keys, options: options).migrated(by: self).report
  }
}

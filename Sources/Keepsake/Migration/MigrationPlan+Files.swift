public import KeepsakeMigration
public import KeepsakeSeal

// Spec/migration.md, section 7.

extension MigrationPlan {
  /// Migrates the archive in a sealed file, and replaces the file durably.
  ///
  /// Whenever the process dies, the old file or the new one is there, whole. The new file has a new
  /// data key, a slot for each recipient, the same context, public metadata, creator and chunk size,
  /// and the next generation. A file with nothing to migrate is not written. The call blocks.
  ///
  /// The file of a state directory, `state.keepsake`, is migrated under the lock of that directory; it is
  /// refused while a process uses the state, this one included.
  ///
  /// - Parameters:
  ///   - path: The path of the sealed file.
  ///   - identities: What opens the file as it is.
  ///   - recipients: The full list of those who can open it from now on; together they have to
  ///     account for every slot of the file.
  ///   - options: Context, slots that may be lost, and the length of the report.
  /// - Returns: What was changed.
  /// - Throws: ``KeepsakeError`` when no key fits, a slot would be lost, the archive is refused or
  ///   damaged, a step fails, the state is in use, somebody else replaced the file meanwhile, or it cannot be written; the
  ///   file is then as it was, unless the error says that the new file may not have reached the disk.
  @discardableResult
  public func migrateFile(
    at path: String, with identities: [SealIdentity], for recipients: [SealRecipient],
    options: FileMigrationOptions = FileMigrationOptions()
  ) throws(KeepsakeError) -> MigrationReport {
    try SealedMigration(
      plan: self, path: path, identities: identities, recipients: recipients, options: options
    ).runLocked(isDryRun: false)
  }

  /// Migrates the archive in a file that is sealed with raw keys.
  ///
  /// - Parameters:
  ///   - path: The path of the sealed file.
  ///   - keys: Between 1 and 32 keys: together they have to open every slot of the file, and each
  ///     will open the new one.
  ///   - options: Context, slots that may be lost, and the length of the report.
  /// - Returns: What was changed.
  /// - Throws: ``KeepsakeError`` as ``migrateFile(at:with:for:options:)`` does.
  @discardableResult
  public func migrateFile(
    at path: String, keys: [SealKey], options: FileMigrationOptions = FileMigrationOptions()
  ) throws(KeepsakeError) -> MigrationReport {
    try migrateFile(
      at: path, with: keys.map { .key($0) }, for: keys.map { .key($0) }, options: options)
  }

  /// Finds out what migrating a sealed file would change; nothing is written.
  ///
  /// - Parameters:
  ///   - path: The path of the sealed file.
  ///   - identities: What opens the file.
  ///   - recipients: As ``migrateFile(at:with:for:options:)`` needs them.
  ///   - options: Context, slots that may be lost, and the length of the report.
  /// - Returns: What would be changed.
  /// - Throws: ``KeepsakeError`` when the migration would be refused or fail.
  public func dryRunFile(
    at path: String, with identities: [SealIdentity], for recipients: [SealRecipient],
    options: FileMigrationOptions = FileMigrationOptions(objectLimit: 1_000)
  ) throws(KeepsakeError) -> MigrationReport {
    try SealedMigration(
      plan: self, path: path, identities: identities, recipients: recipients, options: options
    ).runLocked(isDryRun: true)
  }

  /// Finds out what migrating a file that is sealed with raw keys would change; nothing is written.
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
    try dryRunFile(
      at: path, with: keys.map { .key($0) }, for: keys.map { .key($0) }, options: options)
  }
}

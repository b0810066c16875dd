import KeepsakeFiles
public import KeepsakeMigration
import KeepsakeSeal

extension StateSessions {
  /// Migrates the saved state of every session, one after the other.
  ///
  /// Call it before windows are opened: a session in use stays as it is, and its outcome says so. Restoring a session
  /// also migrates its state, if the coordinator has the plan; this is for an app that needs to know at once which
  /// sessions can be migrated.
  ///
  /// - Parameters:
  ///   - plan: The version of this program, and the steps that lead to it.
  ///   - isDryRun: True when nothing is written.
  ///   - options: The options for each file.
  /// - Returns: The result for each session that has a saved state, in the order of their names; a session that
  ///   cannot be migrated does not stop the others.
  /// - Throws: ``KeepsakeError`` when the directory cannot be read.
  public func migrate(
    with plan: MigrationPlan, isDryRun: Bool = false,
    options: FileMigrationOptions = FileMigrationOptions()
  ) async throws(KeepsakeError) -> [FileMigration] {
    try await onQueue { () throws(KeepsakeError) in
      try self.migrateNow(with: plan, isDryRun: isDryRun, options: options)
    }
  }

  package func migrateNow(
    with plan: MigrationPlan, isDryRun: Bool = false,
    options: FileMigrationOptions = FileMigrationOptions()
  ) throws(KeepsakeError) -> [FileMigration] {
    var outcomes: [FileMigration] = []
    for files in try SessionFiles.all(in: folder) {
      if let outcome = migrated(files, by: plan, isDryRun: isDryRun, options) {
        outcomes.append(FileMigration(path: files.directory.archivePath, outcome: outcome))
      }
    }
    return outcomes
  }

  /// The outcome for one session; nil when it has no saved state.
  private func migrated(
    _ files: SessionFiles, by plan: MigrationPlan, isDryRun: Bool, _ options: FileMigrationOptions
  ) -> FileMigration.Outcome? {
    do throws(KeepsakeError) {
      guard try files.hasArchive else { return nil }
      // The lock is acquired while no session can be pruned, and held while this session is migrated.
      let lock = try migrationLock(of: files, isDryRun: isDryRun)
      guard try files.hasArchive else { return nil }
      defer { withExtendedLifetime(lock) {} }
      var options = options
      options.context = purpose(of: files).context
      let key = try keys(of: files).existingKey()
      let migration = SealedMigration(
        plan: plan, path: files.directory.archivePath, identities: [.key(key)],
        recipients: [.key(key)], options: options)
      let report = try migration.run(isDryRun: isDryRun)
      return report.isRewritten ? .migrated(report) : .unchanged(report)
    } catch {
      return .failed(error)
    }
  }

  /// The lock of a session with a saved state; a dry run needs no permission to write.
  private func migrationLock(
    of files: SessionFiles, isDryRun: Bool
  ) throws(KeepsakeError) -> FileLock? {
    if isDryRun {
      return try lockedForReading { () throws(KeepsakeError) in
        try files.hasArchive ? Self.lockForReading(files, .exclusive) : nil
      }
    }
    return try locked { () throws(KeepsakeError) in
      guard try files.hasArchive else { return nil }
      guard let lock = try Self.unusedLock(of: files) else { throw Self.inUse(files) }
      return lock
    }
  }
}

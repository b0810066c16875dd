public import KeepsakeMigration
import KeepsakeSeal

extension StateSessions {
  /// Migrates the saved state of every session, one after the other.
  ///
  /// Call it before windows are opened: a session that a process uses is left as it is, and its
  /// outcome says so. Restoring a session migrates its state as well, if the coordinator has the plan;
  /// this is for an app that wants to know at once which of them can be carried forward.
  ///
  /// - Parameters:
  ///   - plan: The version of this program, and the steps that lead to it.
  ///   - isDryRun: Whether nothing is written.
  ///   - options: As for one file.
  /// - Returns: What became of each session that has a saved state, in the order of their names; one
  ///   that cannot be migrated does not stop the others.
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

  /// What became of one session; nil when it has nothing saved.
  private func migrated(
    _ files: SessionFiles, by plan: MigrationPlan, isDryRun: Bool, _ options: FileMigrationOptions
  ) -> FileMigration.Outcome? {
    do throws(KeepsakeError) {
      guard try files.hasArchive else { return nil }
      // The lock is taken while no session is pruned, and kept while this one is migrated.
      let lock = try migrationLock(of: files, isDryRun: isDryRun)
      guard try files.hasArchive else { return nil }
      defer { withExtendedLifetime(lock) {} }
      var options = options
      options.context = purpose(of: files).context
      let migration = SealedMigration(
        plan: plan, path: files.directory.archivePath, keys: [try keys(of: files).existingKey()],
        options: options)
      let report = try migration.run(isDryRun: isDryRun)
      return report.isRewritten ? .migrated(report) : .unchanged(report)
    } catch {
      return .failed(error)
    }
  }

  /// The lock of a session that has something saved; a dry run needs no right to write.
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

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
    for files in try SessionFiles.all(in: path) where try files.hasArchive {
      outcomes.append(
        FileMigration(
          path: files.directory.archivePath,
          outcome: migrated(files, by: plan, isDryRun: isDryRun, options)))
    }
    return outcomes
  }

  private func migrated(
    _ files: SessionFiles, by plan: MigrationPlan, isDryRun: Bool, _ options: FileMigrationOptions
  ) -> FileMigration.Outcome {
    do throws(KeepsakeError) {
      guard let lock = try Self.unusedLock(of: files) else { throw Self.inUse(files) }
      defer { withExtendedLifetime(lock) {} }
      let key = try keys(of: files).existingKey()
      let path = files.directory.archivePath
      let report =
        isDryRun
        ? try plan.dryRunFile(at: path, keys: [key], options: options)
        : try plan.migrateFile(at: path, keys: [key], options: options)
      return report.isRewritten ? .migrated(report) : .unchanged(report)
    } catch {
      return .failed(error)
    }
  }
}

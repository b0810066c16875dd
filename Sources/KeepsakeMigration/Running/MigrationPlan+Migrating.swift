public import KeepsakeArchive

extension MigrationPlan {
  /// Migrates an archive to the program's version.
  ///
  /// The archive is only read: either all steps succeed and the result is a new archive, or an error says why not.
  /// Objects keep their order, and values that no step changes stay unchanged; the bundle version becomes the
  /// program's. For each step the report lists up to `objectLimit` objects, and counts all.
  ///
  /// - Throws: ``MigrationError`` when the policy refuses the archive, no step begins with its
  ///   version, a step fails, or the archive is damaged.
  /// - Complexity: One pass over the archive for each group of consecutive edits of records, and one for each group
  ///   of consecutive edits of the whole document. Besides the two archives, the memory does not grow with the number
  ///   of objects, unless an edit is of the whole document: then it takes twelve bytes for each object, and the
  ///   objects that such edits change.
  public func migrate(
    _ archive: Archive, listing objectLimit: Int = 0, limits: ArchiveLimits = .init()
  ) throws(MigrationError) -> MigratedArchive {
    let steps = try steps(for: archive.reserved)
    var run = try MigrationRun(archive, plan: self, steps: steps, objectLimit: objectLimit)
    let bytes = try run.bytes(limits: limits)
    return MigratedArchive(bytes: bytes, report: run.report)
  }

  /// Reports the changes that a migration would make, object by object.
  ///
  /// All steps run as in ``migrate(_:listing:limits:)``, and the new archive is discarded. So a dry run throws the
  /// errors of a migration.
  public func dryRun(
    _ archive: Archive, listing objectLimit: Int = 1_000, limits: ArchiveLimits = .init()
  ) throws(MigrationError) -> MigrationReport {
    try migrate(archive, listing: objectLimit, limits: limits).report
  }
}

/// The result of a migration.
public struct MigratedArchive: Sendable {
  /// The bytes of the migrated archive; nil when there was nothing to migrate and the original archive can be used.
  public let bytes: [UInt8]?
  /// The report of the changes.
  public let report: MigrationReport
}

public import KeepsakeArchive

extension MigrationPlan {
  /// Brings an archive to the program's version.
  ///
  /// The archive is only read: either all steps are made and the result is a new archive, or none
  /// is and the error says why. Objects keep their order, and what no step changes stays as it is;
  /// the bundle version becomes the program's.
  ///
  /// - Parameters:
  ///   - archive: The archive.
  ///   - objectLimit: How many objects the report lists for each step; it always counts all.
  ///   - limits: How large the archive and its parts may become.
  /// - Returns: The bytes, and what was changed.
  /// - Throws: ``MigrationError`` when the policy refuses the archive, no step begins with its
  ///   version, a step fails, or the archive is damaged.
  /// - Complexity: One pass over the archive for each run of edits between two that are of the whole
  ///   document, and one for each run of these. Beside the two archives it takes no memory that grows
  ///   with the number of objects, unless an edit is of the whole document: then twelve bytes for each
  ///   object, and the objects that such edits change.
  public func migrate(
    _ archive: Archive, listing objectLimit: Int = 0, limits: ArchiveLimits = .default
  ) throws(MigrationError) -> MigratedArchive {
    let steps = try steps(for: archive.reserved)
    var run = try MigrationRun(archive, plan: self, steps: steps, objectLimit: objectLimit)
    let bytes = try run.bytes(limits: limits)
    return MigratedArchive(bytes: bytes, report: run.report)
  }

  /// Finds out what a migration would change.
  ///
  /// All steps are made as ``migrate(_:listing:limits:)`` would, and the result is thrown away: what
  /// would fail there fails here.
  ///
  /// - Parameters:
  ///   - archive: The archive.
  ///   - objectLimit: How many objects the report lists for each step; it always counts all.
  ///   - limits: How large the archive and its parts may become.
  /// - Returns: What would be changed, object by object.
  /// - Throws: ``MigrationError`` as ``migrate(_:listing:limits:)`` does.
  public func dryRun(
    _ archive: Archive, listing objectLimit: Int = 1_000, limits: ArchiveLimits = .default
  ) throws(MigrationError) -> MigrationReport {
    try migrate(archive, listing: objectLimit, limits: limits).report
  }
}

/// The result of a migration.
public struct MigratedArchive: Sendable {
  /// The bytes of the archive as it is now, or nil when there was nothing to migrate and the
  /// archive serves as it was.
  public let bytes: [UInt8]?
  /// What was changed.
  public let report: MigrationReport
}

/// The result of a migration.
public struct MigratedArchive: Sendable {
  /// The bytes of the archive as it is now, or nil when there was nothing to migrate and the
  /// archive serves as it was.
  public let bytes: [UInt8]?
  /// What was changed.
  public let report: MigrationReport
}

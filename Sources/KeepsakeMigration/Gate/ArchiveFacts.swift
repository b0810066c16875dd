public import KeepsakeArchive

/// What a policy of an application's own decides by: both versions, and the archive's reserved
/// values.
public struct ArchiveFacts: Hashable, Sendable {
  /// The version that wrote the archive.
  public let archiveVersion: BundleVersion
  /// The version of this program; not earlier than ``archiveVersion``.
  public let programVersion: BundleVersion
  /// What the archive says about its own making: idiom, timestamp, system version.
  public let reserved: ReservedValues
}

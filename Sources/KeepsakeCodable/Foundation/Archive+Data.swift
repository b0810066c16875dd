#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import KeepsakeArchive

extension Archive {
  /// Opens an archive that is in a `Data`.
  ///
  /// - Parameters:
  ///   - data: All bytes of the archive.
  ///   - limits: How much the archive may ask for.
  /// - Throws: `ArchiveError` when the bytes are no archive, are cut short, or contradict the format where
  ///   opening looks (Spec/archive.md, section 7).
  /// - Complexity: In proportion to the size, as the bytes are copied.
  public init(_ data: Data, limits: ArchiveLimits = .default) throws(ArchiveError) {
    try self.init(Array(data), limits: limits)
  }
}

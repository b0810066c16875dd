#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import KeepsakeArchive

/// Stored as ``/KeepsakeArchive/ArchiveBytes``: one run of bytes.
extension Data: ArchiveValue {
  /// The tag of a run of bytes.
  public static var archiveTag: ArchiveTag { .bytes }

  /// Writes the bytes as they are.
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeBytes(span, at: place)
  }

  /// Reads a run of bytes.
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    self = try coder.withLentBytes { Data($0) }
  }
}

#if canImport(FoundationEssentials)
#else
#endif

extension Archive {
  /// Opens an archive, all of which is in a `Data`.
  ///
  /// - Throws: `ArchiveError` when the bytes are not an archive, are cut short, or contradict the format where
  ///   opening looks (Spec/archive.md, section 7).
  /// - Complexity: In proportion to the size, as the bytes are copied.
  public init(_ data: Data, limits: ArchiveLimits = .init()) throws(ArchiveError) {
    try self.init(Array(data), limits: limits)
  }
}

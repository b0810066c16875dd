#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import KeepsakeArchive

/// Stored as an ``/KeepsakeArchive/ArchiveURL``: the absolute string, so that a base URL becomes part of it.
extension URL: ArchiveValue {
  /// The tag of a URL.
  public static var archiveTag: ArchiveTag { .url }

  /// Writes the absolute string.
  ///
  /// - Parameters:
  ///   - coder: The coder of the object that the value is part of.
  ///   - place: The place of the value.
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    ArchiveURL(absoluteString).encode(to: &coder, at: place)
  }

  /// Reads a URL.
  ///
  /// - Parameter coder: The stored value.
  /// - Throws: ``/KeepsakeArchive/ArchiveError`` when what is stored is no URL, or none that Foundation accepts.
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    let stored = try ArchiveURL(from: coder)
    guard let url = URL(string: stored.string) else {
      throw ArchiveError(.invalidValue, "Foundation makes no URL of the stored text")
    }
    self = url
  }
}

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import KeepsakeArchive

/// A `URL` is stored as an ``/KeepsakeArchive/ArchiveURL``: its absolute string, which includes the base URL.
extension URL: ArchiveValue {
  /// The tag of a URL.
  public static var archiveTag: ArchiveTag { .url }

  /// Writes the absolute string.
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    ArchiveURL(absoluteString).encode(to: &coder, at: place)
  }

  /// Reads a URL.
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    let stored = try ArchiveURL(from: coder)
    guard let url = URL(string: stored.string) else {
      throw ArchiveError(.invalidValue, "the stored text is not a URL that Foundation accepts")
    }
    self = url
  }
}

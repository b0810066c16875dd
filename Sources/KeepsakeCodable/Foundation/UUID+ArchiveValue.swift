#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import KeepsakeArchive

/// Stored as an ``/KeepsakeArchive/ArchiveUUID``: 16 bytes.
extension UUID: ArchiveValue {
  /// The tag of an identifier.
  public static var archiveTag: ArchiveTag { .uuid }

  /// Writes the 16 bytes.
  ///
  /// - Parameters:
  ///   - coder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    // The initialiser takes any number of bytes; an identifier has the right one.
    if let stored = ArchiveUUID(self) { stored.encode(to: &coder, at: place) }
  }

  /// Reads an identifier.
  ///
  /// - Parameter coder: The stored value.
  /// - Throws: ``/KeepsakeArchive/ArchiveError`` when what is stored is no identifier.
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    self.init(try ArchiveUUID(from: coder))
  }
}

extension UUID {
  /// The same identifier as an archive holds it.
  init(_ stored: ArchiveUUID) {
    let b = stored.bytes
    self.init(
      uuid: (
        b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
        b[14], b[15]
      ))
  }
}

extension ArchiveUUID {
  /// The same identifier without Foundation.
  init?(_ identifier: UUID) {
    let u = identifier.uuid
    self.init(bytes: [
      u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15,
    ])
  }
}

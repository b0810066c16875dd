package import KeepsakeArchive

/// How a `Codable` value lies in an archive: one root object with the value under one key.
package enum CodableArchive {
  /// The type name of the root object; no type of an app's registry is named so.
  package static let typeName = "Codable"

  package static let rootKey: ArchiveKey = "value"
}

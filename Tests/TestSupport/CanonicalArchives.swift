package import KeepsakeArchive
import KeepsakeDocuments

extension Archive {
  /// Checks that the archive is whole, and that a writer makes the same bytes from its values.
  package func requireCanonical() throws(ArchiveError) {
    if case .notCanonical(let error) = try verdict() { throw error }
  }
}

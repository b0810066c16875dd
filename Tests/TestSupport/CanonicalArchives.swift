package import KeepsakeArchive
import KeepsakeDocuments

extension Archive {
  /// Checks that the archive is whole, and that it is what a writer makes of its values.
  package func requireCanonical() throws(ArchiveError) {
    if case .notCanonical(let error) = try verdict() { throw error }
  }
}

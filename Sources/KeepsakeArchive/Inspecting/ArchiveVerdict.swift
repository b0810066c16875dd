/// Whether an archive is byte for byte what a writer makes of its values (Spec/archive.md, 7.5).
public enum ArchiveVerdict: Equatable, Sendable {
  /// There is one way to write these values, and this is it.
  case canonical
  /// As far as this version of the library can tell: the archive holds kinds of value that it does
  /// not know.
  case canonicalWithUnknownKinds
  /// The archive can be read, but no writer of the format makes it; the error says where this shows
  /// first.
  case notCanonical(ArchiveError)
}

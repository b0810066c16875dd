/// What becomes of objects that cannot be reached from the root, when a document is written.
public enum UnreferencedObjects: Hashable, Sendable {
  /// They are written after all others: the first one with what it leads to, then the next.
  ///
  /// This is right where objects are found by other means than references, and whenever in doubt:
  /// nothing is lost that was not removed.
  case kept
  /// They are left out.
  case dropped
}

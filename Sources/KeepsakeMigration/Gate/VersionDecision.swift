/// What a policy of an application's own decides about an archive.
public enum VersionDecision: Hashable, Sendable {
  /// The archive is opened.
  case open
  /// The archive is refused, for a reason: a clause such as "it was saved in a trial period".
  case refuse(String)
}

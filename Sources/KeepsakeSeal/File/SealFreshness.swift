/// How much is known of whether an open file is the last one that was written.
public enum SealFreshness: Hashable, Sendable {
  /// Nothing: the caller expected nothing, and an earlier version of the file looks the same.
  case unverified
  /// It is not older than what the caller had seen.
  case notOlder
  /// It is the file that the caller had seen, header and all.
  case exact
}

/// How long sessions are kept, and how many.
///
/// Sessions that are in use are never removed. The others go when they are too old, and then, the
/// longest unused first, while there are too many or they take too much room.
public struct SessionPolicy: Hashable, Sendable {
  /// How long a session is kept after its last save; `nil` keeps it whatever its age.
  public var expiry: Duration?
  /// How many sessions are kept at most.
  public var maximumCount: Int
  /// How much room all sessions may take together, in bytes.
  public var maximumByteCount: Int

  /// Creates a policy; each limit has a finite default.
  ///
  /// - Parameters:
  ///   - expiry: How long a session is kept after its last save; by default 30 days.
  ///   - maximumCount: How many sessions are kept.
  ///   - maximumByteCount: How much room all sessions may take together, in bytes; by default 256 MiB.
  public init(
    expiry: Duration? = .seconds(30 * 24 * 60 * 60), maximumCount: Int = 64,
    maximumByteCount: Int = 256 << 20
  ) {
    self.expiry = expiry
    self.maximumCount = maximumCount
    self.maximumByteCount = maximumByteCount
  }
}

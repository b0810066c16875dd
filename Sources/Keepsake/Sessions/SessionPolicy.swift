#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How long sessions are kept, and how many.
///
/// Sessions that are in use are never removed. The others are set aside when they are too old, and erased
/// when a later launch, at least seven days after that, still finds them too old: a clock that was wrong
/// once, or a backup that was restored, erases nothing. Of those that are not set aside, the longest
/// unused are erased while there are too many or they take too much room.
public struct SessionPolicy: Hashable, Sendable {
  /// How long after its last save a session is set aside; `nil` keeps it whatever its age.
  public var expiry: Duration?
  /// How many sessions are kept at most.
  public var maximumCount: Int
  /// How much room all sessions may take together, in bytes.
  public var maximumByteCount: Int

  /// For how many seconds at least a session stays set aside before it is erased.
  static let secondsSetAside: Double = 7 * 24 * 60 * 60

  /// Creates a policy; each limit has a finite default.
  ///
  /// - Parameters:
  ///   - expiry: How long after its last save a session is set aside; by default 30 days.
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

  /// Whether a session that was saved last at `date` has expired; a save that seems to lie in the future
  /// has not.
  func isExpired(_ date: Date, at now: Date) -> Bool {
    guard let expiry else { return false }
    return now.timeIntervalSince(date) > expiry / .seconds(1)
  }

  /// Whether a session that was set aside at `date` has been so for long enough; a clock that went back
  /// says no.
  func isOverdue(setAside date: Date, at now: Date) -> Bool {
    now.timeIntervalSince(date) >= Self.secondsSetAside
  }
}

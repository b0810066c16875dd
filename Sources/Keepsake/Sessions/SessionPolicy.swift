#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The rules for removing sessions: by age, number and size.
///
/// Sessions in use are never removed. The others are set aside when they are too old, and erased when a later launch,
/// at least seven days after that, still finds them too old: so neither a clock that was wrong once nor a restored
/// backup erases anything. While the remaining sessions are too many or take too much space, the longest unused ones
/// are erased.
public struct SessionPolicy: Hashable, Sendable {
  /// The time after its last save at which a session is set aside; `nil` keeps it at any age.
  public var expiry: Duration?
  /// The maximum number of sessions.
  public var maximumCount: Int
  /// The maximum size of all sessions together, in bytes.
  public var maximumByteCount: Int

  /// The minimum time in seconds for which a session stays set aside before it is erased.
  static let secondsSetAside: Double = 7 * 24 * 60 * 60

  /// Creates a policy; each limit has a finite default.
  ///
  /// - Parameters:
  ///   - expiry: The time after its last save at which a session is set aside; by default 30 days.
  ///   - maximumCount: The maximum number of sessions; by default 64.
  ///   - maximumByteCount: The maximum size of all sessions together, in bytes; by default 256 MiB.
  public init(
    expiry: Duration? = .seconds(30 * 24 * 60 * 60), maximumCount: Int = 64,
    maximumByteCount: Int = 256 << 20
  ) {
    self.expiry = expiry
    self.maximumCount = maximumCount
    self.maximumByteCount = maximumByteCount
  }

  /// Whether a session with its last save at `date` has expired; false for a date in the future.
  func isExpired(_ date: Date, at now: Date) -> Bool {
    guard let expiry else { return false }
    return now.timeIntervalSince(date) > expiry / .seconds(1)
  }

  /// Whether a session that was set aside at `date` may be erased; false when the clock has gone back.
  func mayBeErased(setAside date: Date, at now: Date) -> Bool {
    now.timeIntervalSince(date) >= Self.secondsSetAside
  }
}

/// A session that pruning has set aside or removed, and why.
public struct SessionRemoval: Hashable, Sendable {
  /// The change to a session, and the reason for it.
  public enum Cause: String, Hashable, Sendable {
    /// The last save is longer ago than the policy keeps sessions: the session was set aside with its key, and can be
    /// opened by its name for at least seven days.
    case setAside
    /// The session was set aside at least seven days ago, and is still expired: it was erased.
    case expired
    /// There were too many sessions, or they took too much space: the one that was unused for the longest time was
    /// erased.
    case overBudget
    /// The session never held a saved state, and no process uses it: it was removed.
    case orphaned
    /// A process began to discard the session, and ended before that was done: it was erased.
    case discarded
    /// The session cannot be inspected or locked: it was left alone, and the failure says why.
    case unreadable
  }

  /// The name of the session.
  public let identifier: SessionIdentifier
  /// The change to the session, and the reason for it.
  public let cause: Cause
  /// The error that stopped the change, if there was one; the next pruning tries again.
  public let failure: KeepsakeError?
  /// The names of foreign files in the folder of the session; these files, and so the folder, were left alone.
  public let foreignNames: [String]
  /// The number of other names (hard links) of the erased key files on the file system; each of them now leads to a
  /// file of zeros, which opens nothing.
  public let otherKeyNames: Int

  init(
    identifier: SessionIdentifier, cause: Cause, failure: KeepsakeError? = nil,
    foreignNames: [String] = [], otherKeyNames: Int = 0
  ) {
    self.identifier = identifier
    self.cause = cause
    self.failure = failure
    self.foreignNames = foreignNames
    self.otherKeyNames = otherKeyNames
  }
}

extension SessionRemoval: CustomStringConvertible {
  /// One line: the name, the cause, the failure and the remains.
  public var description: String {
    let left = foreignNames.isEmpty ? "" : " (left alone: \(foreignNames.joined(separator: ", ")))"
    let keys =
      otherKeyNames == 0 ? "" : " (its key, now zeros, has other names: \(otherKeyNames))"
    return "\(identifier): \(cause.rawValue)" + (failure.map { " (\($0.message))" } ?? "") + left
      + keys
  }
}

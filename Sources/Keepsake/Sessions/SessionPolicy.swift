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

/// A session that was set aside or removed for good by pruning, and why.
public struct SessionRemoval: Hashable, Sendable {
  /// What was done with a session, and why.
  public enum Cause: String, Hashable, Sendable {
    /// Its last save is longer ago than the policy keeps sessions: it was set aside with its key, and
    /// can be opened by its name for seven days at least.
    case setAside
    /// It was set aside at least seven days ago, and has still expired: it was erased.
    case expired
    /// There were too many sessions, or they took too much room, and it was unused for the longest
    /// time: it was erased.
    case overBudget
    /// It never held a saved state, and no process uses it: it was removed.
    case orphaned
    /// It was discarded by a process that ended before it was done: it was erased.
    case discarded
    /// It cannot be looked at or locked: nothing was done with it, and the failure says why.
    case unreadable
  }

  /// The name of the session.
  public let identifier: SessionIdentifier
  /// What was done, and why.
  public let cause: Cause
  /// Why it could not be done as a whole, if it could not; the next pruning tries again.
  public let failure: KeepsakeError?
  /// What is in the folder of the session and not the session's; it was left alone, and so the folder
  /// is still there.
  public let foreignNames: [String]
  /// How many other names (hard links) the erased key files have, somewhere on the file system: under
  /// each of them is a file of zeros now, which opens nothing.
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
  /// One line: the name, the cause, and what went wrong or was left.
  public var description: String {
    let left = foreignNames.isEmpty ? "" : " (left alone: \(foreignNames.joined(separator: ", ")))"
    let keys =
      otherKeyNames == 0 ? "" : " (its key, now zeros, has other names: \(otherKeyNames))"
    return "\(identifier): \(cause.rawValue)" + (failure.map { " (\($0.message))" } ?? "") + left
      + keys
  }
}

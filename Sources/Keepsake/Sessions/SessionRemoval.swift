/// A session that was removed for good, and why.
public struct SessionRemoval: Hashable, Sendable {
  /// Why a session was removed.
  public enum Cause: String, Hashable, Sendable {
    /// Its last save is longer ago than the policy keeps sessions.
    case expired
    /// There were too many sessions, or they took too much room, and it was unused for the longest time.
    case overBudget
    /// It never held a saved state, and no process uses it.
    case orphaned
    /// It was discarded by a process that ended before it was done.
    case discarded
  }

  /// The name of the session.
  public let identifier: SessionIdentifier
  /// Why it was to be removed.
  public let cause: Cause
  /// Why it could not be removed as a whole, if it could not; the next pruning tries again.
  public let failure: KeepsakeError?
}

extension SessionRemoval: CustomStringConvertible {
  /// One line: the name, the cause, and what went wrong.
  public var description: String {
    "\(identifier): \(cause.rawValue)" + (failure.map { " (\($0.message))" } ?? "")
  }
}

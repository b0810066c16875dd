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

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The facts about a session that need no key.
public struct SessionSummary: Hashable, Sendable {
  /// The name of the session.
  public let identifier: SessionIdentifier
  /// The time of its last save; `nil` when nothing has been saved.
  public let lastSaved: Date?
  /// The size of its files, in bytes.
  public let byteCount: Int
  /// True when a process, this one included, uses it now.
  public let isInUse: Bool
  /// How the last process that used it ended; `nil` while it is in use, and when nothing was saved.
  public let reason: RestorationReason?
  /// The time at which the session was set aside, because it had expired by the clock of that moment; `nil` when it
  /// was not set aside.
  ///
  /// ``StateSessions/open(_:)`` brings it back. It is erased when a later launch, at least seven days
  /// after that time, still finds it expired.
  public let expired: Date?
  /// The error that made the other facts unavailable, such as a folder that cannot be read.
  ///
  /// It is `nil` when all is well. It does not affect other sessions.
  public let problem: KeepsakeError?
}

extension SessionSummary: CustomStringConvertible {
  /// One line: the name, the state and the size, or the problem.
  public var description: String {
    if let problem { return "\(identifier): \(problem)" }
    return "\(identifier): \(state), \(byteCount) bytes"
  }

  /// The state of the session in words.
  package var state: String {
    let state =
      switch reason {
      case _ where problem != nil: "problem"
      case _ where isInUse: "in use"
      case .userQuit: "ended by the user"
      case .crash: "ended in a crash"
      case .systemKill: "ended by the system"
      case nil: "nothing saved"
      }
    return expired == nil ? state : state + ", set aside"
  }
}

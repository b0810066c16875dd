#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What can be told of a session without its key.
public struct SessionSummary: Hashable, Sendable {
  /// The name of the session.
  public let identifier: SessionIdentifier
  /// When its state was saved last; `nil` when nothing has been saved.
  public let lastSaved: Date?
  /// The room that its files take, in bytes.
  public let byteCount: Int
  /// Whether a process uses it now, this one included.
  public let isInUse: Bool
  /// How the process ended that used it last; `nil` while it is in use, and when nothing was saved.
  public let reason: RestorationReason?
  /// When the session was set aside, because it had expired by the clock of that moment; `nil` when it
  /// was not.
  ///
  /// ``StateSessions/open(_:)`` brings it back. It is erased when a later launch, at least seven days
  /// after that time, still finds it expired.
  public let expired: Date?
  /// Why nothing else can be told of the session, such as a folder that cannot be read.
  ///
  /// It is `nil` when all is well. Other sessions are not held up by it.
  public let problem: KeepsakeError?
}

extension SessionSummary: CustomStringConvertible {
  /// One line: the name, the state, the size; or what is wrong with it.
  public var description: String {
    if let problem { return "\(identifier): \(problem)" }
    let state =
      switch reason {
      case _ where isInUse: "in use"
      case .userQuit: "ended by the user"
      case .crash: "ended in a crash"
      case .systemKill: "ended by the system"
      case nil: "nothing saved"
      }
    let aside = expired == nil ? "" : ", set aside"
    return "\(identifier): \(state)\(aside), \(byteCount) bytes"
  }
}

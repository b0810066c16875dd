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
}

extension SessionSummary: CustomStringConvertible {
  /// One line: the name, the state, the size.
  public var description: String {
    let state =
      if isInUse {
        "in use"
      } else {
        reason.map { "ended by \($0)" } ?? "nothing saved"
      }
    return "\(identifier): \(state), \(byteCount) bytes"
  }
}

/// Why there is a session to be restored: how the process ended that used it last.
///
/// An app may treat them differently, for example open an empty window after the user has quit, or
/// offer to start fresh after a crash. The rules are in Spec/state.md, section 3.
public enum RestorationReason: String, Hashable, Sendable, CaseIterable {
  /// The user quit the app, or closed the window and kept its state.
  case userQuit
  /// The process ended without a word while it was in use.
  case crash
  /// The system ended the process: it said so, the app was in the background, or the machine went down.
  case systemKill
}

extension RestorationReason: CustomStringConvertible {
  /// The reason as the end of a sentence that begins with "Restored after".
  public var description: String {
    switch self {
    case .userQuit: "the user quit"
    case .crash: "a crash"
    case .systemKill: "the system ended the app"
    }
  }
}

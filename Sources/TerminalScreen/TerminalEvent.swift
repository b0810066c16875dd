/// Something that a program at a terminal has to react to.
public enum TerminalEvent: Hashable, Sendable {
  /// The user pressed a key.
  case key(TerminalKey)
  /// The terminal has another size now.
  case resized
  /// The system asks the program to end, or the terminal is gone.
  case endRequested
}

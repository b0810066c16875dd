/// A key that was pressed.
public enum TerminalKey: Hashable, Sendable {
  /// A character, typed as it is.
  case character(Character)
  /// A letter together with the control key, in lower case.
  case control(Character)
  /// The key that ends a line.
  case enter
  /// The escape key.
  case escape
  /// The key that deletes the character before the cursor.
  case backspace
  /// The key that deletes the character at the cursor.
  case delete
  /// The tabulator key.
  case tab
  /// The tabulator key together with the shift key.
  case backTab
  /// The arrow up.
  case up
  /// The arrow down.
  case down
  /// The arrow to the left.
  case left
  /// The arrow to the right.
  case right
  /// The key to the beginning.
  case home
  /// The key to the end.
  case end
  /// The key to the page before.
  case pageUp
  /// The key to the page after.
  case pageDown
}

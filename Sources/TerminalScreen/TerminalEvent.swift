/// An event that a program at a terminal has to react to.
package enum TerminalEvent: Hashable, Sendable {
  /// The user pressed a key.
  case key(TerminalKey)
  /// The size of the terminal has changed.
  case resized
  /// The system asks the program to end, or the terminal was closed.
  case endRequested
}

/// A key that was pressed.
package enum TerminalKey: Hashable, Sendable {
  /// A plain character.
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
  case up, down, left, right
  /// The key to the beginning.
  case home
  /// The key to the end.
  case end
  case pageUp, pageDown
}

/// The size of a terminal in characters.
package struct TerminalSize: Hashable, Sendable {
  /// The number of characters in a line.
  package let width: Int
  /// The number of lines.
  package let height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

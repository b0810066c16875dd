import TerminalScreen

/// The list of all keys, which the key `?` shows over any screen.
enum KeyList {
  private static let keys = [
    ("↑ ↓  j k", "move by a line"), ("PageUp PageDown", "move by a page"),
    ("Home End  g G", "first, last"), ("Enter", "open the contact, keep what was edited"),
    ("Esc", "back, without what was edited"), ("Tab", "next tab, or next field"),
    ("1 2 3", "go to a tab"), ("n", "new contact"), ("q  ^C", "quit, and keep this window"),
    ("Q", "quit, and erase this window"), ("?", "this list; any key closes it"),
  ]

  /// Draws the list in place of the screen; the tabs and the last line stay.
  static func draw(in canvas: inout Canvas) {
    for line in 1..<max(1, canvas.height - 1) { canvas.write("", inLine: line) }
    canvas.write("  Keys", inLine: 1, .bold)
    let width = keys.map { $0.0.displayWidth }.max() ?? 0
    for (line, (key, action)) in zip(2..<max(2, canvas.height - 1), keys) {
      let gap = String(repeating: " ", count: width - key.displayWidth)
      canvas.write("  \(key)\(gap)  \(action)", inLine: line)
    }
    canvas.hideCursor()
  }
}

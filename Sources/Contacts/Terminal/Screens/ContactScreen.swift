import ContactsModel
import Keepsake
import TerminalScreen

extension ContactController: Screen {
  var help: [String] {
    isEditing
      ? ["Enter keep", "Esc give up", "↑↓ field"]
      : ["← back", "e edit", "n new", "Tab next", "q quit"]
  }

  func draw(in canvas: inout Canvas, lines: Range<Int>) {
    var line = lines.lowerBound + 1
    for (name, field) in zip(Self.fieldNames, fields) where lines.contains(line) {
      let heading = "  \(name):".padded(to: 10)
      // A long text scrolls, so that its cursor is always visible.
      let room = max(1, canvas.width - 12)
      let visible = field.isFirstResponder ? field.visibleText(in: room) : (field.text[...], 0)
      canvas.write(
        [
          (heading, .dim),
          (String(visible.text).fitted(to: room), field.isFirstResponder ? .bold : .plain),
        ],
        inLine: line)
      if field.isFirstResponder { canvas.placeCursor(inLine: line, column: 10 + visible.cursor) }
      line += 2
    }
  }

  func handle(_ key: TerminalKey, in app: ContactsApp) -> Bool {
    guard let field = editedField else {
      switch key {
      case .character("e"), .enter: beginEditing()
      case .left, .escape, .backspace: app.goBack()
      default: return false
      }
      return true
    }
    switch key {
    case .enter: keep()
    case .escape: giveUp()
    case .tab, .down: moveFocus(by: 1)
    case .backTab, .up: moveFocus(by: -1)
    default: field.edit(key)
    }
    // The field uses every other key, too: no key here may switch tabs or quit.
    return true
  }
}

extension HeadlessTextField {
  /// The offset of the cursor: the selection is always empty here.
  private var cursor: Int { min(selectedRange?.lowerBound ?? text.count, text.count) }

  private func placeCursor(_ offset: Int) {
    let offset = min(max(0, offset), text.count)
    select(offset..<offset)
  }

  /// The part of the text that is visible in a number of columns, and the column of the cursor in it.
  fileprivate func visibleText(in columns: Int) -> (text: Substring, cursor: Int) {
    let end = text.index(text.startIndex, offsetBy: cursor)
    var (start, width) = (end, 0)
    while start > text.startIndex {
      let previous = text.index(before: start)
      width += text[previous].displayWidth
      if width >= columns { break }
      start = previous
    }
    return (text[start...], String(text[start..<end]).displayWidth)
  }

  /// Applies a key to the text at the cursor.
  fileprivate func edit(_ key: TerminalKey) {
    let offset = cursor
    let place = text.index(text.startIndex, offsetBy: offset)
    switch key {
    case .character(let character):
      // An accent joins the character before it, so the text may not grow by a character.
      let count = text.count
      text.insert(character, at: place)
      placeCursor(offset + text.count - count)
    case .backspace where offset > 0:
      text.remove(at: text.index(before: place))
      placeCursor(offset - 1)
    case .delete where offset < text.count:
      text.remove(at: place)
      placeCursor(offset)
    case .left: placeCursor(offset - 1)
    case .right: placeCursor(offset + 1)
    case .home, .control("a"): placeCursor(0)
    case .end, .control("e"): placeCursor(text.count)
    default: break
    }
  }
}

import Keepsake
import TerminalScreen

extension HeadlessTextField {
  /// Where the next character goes: the selection is always an empty one here.
  var cursor: Int { min(selectedRange?.lowerBound ?? text.count, text.count) }

  func placeCursor(_ offset: Int) {
    let offset = min(max(0, offset), text.count)
    select(offset..<offset)
  }

  /// Changes the text at the cursor as a key asks for.
  func edit(_ key: TerminalKey) {
    let offset = cursor
    let place = text.index(text.startIndex, offsetBy: offset)
    switch key {
    case .character(let character):
      // An accent joins the character before it, so the text need not be longer by one.
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

extension String {
  /// The text, filled up with spaces.
  func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth))
  }
}

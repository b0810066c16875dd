import ContactsModel
import Keepsake
import TerminalScreen

extension ContactListController: Screen {
  var help: [String] { ["↑↓ Enter", "n new", "Tab", "q quit", "? keys"] }

  func draw(in canvas: inout Canvas, lines: Range<Int>) {
    let contacts = contacts
    let first = table.firstVisibleIndexPath?.row ?? 0
    for (line, row) in zip(lines, first...) {
      guard contacts.indices.contains(row) else {
        canvas.write("", inLine: line)
        continue
      }
      let name = contacts[row].name.fitted(to: canvas.width / 2)
      let gap = String(repeating: " ", count: max(1, canvas.width / 2 - name.displayWidth))
      canvas.write(
        " \(name)\(gap)\(contacts[row].phone)", inLine: line,
        row == selectedRow ? .reversed : .plain)
    }
    if contacts.isEmpty, let line = lines.first { canvas.write(" No contact.", inLine: line, .dim) }
  }

  func handle(_ key: TerminalKey, in app: ContactsApp) -> Bool {
    let page = max(1, Int(table.visibleHeight) - 1)
    switch key {
    case .up, .character("k"): move(by: -1)
    case .down, .character("j"): move(by: 1)
    case .pageUp: move(by: -page)
    case .pageDown, .character(" "): move(by: page)
    case .home, .character("g"): select(0)
    case .end, .character("G"): select(contacts.count - 1)
    case .enter, .right: openSelected()
    default: return false
    }
    return true
  }

  private func move(by distance: Int) {
    select((selectedRow ?? (distance > 0 ? -1 : contacts.count)) + distance)
  }
}

import Keepsake
import TerminalScreen

extension ContactsApp {
  /// Draws the whole window: tabs, the visible screen, which keys do what, and how the state is kept.
  func draw(_ size: TerminalSize, isSaved: Bool) -> Canvas {
    var canvas = Canvas(width: size.width, height: size.height)
    drawTabs(in: &canvas)
    let content = 2..<max(2, size.height - 2)
    for line in content { canvas.write("", inLine: line) }
    for list in lists { list.layOut(height: content.count) }
    if let screen = visibleScreen {
      canvas.write("  \(screen.title)", inLine: 1, .bold)
      screen.draw(in: &canvas, lines: content)
      canvas.write(" " + screen.hint, inLine: size.height - 2, .dim)
    }
    let status = " key \(keyCount)   \(isSaved ? "saved" : "saving")   \(notice)"
    canvas.write(status, inLine: size.height - 1, .reversed)
    return canvas
  }

  private func drawTabs(in canvas: inout Canvas) {
    var pieces: [(text: String, style: Canvas.Style)] = []
    for (index, tab) in tabs.tabs.enumerated() {
      let root = ((tab as? HeadlessNavigationController)?.stack.first ?? tab) as? Screen
      let isSelected = tab === tabs.selectedTab
      pieces.append((" \(index + 1) \(root?.title ?? "") ", isSelected ? .reversed : .plain))
    }
    pieces.append(("", .plain))
    canvas.write(pieces, inLine: 0)
  }
}

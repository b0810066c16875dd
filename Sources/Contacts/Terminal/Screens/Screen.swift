import ContactsModel
import Keepsake
import TerminalScreen

/// A screen of the app in a terminal: it draws itself and handles keys.
@MainActor
protocol Screen: HeadlessViewController {
  /// The title above the screen.
  var title: String { get }
  /// The keys and their actions, the most important first: a narrow terminal shows only as many as fit.
  var help: [String] { get }

  func draw(in canvas: inout Canvas, lines: Range<Int>)

  /// Handles a key.
  ///
  /// - Returns: True when the screen uses the key.
  func handle(_ key: TerminalKey, in app: ContactsApp) -> Bool
}

extension ContactsApp {
  var visibleScreen: (any Screen)? { visibleController as? any Screen }

  /// Draws the whole window: tabs, the visible screen, the help on keys, and whether everything is saved, in a word or
  /// two.
  func draw(_ size: TerminalSize, saving: String) -> Canvas {
    var canvas = Canvas(width: size.width, height: size.height)
    drawTabs(in: &canvas)
    let keys = actionCount == 1 ? "1 key typed" : "\(actionCount) keys typed"
    var status = " \(keys), \(saving)"
    // A notice that does not fit into the last line gets lines of its own, so that it is not cut off.
    var notices: [String] = []
    if (status + "   " + notice).displayWidth <= size.width {
      status += "   " + notice
    } else if !notice.isEmpty {
      notices = Array(notice.wrapped(to: size.width - 2).prefix(max(0, size.height - 5)))
    }
    let content = 2..<max(2, size.height - 2 - notices.count)
    for line in content { canvas.write("", inLine: line) }
    for list in lists { list.layOut(height: Double(content.count)) }
    if let screen = visibleScreen {
      canvas.write("  \(screen.title)", inLine: 1, .bold)
      screen.draw(in: &canvas, lines: content)
      for (line, text) in zip(content.upperBound..., notices) {
        canvas.write(" " + text, inLine: line, .bold)
      }
      canvas.write(screen.help.fitted(to: size.width), inLine: size.height - 2, .dim)
    }
    canvas.write(status, inLine: size.height - 1, .reversed)
    return canvas
  }

  private func drawTabs(in canvas: inout Canvas) {
    var pieces: [(text: String, style: Canvas.Style)] = []
    for (index, tab) in tabs.children.enumerated() {
      let root = ((tab as? HeadlessNavigationController)?.children.first ?? tab) as? any Screen
      let isSelected = tab === tabs.selectedTab
      pieces.append((" \(index + 1) \(root?.title ?? "") ", isSelected ? .reversed : .plain))
    }
    pieces.append(("", .plain))
    canvas.write(pieces, inLine: 0)
  }
}

extension [String] {
  /// The first texts that fit into a line.
  fileprivate func fitted(to width: Int) -> String {
    var line = ""
    for text in self {
      let longer = line.isEmpty ? " " + text : line + "  " + text
      if longer.displayWidth > width { break }
      line = longer
    }
    return line
  }
}

import ContactsModel
import Keepsake
import TerminalScreen

/// A screen of the app in a terminal: it draws itself and takes keys.
@MainActor
protocol Screen: HeadlessViewController {
  /// What stands above the screen.
  var title: String { get }
  /// Which keys do what, the most important first: a narrow terminal shows only as many as fit.
  var help: [String] { get }

  /// Draws the screen in lines of the canvas.
  func draw(in canvas: inout Canvas, lines: Range<Int>)

  /// Does what a key asks for.
  ///
  /// - Returns: Whether the key means something here.
  func handle(_ key: TerminalKey, in app: ContactsApp) -> Bool
}

extension ContactsApp {
  var visibleScreen: (any Screen)? { visibleController as? any Screen }

  /// Draws the whole window: tabs, the visible screen, which keys do what, and how the state is kept.
  ///
  /// - Parameters:
  ///   - size: The size of the terminal.
  ///   - saving: Whether everything is saved, in a word or two.
  /// - Returns: What is to be seen.
  func draw(_ size: TerminalSize, saving: String) -> Canvas {
    var canvas = Canvas(width: size.width, height: size.height)
    drawTabs(in: &canvas)
    let keys = actionCount == 1 ? "1 key typed" : "\(actionCount) keys typed"
    var status = " \(keys), \(saving)"
    // A notice that has no room in the last line gets lines of its own: no advice is cut off.
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
    for (index, tab) in tabs.tabs.enumerated() {
      let root = ((tab as? HeadlessNavigationController)?.stack.first ?? tab) as? any Screen
      let isSelected = tab === tabs.selectedTab
      pieces.append((" \(index + 1) \(root?.title ?? "") ", isSelected ? .reversed : .plain))
    }
    pieces.append(("", .plain))
    canvas.write(pieces, inLine: 0)
  }
}

extension [String] {
  /// As many of the texts as fit into a line.
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

import Keepsake
import TerminalScreen

/// A screen of the app: a view controller that draws itself and takes keys.
class Screen: HeadlessViewController {
  unowned let app: ContactsApp

  init(_ identifier: String, of app: ContactsApp) {
    self.app = app
    super.init(restorationIdentifier: identifier)
  }

  /// What stands above the screen.
  var title: String { "" }
  /// Which keys do what.
  var hint: String { "" }

  /// Draws the screen in lines of the canvas.
  func draw(in canvas: inout Canvas, lines: Range<Int>) {}

  /// Does what a key asks for.
  ///
  /// - Returns: Whether the key means something here.
  func handle(_ key: TerminalKey) -> Bool { false }
}

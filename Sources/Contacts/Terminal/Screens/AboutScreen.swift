import ContactsModel
import Keepsake
import TerminalScreen

/// A text that is longer than most terminals are high; its scroll position is saved.
final class AboutScreen: HeadlessViewController, Screen {
  override class var restorationTypeName: String { "About" }

  /// Paragraphs, which are wrapped to the width of the terminal; indented lines are not wrapped.
  private static let text = """
    This is an app to be killed.

    Everything that you see here is kept by Keepsake: the tab that you are \
    in, the contact that is selected and how far the list is scrolled, what \
    you have opened, and every character that you have typed and not kept.

    Try it. Begin to edit a contact or to make a new one, and kill the app \
    from another terminal, as hard as you can:

        kill -9 $(pidof contacts)

    Start it again, and go on typing.

    The last line counts the keys that this window has got in all its \
    launches, and says whether what they did is saved. Saved changes come \
    back. A save begins at most a fifth of a second after a key, and \
    takes as long as the disk needs; a kill before that costs those keys, \
    and no more.

    The state is encoded as of one moment, sealed with a key of this \
    window's own, and put in place of the older one as a whole or not at \
    all: there is no moment at which a kill or a power cut leaves half of it.

    Open the app in a second terminal: it has a window of its own there, \
    with a state and a key of its own, and the two do not hurt each other.

        contacts --list
        contacts --show NAME
        contacts --remove NAME

    list all windows and how they ended, show what one has saved that is \
    not open, and erase one, its key first.

    q leaves and keeps the window for the next time. Q leaves and erases \
    it. Contacts are kept in contacts.json beside the state: the state \
    holds only what is not kept there yet.
    """

  private let view = HeadlessTextView(restorationIdentifier: "Text")

  init() {
    super.init(restorationIdentifier: "About")
    view.text = Self.text
    view.isEditable = false
    // Until a terminal has drawn it, any saved position may be valid.
    view.contentHeight = Double(Self.text.count)
    addView(view)
  }

  var title: String { "About" }
  var help: [String] { ["↑↓ scroll", "Tab", "n new", "q quit", "? keys"] }

  func draw(in canvas: inout Canvas, lines range: Range<Int>) {
    let lines = Self.text.wrapped(to: canvas.width - 4)
    view.contentHeight = Double(lines.count)
    view.visibleHeight = Double(range.count)
    view.scroll(to: view.contentOffset.y)
    for (line, index) in zip(range, Int(view.contentOffset.y)...) {
      canvas.write(lines.indices.contains(index) ? "  \(lines[index])" : "", inLine: line)
    }
  }

  func handle(_ key: TerminalKey, in app: ContactsApp) -> Bool {
    let page = max(1, view.visibleHeight - 1)
    switch key {
    case .up, .character("k"): view.scroll(to: view.contentOffset.y - 1)
    case .down, .character("j"): view.scroll(to: view.contentOffset.y + 1)
    case .pageUp: view.scroll(to: view.contentOffset.y - page)
    case .pageDown, .character(" "): view.scroll(to: view.contentOffset.y + page)
    case .home, .character("g"): view.scroll(to: 0)
    case .end, .character("G"): view.scroll(to: view.contentHeight)
    default: return false
    }
    return true
  }
}

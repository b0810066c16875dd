public import Keepsake

/// A window of the desktop as the root of a tree of nodes.
///
/// The window is a view of its root node: its size and the focus are saved with this node.
@MainActor
public final class WindowRoot: RestorationWindow {
  /// The window.
  public let window: Window
  /// True when the window is on the screen.
  public private(set) var isShown = false
  /// Called when the state of anything in the window has changed.
  public var onStateChange: @MainActor () -> Void = {}
  let view: WindowView
  private let column: Box
  private let footer: Widget?

  /// Creates the root of a window, which is not shown yet.
  ///
  /// - Parameters:
  ///   - window: The window.
  ///   - header: A widget above the screens, if any.
  ///   - footer: A widget below the screens, if any.
  public init(_ window: Window, header: Widget? = nil, footer: Widget? = nil) {
    self.window = window
    self.footer = footer
    view = WindowView(window)
    column = Box(isVertical: true)
    column.setMargin(12)
    if let header { column.append(header) }
  }

  /// The node whose widget fills the window.
  public var rootNode: WidgetNode? {
    didSet {
      guard let rootNode, rootNode !== oldValue else { return }
      if let oldValue { column.remove(oldValue.widget) }
      column.append(rootNode.widget)
      if let footer, oldValue == nil { column.append(footer) }
      window.setChild(column)
      rootNode.root = self
      rootNode.addView(view)
    }
  }

  /// The root as a node; setting a node of another class does nothing.
  public var restorationRootNode: (any RestorableNode)? {
    get { rootNode }
    set { if let node = newValue as? WidgetNode { rootNode = node } }
  }

  /// Shows the window and the dialogs over it.
  public func show() {
    isShown = true
    window.present()
    view.markFocus()
    var node = view.node
    while let dialog = node?.presentedDialog {
      dialog.window.setModal(over: node?.root?.window ?? window)
      dialog.show()
      node = dialog
    }
  }
}

/// The window as a view of its root node: its size, and the widget with the focus.
public final class WindowView: WidgetView {
  private let window: Window
  private weak var restoredFocus: WidgetView?
  private var restoredFocusMark: Bool?

  init(_ window: Window) {
    self.window = window
    super.init("Window", widget: window)
    window.onChange { [weak self] in self?.noteChange() }
  }

  /// The view in this window that has the keyboard focus.
  public var focusedView: WidgetView? {
    var pending = node.map { [$0] } ?? []
    while let node = pending.popLast() {
      if let view = node.views.first(where: { $0 !== self && window.hasFocus($0.widget) }) {
        return view
      }
      pending += node.children
    }
    return nil
  }

  /// Writes the size, and a reference to the view that has the focus.
  public override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    let size = window.size
    coder.encode([size.width, size.height], forKey: "size")
    coder.encode(window.isMaximized, forKey: "isMaximized")
    coder.encodeReference(focusedView, forKey: "focus")
    coder.encode(window.isFocusVisible, forKey: "isFocusVisible")
  }

  /// Reads the size, which the window has when it is shown.
  public override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    let size = try coder.decode([Int].self, forKey: "size")
    // The limits keep a saved size from making the window unusable.
    let range = 100...16_384
    if size.count == 2, size.allSatisfy(range.contains) {
      window.setSize(width: size[0], height: size[1])
    }
    window.isMaximized = try coder.decode(Bool.self, forKey: "isMaximized")
    restoredFocus = try coder.decodeReference(WidgetView.self, forKey: "focus")
    restoredFocusMark = try coder.decodeIfPresent(Bool.self, forKey: "isFocusVisible")
  }

  /// Restores the focus, once all texts are set.
  public override func applicationFinishedRestoringState() {
    super.applicationFinishedRestoringState()
    restoredFocus?.widget.grabFocus()
    restoredFocus = nil
  }

  /// Restores the mark of the focus, once the window is on the screen.
  func markFocus() {
    if let restoredFocusMark { window.isFocusVisible = restoredFocusMark }
    restoredFocusMark = nil
  }
}

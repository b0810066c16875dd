public import Keepsake

/// A stack of screens, of which the user sees the last one.
public final class StackNode: WidgetNode {
  private let stack = Stack()

  /// Creates a stack.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier.
  ///   - root: The screen at the bottom.
  public init(_ restorationIdentifier: String?, root: WidgetNode) {
    super.init(restorationIdentifier, widget: stack)
    setChildren([root])
  }

  /// The screen that the user sees.
  public var top: WidgetNode? { children.last }

  /// Puts a screen on top.
  ///
  /// - Parameter node: The screen.
  public func push(_ node: WidgetNode) { setChildren(children + [node]) }

  /// Removes the top screen, unless it is the only one.
  public func pop() {
    if children.count > 1 { setChildren(Array(children.dropLast())) }
  }

  /// Replaces the screens.
  ///
  /// - Parameter children: The new screens, bottom first.
  public override func setChildren(_ children: [WidgetNode]) {
    stack.setPages(children.map(\.widget))
    super.setChildren(children)
  }

  /// The top screen, which covers the others.
  public override var restorationVisibleChildren: [any RestorableNode] { children.suffix(1) }

  /// Screens of a stack may share an identifier.
  public override var disambiguatesRestorationChildren: Bool { true }

  /// Restores the stack, up to the first screen that was not restored.
  public override func attachRestoredChildren(_ children: [(any RestorableNode)?]) {
    let restored = children.prefix { $0 is WidgetNode }.compactMap { $0 as? WidgetNode }
    if !restored.isEmpty { setChildren(restored) }
  }
}

/// Screens with tabs, which the app builds before the restore.
public final class NotebookNode: WidgetNode {
  private let notebook = Notebook()

  /// Creates tabs; the first one is selected.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier.
  ///   - tabs: The screens with the titles of their tabs.
  public init(_ restorationIdentifier: String?, tabs: [(title: String, node: WidgetNode)]) {
    super.init(restorationIdentifier, widget: notebook)
    for tab in tabs { notebook.append(tab.node.widget, title: tab.title) }
    setChildren(tabs.map(\.node))
    notebook.onSelect { [weak self] in self?.noteChange() }
  }

  /// The screen whose tab is selected.
  public var selected: WidgetNode? {
    get { children.indices.contains(notebook.selectedPage) ? children[notebook.selectedPage] : nil }
    set {
      if let page = children.firstIndex(where: { $0 === newValue }) { notebook.selectedPage = page }
    }
  }

  /// The selected screen.
  public override var restorationVisibleChildren: [any RestorableNode] {
    selected.map { [$0] } ?? []
  }

  /// Writes a reference to the selected screen.
  ///
  /// The next launch finds the screen at any tab.
  public override func encodeRestorableState(
    with coder: inout RestorationEncoder
  ) throws {
    try super.encodeRestorableState(with: &coder)
    coder.encodeReference(selected, forKey: "selected")
  }

  /// Selects the saved tab, if it still exists.
  public override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    try super.decodeRestorableState(with: coder)
    if let node = try coder.decodeReference(WidgetNode.self, forKey: "selected") { selected = node }
  }
}

/// A screen in a modal window of its own.
public final class DialogNode: WidgetNode {
  /// The window.
  public let window: Window
  private let ownRoot: WindowRoot

  /// Creates a dialog, which is shown when it is presented.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier.
  ///   - window: Its window.
  ///   - content: The screen; nil if the restore makes it.
  public init(_ restorationIdentifier: String?, window: Window, content: WidgetNode? = nil) {
    self.window = window
    ownRoot = WindowRoot(window)
    super.init(restorationIdentifier, widget: window)
    root = ownRoot
    addView(ownRoot.view)
    if let content { setChildren([content]) }
    window.onClose { [weak self] in self?.presenter?.dismissDialog() }
  }

  /// Replaces the screen.
  ///
  /// - Parameter children: One screen.
  public override func setChildren(_ children: [WidgetNode]) {
    super.setChildren(children)
    if let content = children.first { window.setChild(content.widget) }
  }

  /// Puts the restored screen into the window.
  public override func attachRestoredChildren(_ children: [(any RestorableNode)?]) {
    if let content = children.first as? WidgetNode { setChildren([content]) }
  }

  func show() { ownRoot.show() }
}

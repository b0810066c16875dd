public import Keepsake

/// A screen or a container of screens, made of GTK's widgets.
///
/// A node has the role of a view controller in other toolkits: the engine walks its tree, and an app subclasses it.
/// Widgets have no reference to their node.
@MainActor
open class WidgetNode: RestorableNode {
  /// The stable name in archives: the name of the class.
  open class var restorationTypeName: String {
    String(reflecting: self)
  }
  /// True, because overrides have to call `super`.
  open class var requiresSuperclassCall: Bool { true }

  /// The identifier of this node.
  ///
  /// A node without one is not saved, nor are its children.
  open var restorationIdentifier: String?
  /// The class that makes this node at the next launch.
  open var restorationClass: (any RestorationClass.Type)?
  /// The name of the template that this node was made from.
  open var restorationTemplate: String?

  /// The widget of the node.
  public let widget: Widget
  /// Widgets with state of their own.
  public private(set) var views: [WidgetView] = []
  /// The contained nodes, bottom first.
  public private(set) var children: [WidgetNode] = []
  /// The node that contains this one.
  public private(set) weak var parent: WidgetNode?
  /// The dialog that this node presents; a contained node leaves presenting to its outermost container.
  public private(set) var presentedDialog: DialogNode?
  /// The node that presents this one.
  public private(set) weak var presenter: WidgetNode?
  /// The window whose root this node is, or the node's own window.
  weak var root: WindowRoot?

  /// Creates a node.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier, or `nil` to keep it out of the archive.
  ///   - widget: Its widget.
  public init(_ restorationIdentifier: String?, widget: Widget) {
    self.restorationIdentifier = restorationIdentifier
    self.widget = widget
  }

  /// Adds a widget whose state is saved when it has an identifier.
  ///
  /// - Parameter view: The widget as a view.
  public func addView(_ view: WidgetView) {
    view.node = self
    views.append(view)
  }

  /// Replaces the contained nodes; removed ones lose their parent.
  ///
  /// - Parameter children: The new children, bottom first.
  open func setChildren(_ children: [WidgetNode]) {
    for child in self.children { child.parent = nil }
    self.children = children
    for child in children { child.parent = self }
    noteChange()
  }

  /// The outermost container or presenter within the same window.
  var outermost: WidgetNode {
    var node = self
    while let next = node.parent { node = next }
    return node
  }

  /// Presents a dialog over the window of this node, in place of the current one.
  ///
  /// - Parameter dialog: The dialog.
  public func present(_ dialog: DialogNode) {
    if let parent { return parent.present(dialog) }
    dismissDialog()
    presentedDialog = dialog
    dialog.presenter = self
    if let root {
      dialog.window.setModal(over: root.window)
      if root.isShown { dialog.show() }
    }
    noteChange()
  }

  /// Dismisses the dialog that this node or a container around it presents.
  public func dismissDialog() {
    if presentedDialog == nil, let parent { return parent.dismissDialog() }
    guard let dialog = presentedDialog else { return }
    presentedDialog = nil
    dialog.presenter = nil
    dialog.window.close()
    noteChange()
  }

  /// Reports that the state of this node, or of one of its widgets, has changed.
  public func noteChange() {
    var node = self
    while let next = node.parent ?? node.presenter { node = next }
    node.root?.onStateChange()
  }

  /// The contained nodes.
  public var restorationChildren: [any RestorableNode] { children }
  /// The contained nodes that the user can see; all of them unless a subclass overrides this.
  open var restorationVisibleChildren: [any RestorableNode] { children }
  /// True when children may share an identifier; `false` unless a subclass orders its children.
  open var disambiguatesRestorationChildren: Bool { false }
  /// The dialog that this node itself presents.
  public var restorationPresentedNode: (any RestorableNode)? { presentedDialog }
  /// The container, or else the presenter.
  public var restorationParent: (any RestorableObject)? { parent ?? presenter }
  /// The widgets with state of their own.
  public var restorationViews: [any RestorableView] { views }

  /// Does nothing; subclasses that are containers set their restored children.
  open func attachRestoredChildren(_ children: [(any RestorableNode)?]) {}

  /// Presents a restored dialog, which is shown with the window.
  public func attachRestoredPresentedNode(_ node: any RestorableNode) {
    if let dialog = node as? DialogNode { present(dialog) }
  }

  /// Writes nothing; subclasses write their state and call `super`.
  open func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    coder.confirmSuperclassCall()
  }

  /// Reads nothing; subclasses read their state and call `super`.
  open func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    coder.confirmSuperclassCall()
  }

  /// Does nothing; subclasses connect restored objects with each other.
  open func applicationFinishedRestoringState() {}
}

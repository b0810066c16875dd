/// A screen or a container of screens, like a view controller.
///
/// The engine walks containment and presentation by itself, so that no child is lost because its container forgot to
/// encode it. Any class of an app's own toolkit can adopt this protocol, as the headless controllers do.
@MainActor
public protocol RestorableNode: RestorableObject {
  /// The class that makes this node at the next launch; `nil` lets the engine search for it.
  ///
  /// A node with a restoration class is never searched for implicitly.
  var restorationClass: (any RestorationClass.Type)? { get set }

  /// The name of the registered template that this node was made from, if any.
  ///
  /// The engine sets it again on every node that it restores.
  var restorationTemplate: String? { get set }

  /// The contained nodes in their order, bottom first.
  var restorationChildren: [any RestorableNode] { get }

  /// The contained nodes that the user can see while nothing is presented.
  ///
  /// When one of them is not saved, the next launch shows no snapshot of the interface.
  var restorationVisibleChildren: [any RestorableNode] { get }

  /// True when children of this node may share an identifier, because their order distinguishes them.
  var disambiguatesRestorationChildren: Bool { get }

  /// The node that this one presents, if any.
  var restorationPresentedNode: (any RestorableNode)? { get }

  /// The views of this node that may be saved with it.
  var restorationViews: [any RestorableView] { get }

  /// Sets the restored children of this container, before it decodes its own state.
  ///
  /// There is one element for each saved child, in their order; `nil` for a child that was not restored.
  func attachRestoredChildren(_ children: [(any RestorableNode)?])

  /// Presents a node that was presented at the save, before this one decodes its own state.
  func attachRestoredPresentedNode(_ node: any RestorableNode)
}

extension RestorableNode {
  /// No children.
  public var restorationChildren: [any RestorableNode] { [] }

  /// All children.
  public var restorationVisibleChildren: [any RestorableNode] { restorationChildren }

  /// Children need identifiers of their own.
  public var disambiguatesRestorationChildren: Bool { false }

  /// Nothing presented.
  public var restorationPresentedNode: (any RestorableNode)? { nil }

  /// No views.
  public var restorationViews: [any RestorableView] { [] }

  /// Attaches nothing: the app builds what this node contains.
  public func attachRestoredChildren(_ children: [(any RestorableNode)?]) {}

  /// Presents nothing.
  public func attachRestoredPresentedNode(_ node: any RestorableNode) {}
}

/// A window: it holds the root of a tree of nodes.
@MainActor
public protocol RestorationWindow: AnyObject {
  /// The root node; when it is still `nil` after all nodes were made, the engine sets it to the restored root.
  var restorationRootNode: (any RestorableNode)? { get set }
}

/// A window: the place where a tree of nodes begins.
@MainActor
public protocol RestorationWindow: AnyObject {
  /// The root node; the engine sets it to the restored root where it is `nil` after all nodes exist.
  var restorationRootNode: (any RestorableNode)? { get set }
}

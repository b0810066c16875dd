import KeepsakeRestoration

/// The same node with saved properties instead of hand-written methods.
final class SavedNode: RestorableNode, RestorationClass {
  var restorationIdentifier: String?
  var restorationClass: (any RestorationClass.Type)? = SavedNode.self
  var restorationTemplate: String?
  private weak var parent: SavedNode?
  private(set) var children: [SavedNode] = []
  @Saved private var x = 0.0
  @Saved private var y = 0.0
  @Saved private var width = 0.0
  @Saved private var height = 0.0
  @Saved private var title = ""
  @Saved private var isHidden = false
  @Saved private var selection = 0
  @Saved private var draft = ""

  init() {}

  /// Makes a node with everything below it.
  init(_ tree: NodeTree) {
    restorationIdentifier = tree.identifier
    let values = tree.values
    (x, y, width, height) = (values.x, values.y, values.width, values.height)
    (title, isHidden) = (values.title, values.isHidden)
    (selection, draft) = (values.selection, values.draft)
    children = tree.children.map { SavedNode($0) }
    for child in children { child.parent = self }
  }

  var restorationParent: (any RestorableObject)? { parent }

  var restorationChildren: [any RestorableNode] { children }

  static func restorableNode(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) -> (any RestorableNode)? {
    SavedNode()
  }

  func attachRestoredChildren(_ restored: [(any RestorableNode)?]) {
    children = restored.compactMap { $0 as? SavedNode }
    for child in children { child.parent = self }
  }

  /// The node and all nodes below it as values.
  var tree: NodeTree {
    NodeTree(
      identifier: restorationIdentifier ?? "",
      values: NodeValues(
        x: x, y: y, width: width, height: height, title: title, isHidden: isHidden,
        selection: selection, draft: draft),
      children: children.map(\.tree))
  }
}

import KeepsakeArchive
import KeepsakeRestoration

/// A node of a toolkit, with the eight keys of a view.
final class BenchmarkNode: RestorableNode, RestorationClass {
  var restorationIdentifier: String?
  var restorationClass: (any RestorationClass.Type)? = BenchmarkNode.self
  var restorationTemplate: String?
  private weak var parent: BenchmarkNode?
  private(set) var children: [BenchmarkNode] = []
  private(set) var values = NodeValues()

  init() {}

  /// Makes a node with everything below it.
  init(_ tree: NodeTree) {
    restorationIdentifier = tree.identifier
    values = tree.values
    children = tree.children.map { BenchmarkNode($0) }
    for child in children { child.parent = self }
  }

  var restorationParent: (any RestorableObject)? { parent }

  var restorationChildren: [any RestorableNode] { children }

  static func restorableNode(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) -> (any RestorableNode)? {
    BenchmarkNode()
  }

  func attachRestoredChildren(_ restored: [(any RestorableNode)?]) {
    children = restored.compactMap { $0 as? BenchmarkNode }
    for child in children { child.parent = self }
  }

  func encodeRestorableState(with coder: inout RestorationEncoder) {
    coder.encode(values.x, forKey: "x")
    coder.encode(values.y, forKey: "y")
    coder.encode(values.width, forKey: "width")
    coder.encode(values.height, forKey: "height")
    coder.encode(values.title, forKey: "title")
    coder.encode(values.isHidden, forKey: "isHidden")
    coder.encode(values.selection, forKey: "selection")
    coder.encode(values.draft, forKey: "draft")
  }

  func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    let x = try coder.decode(Double.self, forKey: "x")
    let y = try coder.decode(Double.self, forKey: "y")
    let width = try coder.decode(Double.self, forKey: "width")
    let height = try coder.decode(Double.self, forKey: "height")
    let title = try coder.decode(String.self, forKey: "title")
    let isHidden = try coder.decode(Bool.self, forKey: "isHidden")
    let selection = try coder.decode(Int.self, forKey: "selection")
    let draft = try coder.decode(String.self, forKey: "draft")
    values = NodeValues(
      x: x, y: y, width: width, height: height, title: title, isHidden: isHidden,
      selection: selection, draft: draft)
  }

  /// The node and all nodes below it as values.
  var tree: NodeTree {
    NodeTree(
      identifier: restorationIdentifier ?? "", values: values, children: children.map(\.tree))
  }
}

/// The values of an interface's nodes, ten nodes in each, filled level by level.
struct NodeTree: Equatable {
  var identifier: String
  var values: NodeValues
  var children: [NodeTree]

  /// Makes a tree of this number of nodes.
  static func make(_ count: Int) -> NodeTree {
    make(0, count)
  }

  /// Node number `index` has the children `10 * index + 1` to `10 * index + 10`.
  private static func make(_ index: Int, _ count: Int) -> NodeTree {
    let children = 10 * index + 1...10 * index + 10
    return NodeTree(
      identifier: "node \(index)", values: NodeValues(index),
      children: children.filter { $0 < count }.map { make($0, count) })
  }
}

/// Eight values of a node, one for each key.
struct NodeValues: Equatable {
  var x = 0.0
  var y = 0.0
  var width = 0.0
  var height = 0.0
  var title = ""
  var isHidden = false
  var selection = 0
  var draft = ""
}

extension NodeValues {
  init(_ index: Int) {
    self.init(
      x: Double(index % 100) * 8, y: Double(index / 100) * 44, width: 320, height: 44,
      title: "Row \(index)", isHidden: index % 7 == 0, selection: index * 31,
      draft: "An edit that was not saved, number \(index)")
  }
}

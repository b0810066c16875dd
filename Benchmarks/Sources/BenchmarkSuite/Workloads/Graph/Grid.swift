import KeepsakeArchive

/// A square grid of nodes.
///
/// It keeps the list of the nodes, and breaks the cycles when it is released.
final class Grid: ArchiveObject {
  static let archiveTypeName = "Grid"

  private(set) var nodes: [GridNode] = []

  /// Makes a grid of this many rows and columns.
  init(side: Int) {
    nodes = (0..<side * side).map { GridNode(name: "node \($0)", weight: Double($0) / 8) }
    let styles = (0..<max(1, side)).map { GridStyle(name: "style \($0)") }
    link(side: side) { styles[$0 % side] }
  }

  /// Makes a grid of unlinked nodes.
  init(nodes: [GridNode]) {
    self.nodes = nodes
  }

  private func link(side: Int, style: (Int) -> GridStyle) {
    for index in nodes.indices {
      let (row, column) = (index / side, index % side)
      nodes[index].north = row > 0 ? nodes[index - side] : nil
      nodes[index].south = row < side - 1 ? nodes[index + side] : nil
      nodes[index].west = column > 0 ? nodes[index - 1] : nil
      nodes[index].east = column < side - 1 ? nodes[index + 1] : nil
      nodes[index].style = style(index)
    }
  }

  deinit {
    for node in nodes {
      node.north = nil
      node.east = nil
      node.south = nil
      node.west = nil
    }
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encodeReferences(nodes, forKey: "nodes")
  }

  init(from coder: borrowing ObjectDecoder) throws {}

  func decode(from coder: borrowing ObjectDecoder) throws {
    nodes = try coder.decodeReferences(GridNode.self, forKey: "nodes")
  }
}

extension Grid {
  func archive() throws -> [UInt8] { try Archive.encode(self) }

  static func unarchive(_ bytes: [UInt8]) throws -> Grid {
    var registry = TypeRegistry()
    try registry.register(Grid.self)
    try registry.register(GridNode.self)
    try registry.register(GridStyle.self)
    return try Archive(bytes).decodeRoot(Grid.self, registry: registry)
  }

  /// True when each node has the right neighbours, as the same instances, and shares its style.
  func isWhole(side: Int) -> Bool {
    nodes.count == side * side
      && nodes.indices.allSatisfy { index in
        let node = nodes[index]
        let (row, column) = (index / side, index % side)
        return node.name == "node \(index)" && node.weight == Double(index) / 8
          && node.north === (row > 0 ? nodes[index - side] : nil)
          && node.south === (row < side - 1 ? nodes[index + side] : nil)
          && node.west === (column > 0 ? nodes[index - 1] : nil)
          && node.east === (column < side - 1 ? nodes[index + 1] : nil)
          && node.style === nodes[index % side].style && node.style != nil
      }
  }
}

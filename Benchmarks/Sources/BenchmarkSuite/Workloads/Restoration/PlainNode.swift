import KeepsakeArchive

/// The same node without the engine: its eight keys and references to its children only.
final class PlainNode: ArchiveObject {
  static let archiveTypeName = "BenchmarkNode"

  let identifier: String
  let values: NodeValues
  private(set) var children: [PlainNode] = []

  init(_ tree: NodeTree) {
    identifier = tree.identifier
    values = tree.values
    children = tree.children.map { PlainNode($0) }
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(identifier, forKey: "identifier")
    coder.encode(values.x, forKey: "x")
    coder.encode(values.y, forKey: "y")
    coder.encode(values.width, forKey: "width")
    coder.encode(values.height, forKey: "height")
    coder.encode(values.title, forKey: "title")
    coder.encode(values.isHidden, forKey: "isHidden")
    coder.encode(values.selection, forKey: "selection")
    coder.encode(values.draft, forKey: "draft")
    coder.encodeReferences(children, forKey: "children")
  }

  init(from coder: borrowing ObjectDecoder) throws {
    identifier = try coder.decode(String.self, forKey: "identifier")
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

  func decode(from coder: borrowing ObjectDecoder) throws {
    children = try coder.decodeReferences(PlainNode.self, forKey: "children")
  }

  static func unarchive(_ bytes: [UInt8]) throws -> PlainNode {
    var registry = TypeRegistry()
    try registry.register(PlainNode.self)
    return try Archive(bytes).decodeRoot(PlainNode.self, registry: registry)
  }

  /// The node and all nodes below it as values.
  var tree: NodeTree {
    NodeTree(identifier: identifier, values: values, children: children.map(\.tree))
  }
}

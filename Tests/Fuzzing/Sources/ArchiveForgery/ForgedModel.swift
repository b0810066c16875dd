package import KeepsakeArchive
internal import Synchronization

/// A node of a recursive model whose objects together have values of every kind.
///
/// A fuzzer has one thread, so nothing is shared.
package final class ForgedNode: ArchiveObject, @unchecked Sendable {
  /// All nodes that were made by reading; the nodes of a refused graph may retain each other.
  private static let made = Mutex<[ForgedNode]>([])

  package static let archiveTypeName = "Node"
  package let number: Int16
  package var label: String? = nil
  package var trees: [ForgedTree] = []
  package var links: [String: ForgedLink] = [:]
  package var next: ForgedNode?
  package var others: [ForgedNode] = []
  package weak var owner: ForgedNode?

  package init(_ number: Int16) {
    self.number = number
  }

  package func encode(to coder: inout ObjectEncoder) {
    coder.encode(number, forKey: "number")
    coder.encode(label, forKey: "label")
    coder.withScope("more") { coder in
      coder.encode(trees, forKey: "trees")
      coder.encode(links, forKey: "links")
    }
    coder.encodeReference(next, forKey: "next")
    coder.encodeReferences(others, forKey: "others")
    coder.encodeConditionalReference(owner, forKey: "owner")
  }

  package init(from coder: borrowing ObjectDecoder) throws {
    number = try coder.decode(forKey: "number")
    ForgedNode.made.withLock { $0.append(self) }
  }

  package func decode(from coder: borrowing ObjectDecoder) throws {
    label = try coder.decodeIfPresent(forKey: "label")
    let more = coder.scope("more")
    trees = try more.decodeIfPresent(forKey: "trees") ?? []
    links = try more.decodeIfPresent(forKey: "links") ?? [:]
    next = try coder.decodeReference(forKey: "next")
    others = try coder.decodeReferences(forKey: "others")
    owner = try coder.decodeReference(forKey: "owner")
  }
}

/// A value that contains values of its own type.
package struct ForgedTree: ArchiveRecord {
  package static let archiveTypeName = "Tree"
  package var children: [ForgedTree] = []
  package var named: [Int32: ForgedTree] = [:]
  package var marks: Set<String> = []
  package var moment: ArchiveDate?
  package var weights: [Double] = []
  package var wide: UInt128 = 0
  package var half: Float = 0

  package init() {}

  package func encode(to coder: inout ObjectEncoder) {
    coder.encode(children, forKey: "children")
    coder.encode(named, forKey: "named")
    coder.encode(marks, forKey: "marks")
    coder.encode(moment, forKey: "moment")
    coder.encode(weights, forKey: "weights")
    coder.encode(wide, forKey: "wide")
    coder.encode(half, forKey: "half")
  }

  package init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    children = try coder.decode(forKey: "children")
    named = try coder.decode(forKey: "named")
    marks = try coder.decode(forKey: "marks")
    moment = try coder.decode(forKey: "moment")
    weights = try coder.decode(forKey: "weights")
    wide = try coder.decode(forKey: "wide")
    half = try coder.decode(forKey: "half")
  }
}

/// A case that may have an object.
package enum ForgedLink: ArchiveEnumeration {
  case none
  case node(ForgedNode?, weight: Float)
  indirect case both(ForgedLink, ForgedLink)

  package var archiveCase: ArchiveKey {
    switch self {
    case .none: "none"
    case .node: "node"
    case .both: "both"
    }
  }

  package func encode(to coder: inout ObjectEncoder) {
    switch self {
    case .none: break
    case .node(let node, let weight):
      coder.encodeReference(node, forKey: "node")
      coder.encode(weight, forKey: "weight")
    case .both(let one, let other):
      coder.encode(one, forKey: "one")
      coder.encode(other, forKey: "other")
    }
  }

  package init(
    archiveCase: ArchiveKey, from coder: borrowing ObjectDecoder
  ) throws(ArchiveError) {
    switch archiveCase {
    case "none": self = .none
    case "node":
      self = .node(
        try coder.decodeReference(forKey: "node"), weight: try coder.decode(forKey: "weight"))
    case "both":
      self = .both(try coder.decode(forKey: "one"), try coder.decode(forKey: "other"))
    default: throw .unknownCase(archiveCase, of: Self.self)
    }
  }
}

extension ForgedNode {
  /// A graph with a cycle, shared objects and values in values.
  package static func graph() -> ForgedNode {
    let root = ForgedNode(1)
    let other = ForgedNode(2)
    root.label = "root"
    root.next = other
    root.others = [other, root, ForgedNode(3)]
    other.owner = root
    var tree = ForgedTree()
    tree.weights = [1, 2.5]
    tree.marks = ["a", "bc"]
    var outer = tree
    outer.children = [tree, ForgedTree()]
    outer.named = [-1: tree, 256: ForgedTree()]
    outer.moment = ArchiveDate(secondsSinceReferenceDate: 1)
    outer.wide = 1 << 100
    root.trees = [outer, tree]
    other.links = ["self": .node(other, weight: 0.5), "none": .none]
    root.links = ["both": .both(.node(other, weight: 2), .both(.none, .node(nil, weight: 0)))]
    return root
  }

  /// Breaks all links of a graph, so that cycles are released too.
  package static func release(_ root: ForgedNode) {
    var waiting = [root]
    while let node = waiting.popLast() {
      if let next = node.next { waiting.append(next) }
      waiting += node.others
      for link in node.links.values { waiting += link.nodes }
      node.clear()
    }
  }

  /// Breaks the links of all nodes that were read.
  package static func releaseAll() {
    let nodes = made.withLock { nodes in
      defer { nodes = [] }
      return nodes
    }
    for node in nodes { node.clear() }
  }

  private func clear() {
    next = nil
    others = []
    links = [:]
  }
}

extension ForgedLink {
  package var nodes: [ForgedNode] {
    switch self {
    case .none: []
    case .node(let node, _): node.map { [$0] } ?? []
    case .both(let one, let other): one.nodes + other.nodes
    }
  }
}

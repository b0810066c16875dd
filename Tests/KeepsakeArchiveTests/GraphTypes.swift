import KeepsakeArchive

class Node: ArchiveObject {
  class var archiveTypeName: String { "Node" }
  class var archiveSchemaVersion: UInt32 { 0 }
  let number: Int
  var label = ""
  var next: Node?
  var others: [Node] = []

  init(_ number: Int) {
    self.number = number
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.withScope("Node") { coder in
      coder.encode(number, forKey: "number")
      coder.encode(label, forKey: "label")
      coder.encodeReference(next, forKey: "next")
      coder.encodeReferences(others, forKey: "others")
    }
  }

  required init(from coder: borrowing ObjectDecoder) throws {
    number = try coder.scope("Node").decode(forKey: "number")
  }

  func decode(from coder: borrowing ObjectDecoder) throws {
    let own = coder.scope("Node")
    label = try own.decode(forKey: "label")
    next = try own.decodeReference(forKey: "next")
    others = try own.decodeReferences(forKey: "others")
  }

  /// Takes a list apart from its head, so that no release causes another one.
  static func release(_ head: Node) {
    var current: Node? = head
    while let node = current {
      current = node.next ?? node.others.first
      node.next = nil
      node.others = []
    }
  }
}

final class NamedNode: Node {
  override class var archiveTypeName: String { "NamedNode" }
  override class var archiveSchemaVersion: UInt32 { 3 }
  var name = ""

  init(_ number: Int, name: String, label: String) {
    super.init(number)
    self.name = name
    self.label = label
  }

  override func encode(to coder: inout ObjectEncoder) {
    super.encode(to: &coder)
    coder.encode(name, forKey: "label")
  }

  required init(from coder: borrowing ObjectDecoder) throws {
    try super.init(from: coder)
  }

  override func decode(from coder: borrowing ObjectDecoder) throws {
    try super.decode(from: coder)
    name = try coder.decode(forKey: "label")
  }
}

final class Broken: Node {
  override func encode(to coder: inout ObjectEncoder) {
    coder.encode(1, forKey: "a")
    coder.encode(1, forKey: "a")
  }
}

final class Picky: ArchiveObject {
  static let archiveTypeName = "Picky"
  var node: Node?
  var named: Node?

  init() {}

  init(from coder: borrowing ObjectDecoder) throws {}

  func encode(to coder: inout ObjectEncoder) {
    coder.encodeReference(node, forKey: "node")
    coder.encodeReference(named, forKey: "named")
  }

  func decode(from coder: borrowing ObjectDecoder) throws {
    node = try coder.decodeReference(Node.self, forKey: "node")
    named = try coder.decodeReference(NamedNode.self, forKey: "named")
  }
}

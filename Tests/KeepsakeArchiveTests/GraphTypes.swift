import KeepsakeArchive

class Node: ArchivableObject {
  class var archiveTypeName: String { "Node" }
  class var archiveSchemaVersion: UInt32 { 0 }
  let number: Int
  var label = ""
  var next: Node?
  var others: [Node] = []

  init(_ number: Int) {
    self.number = number
  }

  func encode(with coder: inout ObjectEncoder) {
    coder.withScope("Node") { coder in
      coder.encode(number, forKey: "number")
      coder.encode(label, forKey: "label")
      coder.encodeObject(next, forKey: "next")
      coder.encodeObjects(others, forKey: "others")
    }
  }

  required init(forArchive decoder: borrowing ObjectDecoder) throws {
    number = try decoder.scope("Node").decode(forKey: "number")
  }

  func decode(from decoder: borrowing ObjectDecoder) throws {
    let own = decoder.scope("Node")
    label = try own.decode(forKey: "label")
    next = try own.decodeObject(forKey: "next")
    others = try own.decodeObjects(forKey: "others")
  }

  /// Takes a list apart from its head, so that no release leads to another one.
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

  override func encode(with coder: inout ObjectEncoder) {
    super.encode(with: &coder)
    coder.encode(name, forKey: "label")
  }

  required init(forArchive decoder: borrowing ObjectDecoder) throws {
    try super.init(forArchive: decoder)
  }

  override func decode(from decoder: borrowing ObjectDecoder) throws {
    try super.decode(from: decoder)
    name = try decoder.decode(forKey: "label")
  }
}

final class Broken: Node {
  override func encode(with coder: inout ObjectEncoder) {
    coder.encode(1, forKey: "a")
    coder.encode(1, forKey: "a")
  }
}

final class Picky: ArchivableObject {
  static let archiveTypeName = "Picky"
  var node: Node?
  var named: Node?

  init() {}

  init(forArchive decoder: borrowing ObjectDecoder) throws {}

  func encode(with coder: inout ObjectEncoder) {
    coder.encodeObject(node, forKey: "node")
    coder.encodeObject(named, forKey: "named")
  }

  func decode(from decoder: borrowing ObjectDecoder) throws {
    node = try decoder.decodeObject(Node.self, forKey: "node")
    named = try decoder.decodeObject(NamedNode.self, forKey: "named")
  }
}

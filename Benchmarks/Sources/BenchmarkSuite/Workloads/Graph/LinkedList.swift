import KeepsakeArchive

/// A list in which each node refers to the next: as deep as it is long.
final class LinkedNode: ArchiveObject {
  static let archiveTypeName = "Link"

  let value: Int
  private(set) var next: LinkedNode?

  init(value: Int, next: LinkedNode?) {
    self.value = value
    self.next = next
  }

  /// Makes a list of this number of nodes.
  static func list(_ count: Int) -> LinkedNode {
    var first = LinkedNode(value: count - 1, next: nil)
    for value in stride(from: count - 2, through: 0, by: -1) {
      first = LinkedNode(value: value, next: first)
    }
    return first
  }

  /// Releases the nodes one after the other, so that no deep stack is needed.
  deinit {
    var rest = next
    next = nil
    while rest != nil, isKnownUniquelyReferenced(&rest) {
      let following = rest?.next
      rest?.next = nil
      rest = following
    }
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(value, forKey: "value")
    coder.encodeReference(next, forKey: "next")
  }

  init(from coder: borrowing ObjectDecoder) throws {
    value = try coder.decode(Int.self, forKey: "value")
  }

  func decode(from coder: borrowing ObjectDecoder) throws {
    next = try coder.decodeReference(LinkedNode.self, forKey: "next")
  }
}

extension LinkedNode {
  func archive() throws -> [UInt8] { try Archive.encode(self) }

  static func unarchive(_ bytes: [UInt8]) throws -> LinkedNode {
    var registry = TypeRegistry()
    try registry.register(LinkedNode.self)
    return try Archive(bytes).decodeRoot(LinkedNode.self, registry: registry)
  }

  /// True when the list counts from 0 to this number.
  func counts(to count: Int) -> Bool {
    var node: LinkedNode? = self
    var value = 0
    while let current = node {
      guard current.value == value else { return false }
      value += 1
      node = current.next
    }
    return value == count
  }
}

import KeepsakeArchive

/// One value of the tree that `Encodable` types build.
///
/// Containers of one value can be open at the same time and be filled in any order, so the tree is
/// made of references and becomes an archive at the end.
final class EncodingNode {
  enum Content {
    case empty
    case value(ArchivedValue)
    case keyed
    case unkeyed
  }

  private(set) var content = Content.empty
  private(set) var elements: [EncodingNode] = []
  private var keys: [ArchiveKey] = []
  private var positions: [ArchiveKey: Int] = [:]

  init() {}

  init(_ value: ArchivedValue) {
    content = .value(value)
  }

  var isEmpty: Bool {
    if case .empty = content { true } else { false }
  }

  /// Makes the node a keyed or an unkeyed container.
  ///
  /// - Returns: False when it is something else already.
  func open(_ container: Content) -> Bool {
    switch (content, container) {
    case (.empty, _):
      content = container
      return true
    case (.keyed, .keyed), (.unkeyed, .unkeyed): return true
    default: return false
    }
  }

  /// Gives an empty node its value.
  ///
  /// - Returns: False when it has one already.
  func set(_ value: ArchivedValue) -> Bool {
    guard isEmpty else { return false }
    content = .value(value)
    return true
  }

  /// Puts a node under a key, in the place of one that is there already.
  func put(_ node: EncodingNode, forKey key: String) {
    let key = ArchiveKey(key)
    if let position = positions[key] {
      elements[position] = node
    } else {
      positions[key] = elements.count
      keys.append(key)
      elements.append(node)
    }
  }

  func append(_ node: EncodingNode) {
    elements.append(node)
  }

  /// The container under a key, if there is one.
  func node(forKey key: String) -> EncodingNode? {
    positions[ArchiveKey(key)].map { elements[$0] }
  }

  /// The finished tree.
  ///
  /// The depth was limited while the tree was built, so that recursion is safe here. A value that
  /// encoded nothing is a record without keys.
  func archivedValue() -> ArchivedValue {
    switch content {
    case .value(let value): value
    case .unkeyed: .array(elements.map { $0.archivedValue() })
    case .keyed, .empty: .record(ArchivedRecord(fields: fields))
    }
  }

  /// The fields of a keyed container, sorted by the bytes of their keys.
  ///
  /// A dictionary hands its entries over in the order of its hash table, which differs from run to
  /// run; the archive must not.
  private var fields: [ArchivedRecord.Field] {
    zip(keys, elements)
      .sorted { $0.0.name.utf8.lexicographicallyPrecedes($1.0.name.utf8) }
      .map { key, node in ArchivedRecord.Field(key: key, value: node.archivedValue()) }
  }
}

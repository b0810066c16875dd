import KeepsakeArchive

/// The `Encoder` that a value sees: it fills one node.
struct NodeEncoder: Encoder {
  let node: EncodingNode
  let codingPath: [any CodingKey]
  let session: EncodingSession

  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    open(.keyed)
    return KeyedEncodingContainer(KeyedNodeContainer(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    open(.unkeyed)
    return UnkeyedNodeContainer(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleValueNodeContainer(encoder: self)
  }

  /// Opens a container; asking for two kinds of it is remembered as the app's mistake, since the
  /// protocol lets nothing throw here.
  private func open(_ container: EncodingNode.Content) {
    guard !node.open(container) else { return }
    session.fail(
      .misuse(
        "A value asked for containers of different kinds.", of: container, at: codingPath))
  }

  /// An encoder of a node one level further down.
  func nested(_ node: EncodingNode, at key: any CodingKey) -> NodeEncoder {
    NodeEncoder(node: node, codingPath: codingPath + [key], session: session)
  }

  /// Encodes any value into this encoder's node.
  func encode(_ value: some Encodable) throws {
    // The limit of the archive's reader, so that nothing is written that cannot be read. It also
    // bounds the stack that a value which contains itself would use up.
    guard codingPath.count <= session.nestingDepth else {
      throw EncodingError.misuse(
        "Values are nested deeper than \(session.nestingDepth) levels.", of: value, at: codingPath)
    }
    if let native = nativeValue(value) {
      try set(native, for: value)
    } else {
      try value.encode(to: self)
    }
  }

  func set(_ archived: any ArchiveValue, for value: Any) throws {
    guard node.set(archived) else {
      throw EncodingError.misuse(
        "A value encoded itself twice in one place.", of: value, at: codingPath)
    }
  }
}

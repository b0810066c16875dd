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
  ///
  /// Below the deepest level nothing is kept: what opens container after container meets the error
  /// at the end, what encodes value after value meets it in ``encode(_:)``.
  func nested(_ node: EncodingNode, at key: any CodingKey) -> NodeEncoder {
    if isTooDeep { return self }
    let encoder = NodeEncoder(node: node, codingPath: codingPath + [key], session: session)
    guard encoder.isTooDeep else { return encoder }
    session.fail(tooDeep(key))
    return NodeEncoder(node: EncodingNode(), codingPath: encoder.codingPath, session: session)
  }

  /// Encodes any value into this encoder's node.
  func encode(_ value: some Encodable) throws {
    if isTooDeep { throw tooDeep(value) }
    if let native = ArchivedValue(native: value) {
      try set(native, for: value)
    } else {
      try value.encode(to: self)
    }
  }

  /// Whether the archive's reader would refuse what is encoded here.
  ///
  /// The limit also bounds the stack that a value which contains itself would use up.
  private var isTooDeep: Bool { codingPath.count >= session.nestingDepth }

  private func tooDeep(_ value: Any) -> EncodingError {
    .misuse(
      "Values are nested deeper than \(session.nestingDepth) levels. Raise the limit if the data is "
        + "legitimate.", of: value, at: codingPath)
  }

  func set(_ archived: ArchivedValue, for value: Any) throws {
    guard node.set(archived) else {
      throw EncodingError.misuse(
        "A value encoded itself twice in one place.", of: value, at: codingPath)
    }
  }
}

import KeepsakeArchive

/// The `Encoder` that a value sees: it fills one node.
///
/// A class, since each encoder is handed out as an existential: the object is the box.
final class NodeEncoder: Encoder {
  let node: EncodingNode
  let session: EncodingSession
  /// The encoder of the container that the node lies in, and its key there.
  private let parent: NodeEncoder?
  private let key: (any CodingKey)?
  private let depth: Int

  init(
    _ node: EncodingNode, parent: NodeEncoder?, key: (any CodingKey)?, session: EncodingSession
  ) {
    self.node = node
    self.parent = parent
    self.key = key
    self.session = session
    depth = parent.map { $0.depth + 1 } ?? 0
  }

  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var encoder: NodeEncoder? = self
    while let current = encoder {
      if let key = current.key { path.append(key) }
      encoder = current.parent
    }
    path.reverse()
    return path
  }

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
    let encoder = NodeEncoder(node, parent: self, key: key, session: session)
    guard encoder.isTooDeep else { return encoder }
    session.fail(tooDeep(key))
    return NodeEncoder(EncodingNode(session), parent: self, key: key, session: session)
  }

  /// A value that is to lie under a key of this encoder's container.
  func staged(_ value: some Encodable, at key: any CodingKey) throws -> StagedValue {
    if isTooDeep { throw tooDeep(value) }
    if let native = StagedValue(native: value) { return native }
    let node = EncodingNode(session)
    try nested(node, at: key).encode(value)
    return .node(node)
  }

  /// Encodes any value into this encoder's node.
  func encode(_ value: some Encodable) throws {
    if isTooDeep { throw tooDeep(value) }
    if let native = StagedValue(native: value) {
      try set(native, for: value)
    } else {
      try value.encode(to: self)
    }
  }

  /// Whether the archive's reader would refuse what is encoded here.
  ///
  /// The limit also bounds the stack that a value which contains itself would use up.
  private var isTooDeep: Bool { depth >= session.nestingDepth }

  private func tooDeep(_ value: Any) -> EncodingError {
    .misuse(
      "Values are nested deeper than \(session.nestingDepth) levels. Raise the limit if the data is "
        + "legitimate.", of: value, at: codingPath)
  }

  func set(_ staged: StagedValue, for value: Any) throws {
    guard node.set(staged) else {
      throw EncodingError.misuse(
        "A value encoded itself twice in one place.", of: value, at: codingPath)
    }
  }
}

import KeepsakeArchive

/// The `Encoder` that a value sees, and what it has encoded so far.
///
/// Containers of one value can be open at the same time and be filled in any order, so values are
/// kept in a tree that becomes an archive at the end. Scalars lie in their container.
final class NodeEncoder: Encoder {
  enum Content {
    case empty
    case single
    case keyed
    case unkeyed
  }

  struct Entry {
    /// The key in a keyed container; one may be there twice, and then the last value holds.
    var key: ArchiveKey
    var value: StagedValue
  }

  let session: EncodingSession
  private(set) var content = Content.empty
  /// The values of a container, or the one of a value that encoded itself singly.
  private(set) var entries: [Entry] = []
  /// Finds keys in containers of many.
  private var positions: [ArchiveKey: Int] = [:]
  /// The encoder of the container that this one lies in, and its key there; let go of at the end.
  private var parent: NodeEncoder?
  private let key: (any CodingKey)?
  private let depth: Int

  init(parent: NodeEncoder?, key: (any CodingKey)?, session: EncodingSession) {
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
  private func open(_ container: Content) {
    if content == .empty {
      content = container
      if container == .keyed { entries.reserveCapacity(8) }
    } else if content != container {
      session.fail(
        .misuse(
          "A value asked for containers of different kinds.", of: container, at: codingPath))
    }
  }

  /// Puts a value under a key, in the place of one that is there already.
  func put(_ value: StagedValue, forKey key: String) {
    entries.append(Entry(key: ArchiveKey(key), value: value))
  }

  /// Puts a value behind the others.
  func append(_ value: StagedValue) {
    entries.append(Entry(key: "", value: value))
  }

  /// The container under a key, if there is one.
  func container(forKey key: String) -> NodeEncoder? {
    let key = ArchiveKey(key)
    // The last value of a key holds. Keys are put in a table once there are many.
    for index in entries.indices.dropFirst(positions.count).reversed()
    where entries[index].key == key {
      return container(at: index)
    }
    if entries.count - positions.count > 16 {
      for index in positions.count..<entries.count { positions[entries[index].key] = index }
    }
    return positions[key].flatMap { container(at: $0) }
  }

  private func container(at index: Int) -> NodeEncoder? {
    if case .node(let node) = entries[index].value { node } else { nil }
  }

  /// An encoder one level further down, for a container to be filled now or later.
  ///
  /// Below the deepest level nothing is kept: what opens container after container meets the error
  /// at the end, what encodes value after value meets it in ``staged(_:at:)``.
  func nested(at key: any CodingKey, keep: (NodeEncoder) -> Void) -> NodeEncoder {
    if isTooDeep { return self }
    let encoder = NodeEncoder(parent: self, key: key, session: session)
    if encoder.isTooDeep { session.fail(tooDeep(key)) } else { keep(encoder) }
    return encoder
  }

  /// A value that is to lie under a key of this encoder's container.
  func staged(_ value: some Encodable, at key: any CodingKey) throws -> StagedValue {
    if isTooDeep { throw tooDeep(value) }
    if let native = StagedValue(native: value) { return native }
    let encoder = NodeEncoder(parent: self, key: key, session: session)
    if encoder.isTooDeep { throw encoder.tooDeep(value) }
    try value.encode(to: encoder)
    return .node(encoder)
  }

  /// Encodes any value in this encoder's place.
  func encode(_ value: some Encodable) throws {
    if isTooDeep { throw tooDeep(value) }
    if let native = StagedValue(native: value) {
      try set(native, for: value)
    } else {
      try value.encode(to: self)
    }
  }

  /// Gives the encoder its single value.
  func set(_ staged: StagedValue, for value: Any) throws {
    guard content == .empty else {
      throw EncodingError.misuse(
        "A value encoded itself twice in one place.", of: value, at: codingPath)
    }
    content = .single
    entries.append(Entry(key: "", value: staged))
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

  /// Lets go of the encoders above, which hold this one.
  func detach() {
    parent = nil
    for entry in entries {
      if case .node(let node) = entry.value { node.detach() }
    }
  }
}

extension NodeEncoder {
  /// Writes what was encoded.
  ///
  /// The depth was limited while the tree was built, so that recursion is safe here. A value that
  /// encoded nothing is a record without keys.
  func write(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    let entries = entries
    switch content {
    case .single: entries[0].value.encode(to: &encoder, at: place)
    case .unkeyed: entries.map(\.value).encode(to: &encoder, at: place)
    case .keyed, .empty:
      encoder.encodeRecord(at: place) { coder in
        for index in session.order(of: entries) {
          coder.encode(entries[index].value, forKey: entries[index].key)
        }
      }
    }
  }
}

import KeepsakeArchive

/// The `Encoder` of a value whose containers are open at the same time and filled in turns, and what
/// it has encoded so far.
///
/// Such values are kept in a tree that is written when it is complete. Scalars lie in their container.
final class NodeEncoder: Encoder {
  enum Content {
    case empty
    case single
    case keyed
    case unkeyed
  }

  struct Entry {
    /// The key in a keyed container; one may be there twice, and then the last value holds.
    var key: String
    var value: StagedValue
  }

  let session: EncodingSession
  private(set) var content = Content.empty
  /// The values of a container, or the one of a value that encoded itself singly.
  private(set) var entries: [Entry] = []
  /// How many values were put or appended, kept or not.
  private(set) var count = 0
  /// Finds keys in containers of many.
  private var positions: [ArchiveKey: Int] = [:]
  /// Whether the content has gone into the archive already.
  private var isWritten = false
  /// The encoder of the container that this one lies in, and its key there; let go of at the end.
  private var parent: NodeEncoder?
  private let key: (any CodingKey)?
  private let depth: Int
  /// The path to the first encoder of the tree.
  private let rootPath: [any CodingKey]
  /// Whether what is encoded is kept: not if the value is going to be encoded again.
  private let keepsEntries: Bool

  /// The encoder of a value that lies somewhere in the archive.
  init(
    path: [any CodingKey], depth: Int, session: EncodingSession, keepsEntries: Bool = true
  ) {
    self.session = session
    self.keepsEntries = keepsEntries
    self.depth = depth
    rootPath = path
    key = nil
  }

  /// The encoder of a value in a container of another one.
  init(parent: NodeEncoder, key: any CodingKey) {
    self.parent = parent
    self.key = key
    session = parent.session
    keepsEntries = parent.keepsEntries
    depth = parent.depth + 1
    rootPath = []
  }

  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var encoder: NodeEncoder? = self
    while let current = encoder {
      if let key = current.key { path.append(key) } else { path += current.rootPath.reversed() }
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
      if container == .keyed, keepsEntries { entries.reserveCapacity(8) }
    } else if content != container {
      session.fail(
        .misuse(
          "A value asked for containers of different kinds.", of: container, at: codingPath))
    }
  }

  /// Puts a value under a key, in the place of one that is there already.
  func put(_ value: StagedValue, forKey key: String) {
    add(Entry(key: key, value: value))
  }

  /// Puts a value behind the others.
  func append(_ value: StagedValue) {
    add(Entry(key: "", value: value))
  }

  private func add(_ entry: Entry) {
    if isWritten { session.writtenLate() }
    count += 1
    if keepsEntries { entries.append(entry) }
  }

  /// The container under a key, if there is one.
  func container(forKey key: String) -> NodeEncoder? {
    let key = ArchiveKey(key)
    // The last value of a key holds. Keys are put in a table once there are many.
    for index in entries.indices.dropFirst(positions.count).reversed()
    where ArchiveKey(entries[index].key) == key {
      return container(at: index)
    }
    if entries.count - positions.count > 16 {
      for index in positions.count..<entries.count {
        positions[ArchiveKey(entries[index].key)] = index
      }
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
    let encoder = NodeEncoder(parent: self, key: key)
    if encoder.isTooDeep { session.fail(tooDeep(key)) } else { keep(encoder) }
    return encoder
  }

  /// A value that is to lie under a key of this encoder's container.
  func staged(_ value: some Encodable, at key: any CodingKey) throws -> StagedValue {
    if isTooDeep { throw tooDeep(value) }
    if let native = StagedValue(native: value) { return native }
    let encoder = NodeEncoder(parent: self, key: key)
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
    add(Entry(key: "", value: staged))
  }

  /// Whether the archive's reader would refuse what is encoded here.
  ///
  /// The limit also bounds the stack that a value which contains itself would use up.
  private var isTooDeep: Bool { depth >= session.nestingDepth }

  private func tooDeep(_ value: Any) -> EncodingError {
    .tooDeep(value, limit: session.nestingDepth, at: codingPath)
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
  /// Gives the place that is open in the archive what was encoded; false when it has a value.
  ///
  /// The depth was limited while the tree was built, so that recursion is safe here. A value that
  /// encoded nothing is a record without keys.
  func write(to assembler: RecordAssembler) -> Bool {
    isWritten = true
    let entries = entries
    switch content {
    case .single:
      return entries[0].value.write(to: assembler, of: assembler.serial)
    case .unkeyed:
      guard assembler.openUnkeyed() else { return false }
      for entry in entries {
        _ = entry.value.write(to: assembler, of: assembler.begin())
        assembler.endElement()
      }
    case .keyed, .empty:
      guard assembler.openKeyed(session.steps(of: PathKey.self)) else { return false }
      for entry in entries {
        _ = entry.value.write(to: assembler, of: assembler.begin())
        assembler.end(forKey: entry.key)
      }
    }
    return true
  }
}

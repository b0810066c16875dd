import KeepsakeArchive

/// A value whose containers are open at the same time and filled in turns, and what was encoded of it
/// so far.
///
/// A tree is written when it is complete. Scalars lie in their container.
final class ValueTree {
  enum Content {
    case empty
    case single
    case keyed
    case unkeyed
    /// The keys are kept, and the values are as those of an array.
    case dictionary
    case set
  }

  struct Entry {
    /// The key in a keyed container; one may be there twice, and then the last value holds.
    var key: String
    var value: StagedValue
    /// Whether a nil would have been left out.
    var omitsNil = false
  }

  private let level: EncodingLevel
  private(set) var content = Content.empty
  /// The values of a container, or the one of a value that encoded itself singly.
  private(set) var entries: [Entry] = []
  /// The keys of a dictionary, or the members of a set.
  private var members = SortedMembers.texts([])
  /// How many values were put or appended, kept or not.
  private(set) var count = 0
  /// Finds keys in containers of many.
  private var positions: [ArchiveKey: Int] = [:]
  /// Whether there are more keys than a record holds, as was found when it was written.
  private var exceedsShape = false
  /// Whether the content has gone into the archive already.
  private var isWritten = false
  /// The tree of the container that this one lies in, and its key there; let go of at the end.
  private var parent: ValueTree?
  private let key: (any CodingKey)?
  private let depth: Int
  /// The path to the first tree.
  private let rootPath: [any CodingKey]
  /// Whether what is encoded is kept: not if the value is going to be encoded again.
  private let keepsEntries: Bool

  private var session: EncodingSession { level.session }

  /// A value that lies somewhere in the archive.
  init(path: [any CodingKey], depth: Int, level: EncodingLevel, keepsEntries: Bool = true) {
    self.level = level
    self.keepsEntries = keepsEntries
    self.depth = depth
    rootPath = path
    key = nil
  }

  /// A value in a container of another one.
  private init(parent: ValueTree, key: any CodingKey) {
    self.parent = parent
    self.key = key
    level = parent.level
    keepsEntries = parent.keepsEntries
    depth = parent.depth + 1
    rootPath = []
  }

  /// The encoder that fills the tree.
  var encoder: ValueEncoder {
    ValueEncoder(level: level, serial: ValueEncoder.treeSerial, tree: self)
  }

  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var tree: ValueTree? = self
    while let current = tree {
      if let key = current.key { path.append(key) } else { path += current.rootPath.reversed() }
      tree = current.parent
    }
    path.reverse()
    return path
  }

  /// Opens a container; asking for two kinds of it is remembered as the app's mistake, since the
  /// protocol lets nothing throw here.
  func open(_ container: Content) {
    if content == .empty {
      content = container
      if container == .keyed, keepsEntries { entries.reserveCapacity(8) }
    } else if content != container {
      session.fail(
        .misuse(
          "A value asked for containers of different kinds.", of: container, at: codingPath))
    }
  }

  /// Makes the tree a dictionary, whose values are appended.
  func openDictionary(_ keys: SortedMembers) {
    open(.dictionary)
    members = keys
  }

  /// Makes the tree a set.
  func open(members: SortedMembers) {
    open(.set)
    self.members = members
  }

  /// Puts a value under a key, in the place of one that is there already.
  func put(_ value: StagedValue, forKey key: String, omitsNil: Bool = false) {
    add(Entry(key: key, value: value, omitsNil: omitsNil))
  }

  /// Puts a value after the others.
  func append(_ value: StagedValue) { add(Entry(key: "", value: value)) }

  private func add(_ entry: Entry) {
    if isWritten { session.writtenLate() }
    count += 1
    if keepsEntries { entries.append(entry) }
  }

  /// The container under a key, if there is one.
  func container(forKey key: String) -> ValueTree? {
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

  private func container(at index: Int) -> ValueTree? {
    if case .tree(let tree) = entries[index].value { tree } else { nil }
  }

  /// A tree one level further down, for a container to be filled now or later.
  ///
  /// Below the deepest level nothing is kept: what opens container after container meets the error
  /// at the end, what encodes value after value meets it in ``staged(_:at:)``.
  func nested(at key: any CodingKey, keep: (ValueTree) -> Void) -> ValueTree {
    if isTooDeep { return self }
    let tree = ValueTree(parent: self, key: key)
    if tree.isTooDeep { session.fail(tooDeep(key)) } else { keep(tree) }
    return tree
  }

  /// A value that is to lie under a key of this container.
  func staged(_ value: some Encodable, at key: any CodingKey) throws -> StagedValue {
    if isTooDeep { throw tooDeep(value) }
    if let native = StagedValue(native: value) { return native }
    let tree = ValueTree(parent: self, key: key)
    if tree.isTooDeep { throw tree.tooDeep(value) }
    try tree.encodeItself(value)
    return .tree(tree)
  }

  /// Encodes any value as what the tree holds.
  func encode(_ value: some Encodable) throws {
    if isTooDeep { throw tooDeep(value) }
    if let native = StagedValue(native: value) {
      try set(native, for: value)
    } else {
      try encodeItself(value)
    }
  }

  private func encodeItself(_ value: some Encodable) throws {
    if let ordered = try session.ordered(value) { return try ordered.encode(to: encoder) }
    try value.encode(to: encoder)
  }

  /// Gives the tree its single value.
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
  private var isTooDeep: Bool { depth >= session.limits.nestingDepth }

  private func tooDeep(_ value: Any) -> EncodingError {
    .tooDeep(value, limit: session.limits.nestingDepth, at: codingPath)
  }

  /// Lets go of the trees above, which hold this one.
  func detach() {
    parent = nil
    for entry in entries {
      if case .tree(let tree) = entry.value { tree.detach() }
    }
  }

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
    case .set: return assembler.set(members: members, of: assembler.serial)
    case .unkeyed, .dictionary:
      guard
        content == .dictionary ? assembler.openDictionary(members) : assembler.openUnkeyed()
      else { return false }
      for entry in entries {
        _ = entry.value.write(to: assembler, of: assembler.begin())
        assembler.endElement()
      }
    case .keyed where exceedsShape: return writeAsDictionary(to: assembler)
    case .keyed, .empty:
      guard assembler.openKeyed(assembler.steps(of: ObjectIdentifier(PathKey.self))) else {
        return false
      }
      for entry in entries {
        if case .absent(let tag) = entry.value {
          _ = assembler.putAbsent(tag, forKey: entry.key, of: assembler.serial)
          continue
        }
        _ = entry.value.write(to: assembler, of: assembler.begin())
        assembler.end(forKey: entry.key, omitsNil: entry.omitsNil)
      }
      if assembler.exceedsShape {
        exceedsShape = true
        assembler.drop()
        _ = assembler.begin()
        return writeAsDictionary(to: assembler)
      }
    }
    return true
  }

  /// Gives the place that is open the values of more keys than a record holds, as a dictionary: of each key the
  /// last value, and nothing of what was left out (Spec/archive.md, section 9).
  private func writeAsDictionary(to assembler: RecordAssembler) -> Bool {
    var last: [ArchiveKey: Int] = [:]
    for (index, entry) in entries.enumerated() { last[ArchiveKey(entry.key)] = index }
    let kept = entries.indices.filter { index in
      if case .absent = entries[index].value { return false }
      return last[ArchiveKey(entries[index].key)] == index
    }
    let order = MemberOrder.sorted(
      count: kept.count, prefix: { entries[kept[$0]].key.firstBytes },
      precedes: { entries[kept[$0]].key.bytesPrecede(entries[kept[$1]].key) }
    ).map { kept[$0] }
    guard assembler.openDictionary(.texts(order.map { entries[$0].key })) else { return false }
    for index in order {
      _ = entries[index].value.write(to: assembler, of: assembler.begin())
      assembler.endElement()
    }
    return true
  }
}

/// One value on its way into the archive.
enum StagedValue {
  /// A value of up to 16 bytes: its lower and its upper bits.
  case word(UInt64, UInt64, ArchiveTag)
  case text(String, ArchiveTag)
  case bytes([UInt8])
  /// What a container holds, or will.
  case tree(ValueTree)
  /// What a container leaves out, of a tag.
  case absent(ArchiveTag)

  static func string(_ value: String) -> StagedValue { .text(value, .string) }

  /// Gives the place that is open in the archive this value; false when it has one.
  func write(to assembler: RecordAssembler, of serial: Int) -> Bool {
    switch self {
    case .word(let low, let high, let tag): assembler.set(low, high, tag, of: serial)
    case .text(let text, let tag): assembler.set(text, tag, of: serial)
    case .bytes(let bytes): assembler.set(bytes, of: serial)
    case .tree(let tree): tree.write(to: assembler)
    case .absent: false
    }
  }
}

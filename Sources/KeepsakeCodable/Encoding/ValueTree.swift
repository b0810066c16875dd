import KeepsakeArchive

/// An encoded value that is kept in memory, because its containers are filled alternately.
///
/// A tree is written when it is complete. Scalars are kept in the entries of their container.
final class ValueTree {
  enum Content {
    case empty
    case single
    case keyed
    case unkeyed
    /// The keys are in ``members``, and the values in ``entries``.
    case dictionary
    case set
  }

  struct Entry {
    /// The key in a keyed container; when a key occurs twice, the last value counts.
    var key: String
    var value: StagedValue
    /// True when a nil under this key would have been omitted.
    var omitsNil = false
  }

  private let level: EncodingLevel
  private(set) var content = Content.empty
  /// The values of a container, or the one value of a single-value container.
  private(set) var entries: [Entry] = []
  /// The keys of a dictionary, or the members of a set.
  private var members = SortedMembers.texts([])
  /// The number of values that were put or appended, including those that were not kept.
  private(set) var count = 0
  /// The index of the last entry of a key; filled only when a container has many entries.
  private var positions: [ArchiveKey: Int] = [:]
  /// True when writing found more keys than a record can have.
  private var exceedsShape = false
  /// True when the content has been written to the archive.
  private var isWritten = false
  /// The tree of the container around this one; ``detach()`` releases it.
  private var parent: ValueTree?
  /// The key of this tree in its parent; nil for the first tree.
  private let key: (any CodingKey)?
  private let depth: Int
  /// The coding path of the first tree; empty for the trees in it.
  private let rootPath: [any CodingKey]
  /// True when encoded values are kept; false if the value will be encoded again.
  private let keepsEntries: Bool

  private var session: EncodingSession { level.session }

  /// Makes the tree of a value at any depth of the archive.
  init(path: [any CodingKey], depth: Int, level: EncodingLevel, keepsEntries: Bool = true) {
    self.level = level
    self.keepsEntries = keepsEntries
    self.depth = depth
    rootPath = path
    key = nil
  }

  /// Makes the tree of a value in a container of another tree.
  private init(parent: ValueTree, key: any CodingKey) {
    self.parent = parent
    self.key = key
    level = parent.level
    keepsEntries = parent.keepsEntries
    depth = parent.depth + 1
    rootPath = []
  }

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

  /// Opens a container; when one of another kind is already open, records an error, since the methods of `Encoder`
  /// that open containers cannot throw.
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

  /// Makes the tree a dictionary, to which values are appended.
  func openDictionary(_ keys: SortedMembers) {
    open(.dictionary)
    members = keys
  }

  func open(members: SortedMembers) {
    open(.set)
    self.members = members
  }

  /// Puts a value under a key, and replaces an earlier one.
  func put(_ value: StagedValue, forKey key: String, omitsNil: Bool = false) {
    add(Entry(key: key, value: value, omitsNil: omitsNil))
  }

  func append(_ value: StagedValue) { add(Entry(key: "", value: value)) }

  private func add(_ entry: Entry) {
    if isWritten { session.writtenLate() }
    count += 1
    if keepsEntries { entries.append(entry) }
  }

  /// The container under a key, if there is one.
  func container(forKey key: String) -> ValueTree? {
    let key = ArchiveKey(key)
    // The last value of a key counts. Keys are put in a table when there are many.
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

  /// A tree one level deeper, for a nested container.
  ///
  /// Nothing is kept below the deepest level. A value that only opens nested containers gets the error when encoding
  /// ends; a value that encodes nested values gets it from ``staged(_:at:)``.
  func nested(at key: any CodingKey, keep: (ValueTree) -> Void) -> ValueTree {
    if isTooDeep { return self }
    let tree = ValueTree(parent: self, key: key)
    if tree.isTooDeep { session.fail(tooDeep(key)) } else { keep(tree) }
    return tree
  }

  func staged(_ value: some Encodable, at key: any CodingKey) throws -> StagedValue {
    if isTooDeep { throw tooDeep(value) }
    if let native = native(value) { return .native(native) }
    let tree = ValueTree(parent: self, key: key)
    if tree.isTooDeep { throw tree.tooDeep(value) }
    try tree.encodeItself(value)
    return .tree(tree)
  }

  /// Encodes any value as the content of the tree.
  func encode(_ value: some Encodable) throws {
    if isTooDeep { throw tooDeep(value) }
    if let native = native(value) {
      try set(.native(native), for: value)
    } else {
      try encodeItself(value)
    }
  }

  private func native<Value: Encodable>(_ value: Value) -> (any NativeValue)? {
    if case .native = session.type(Value.self).form { value as? any NativeValue } else { nil }
  }

  private func encodeItself<Value: Encodable>(_ value: Value) throws {
    if case .hashOrdered(let type) = session.type(Value.self).form {
      try encoder.encode(value, inOrderAs: type)
    } else {
      try value.encode(to: encoder)
    }
  }

  func set(_ staged: StagedValue, for value: Any) throws {
    guard content == .empty else {
      throw EncodingError.misuse(
        "A value encoded itself twice in one place.", of: value, at: codingPath)
    }
    content = .single
    add(Entry(key: "", value: staged))
  }

  /// True when a reader of the archive would refuse a value at this depth.
  ///
  /// The limit also bounds the stack for a value that contains itself.
  private var isTooDeep: Bool { depth >= session.limits.nestingDepth }

  private func tooDeep(_ value: Any) -> EncodingError {
    .tooDeep(value, limit: session.limits.nestingDepth, at: codingPath)
  }

  /// Releases the references to their parents in this tree and the trees in it.
  func detach() {
    parent = nil
    for entry in entries {
      if case .tree(let tree) = entry.value { tree.detach() }
    }
  }

  /// Writes the content as the value that the assembler has open; false when that value is already written.
  ///
  /// The depth was limited while the tree was built, so recursion is safe here. A value that encoded nothing is
  /// written as a record without keys.
  func write(to assembler: inout RecordAssembler) -> Bool {
    isWritten = true
    let entries = entries
    switch content {
    case .single:
      let serial = assembler.serial
      return entries[0].value.write(to: &assembler, of: serial)
    case .set: return assembler.set(members: members, of: assembler.serial)
    case .unkeyed, .dictionary:
      guard
        content == .dictionary ? assembler.openDictionary(members) : assembler.openUnkeyed()
      else { return false }
      for entry in entries {
        let serial = assembler.begin()
        _ = entry.value.write(to: &assembler, of: serial)
        assembler.endElement()
      }
    case .keyed where exceedsShape: return writeAsDictionary(to: &assembler)
    case .keyed, .empty:
      guard assembler.openKeyed(assembler.root(ofKeys: ObjectIdentifier(PathKey.self))) else {
        return false
      }
      for entry in entries {
        if case .absent(let tag) = entry.value {
          _ = assembler.putAbsent(tag, forKey: entry.key, of: assembler.serial)
          continue
        }
        let serial = assembler.begin()
        _ = entry.value.write(to: &assembler, of: serial)
        assembler.end(forKey: entry.key, omitsNil: entry.omitsNil)
      }
      if assembler.exceedsShape {
        exceedsShape = true
        assembler.drop()
        _ = assembler.begin()
        return writeAsDictionary(to: &assembler)
      }
    }
    return true
  }

  /// Writes the values as a dictionary, because they have more keys than a record can hold (Spec/archive.md,
  /// section 9).
  ///
  /// The dictionary has the last value of each key, and no omitted values.
  private func writeAsDictionary(to assembler: inout RecordAssembler) -> Bool {
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
      let serial = assembler.begin()
      _ = entries[index].value.write(to: &assembler, of: serial)
      assembler.endElement()
    }
    return true
  }
}

/// One value that is not in the archive yet.
enum StagedValue {
  case bits(UInt64, ArchiveTag)
  case text(String)
  case native(any NativeValue)
  /// The content of a container, complete or not.
  case tree(ValueTree)
  /// An omitted value, with its tag.
  case absent(ArchiveTag)

  /// Writes this value as the value that the assembler has open; false when that value is already written.
  func write(to assembler: inout RecordAssembler, of serial: Int) -> Bool {
    switch self {
    case .bits(let bits, let tag): assembler.set(bits, 0, tag, of: serial)
    case .text(let text): assembler.set(text, .string, of: serial)
    case .native(let value): value.write(to: &assembler, of: serial)
    case .tree(let tree): tree.write(to: &assembler)
    case .absent: false
    }
  }
}

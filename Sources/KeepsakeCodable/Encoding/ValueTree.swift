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
  private let depth: Int
  let path: [any CodingKey]
  private(set) var content = Content.empty
  /// The values of a container, or the one value of a single-value container.
  private(set) var entries: [Entry] = []
  /// The keys of a dictionary, or the members of a set.
  private var members = SortedMembers.texts([])
  /// The index of the last entry of each key of a keyed container.
  private var positions: [ArchiveKey: Int] = [:]
  /// True when writing found more keys than a record can have.
  private var exceedsShape = false
  /// True when the content has been written to the archive.
  private var isWritten = false

  private var session: EncodingSession { level.session }

  /// Makes the tree of a value at any depth of the archive.
  init(path: [any CodingKey], depth: Int, level: EncodingLevel) {
    self.level = level
    self.depth = depth
    self.path = path
  }

  /// Makes the tree of a value in a container of another tree.
  private convenience init(in parent: ValueTree, key: any CodingKey) {
    self.init(path: parent.path + [key], depth: parent.depth + 1, level: parent.level)
  }

  var encoder: ValueEncoder {
    ValueEncoder(level: level, serial: ValueEncoder.treeSerial, tree: self)
  }

  /// The number of values that were put or appended.
  var count: Int { entries.count }

  /// Opens a container; when one of another kind is already open, records an error, since the methods of `Encoder`
  /// that open containers cannot throw.
  func open(_ container: Content) {
    if content == .empty {
      content = container
      if container == .keyed { entries.reserveCapacity(8) }
    } else if content != container {
      session.fail(
        .misuse(
          "A value asked for containers of different kinds.", of: container, at: path))
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
    positions[ArchiveKey(key)] = entries.count
    add(Entry(key: key, value: value, omitsNil: omitsNil))
  }

  func append(_ value: StagedValue) { add(Entry(key: "", value: value)) }

  private func add(_ entry: Entry) {
    if isWritten { session.writtenLate() }
    entries.append(entry)
  }

  /// The container under a key, if there is one.
  func container(forKey key: String) -> ValueTree? {
    guard let index = positions[ArchiveKey(key)], case .tree(let tree) = entries[index].value else {
      return nil
    }
    return tree
  }

  /// A tree one level deeper, for a nested container.
  ///
  /// Nothing is kept below the deepest level. A value that only opens nested containers gets the error when encoding
  /// ends; a value that encodes nested values gets it from ``staged(_:at:)``.
  func nested(at key: any CodingKey, keep: (ValueTree) -> Void) -> ValueTree {
    if isTooDeep { return self }
    let tree = ValueTree(in: self, key: key)
    if tree.isTooDeep { session.fail(session.tooDeep(key, at: path)) } else { keep(tree) }
    return tree
  }

  func staged<Value: Encodable>(_ value: Value, at key: any CodingKey) throws -> StagedValue {
    if isTooDeep { throw session.tooDeep(value, at: path) }
    if let native = native(value) { return .native(native) }
    let tree = ValueTree(in: self, key: key)
    try tree.encode(value)
    return .tree(tree)
  }

  /// Encodes any value as the content of the tree.
  func encode<Value: Encodable>(_ value: Value) throws {
    if isTooDeep { throw session.tooDeep(value, at: path) }
    if let native = native(value) {
      try set(.native(native), for: value)
    } else if case .kind(let kind) = session.type(Value.self).form {
      try encoder.encode(value, as: kind)
    } else {
      try value.encode(to: encoder)
    }
  }

  private func native<Value: Encodable>(_ value: Value) -> (any NativeValue)? {
    if case .native = session.type(Value.self).form { value as? any NativeValue } else { nil }
  }

  func set(_ staged: StagedValue, for value: Any) throws {
    guard content == .empty else {
      throw EncodingError.misuse(
        "A value encoded itself twice in one place.", of: value, at: path)
    }
    content = .single
    add(Entry(key: "", value: staged))
  }

  /// True when a reader of the archive would refuse a value at this depth.
  ///
  /// The limit also bounds the stack for a value that contains itself.
  private var isTooDeep: Bool { depth >= session.limits.nestingDepth }

  /// Writes the content as the value that the assembler has open; false when that value is already written.
  ///
  /// The depth was limited while the tree was built, so recursion is safe here. A value that encoded nothing is
  /// written as a record without keys.
  func write(to assembler: inout RecordAssembler) -> Bool {
    isWritten = true
    switch content {
    case .single:
      let serial = assembler.serial
      return entries[0].value.write(to: &assembler, of: serial)
    case .set: return assembler.set(members: members, of: assembler.serial)
    case .dictionary: return write(entries, under: members, to: &assembler)
    case .unkeyed: return write(entries, under: nil, to: &assembler)
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
      guard assembler.exceedsShape else { return true }
      exceedsShape = true
      assembler.drop()
      _ = assembler.begin()
      return writeAsDictionary(to: &assembler)
    }
  }

  /// Writes the values of an array, or of a dictionary with these keys.
  private func write(
    _ entries: [Entry], under keys: SortedMembers?, to assembler: inout RecordAssembler
  ) -> Bool {
    let isOpen = if let keys { assembler.openDictionary(keys) } else { assembler.openUnkeyed() }
    if !isOpen { return false }
    for entry in entries {
      let serial = assembler.begin()
      _ = entry.value.write(to: &assembler, of: serial)
      assembler.endElement()
    }
    return true
  }

  /// Writes the values as a dictionary, because they have more keys than a record can hold (Spec/archive.md,
  /// section 9).
  ///
  /// The dictionary has the last value of each key, and no omitted values.
  private func writeAsDictionary(to assembler: inout RecordAssembler) -> Bool {
    let kept = positions.values.map { entries[$0] }.filter {
      if case .absent = $0.value { false } else { true }
    }
    let sorted = MemberOrder.sorted(
      count: kept.count, prefix: { kept[$0].key.firstBytes },
      precedes: { kept[$0].key.bytesPrecede(kept[$1].key) }
    ).map { kept[$0] }
    return write(sorted, under: .texts(sorted.map(\.key)), to: &assembler)
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

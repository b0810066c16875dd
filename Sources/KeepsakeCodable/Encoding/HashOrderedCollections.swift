import KeepsakeArchive

/// A collection of the standard library that encodes itself in the order of its hash table, which is
/// another one in every process.
///
/// It is encoded in an order that follows from what it holds, so that equal values give equal bytes
/// (Spec/archive.md, section 9).
protocol HashOrderedCollection {
  /// What to encode in the place of the collection: a dictionary or a set of the archive if each key or
  /// member is a value that contains no others, else an array in order.
  func ordered(by session: EncodingSession) throws -> any Encodable
}

extension Set: HashOrderedCollection where Element: Encodable {
  func ordered(by session: EncodingSession) throws -> any Encodable {
    let members = Array(self)
    let keys = try session.orderedKeys(members)
    if let sorted = keys.distinct { return SortedSet(members: sorted) }
    return keys.order.map { members[$0] }
  }
}

extension Dictionary: HashOrderedCollection where Key: Encodable, Value: Encodable {
  func ordered(by session: EncodingSession) throws -> any Encodable {
    let entries = Array(self)
    let keys = try session.orderedKeys(entries.map(\.key))
    let sorted = keys.order.map { entries[$0] }
    guard let distinct = keys.distinct else { return KeysAndValues(entries: sorted) }
    return SortedDictionary(keys: distinct, entries: sorted)
  }
}

/// The members of a set in their order.
private struct SortedSet: Encodable {
  let members: [ArchivedMember]

  func encode(to encoder: any Encoder) throws {
    guard let encoder = encoder as? ValueEncoder else { return }
    try encoder.encode(members: members)
  }
}

/// The entries of a dictionary in the order of their keys.
private struct SortedDictionary<Key: Encodable, Value: Encodable>: Encodable {
  let keys: [ArchivedMember]
  let entries: [(key: Key, value: Value)]

  func encode(to encoder: any Encoder) throws {
    guard let encoder = encoder as? ValueEncoder else { return }
    try encoder.encodeDictionary(keys) { encode in
      for (index, entry) in entries.enumerated() {
        let key = (entry.key as? any CodingKeyRepresentable)?.codingKey ?? PathKey(index)
        try encode(entry.value, key)
      }
    }
  }
}

/// Keys and values in turn, as a dictionary encodes itself.
private struct KeysAndValues<Key: Encodable, Value: Encodable>: Encodable {
  let entries: [(key: Key, value: Value)]

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for entry in entries {
      try container.encode(entry.key)
      try container.encode(entry.value)
    }
  }
}

extension ValueEncoder {
  /// Makes the value a set.
  func encode(members: [ArchivedMember]) throws {
    if let tree { return tree.open(members: members) }
    if !level.assembler.set(members: members, of: serial) { outOfTurn() }
  }

  /// Makes the value a dictionary: a body encodes its values, each with its key for errors.
  func encodeDictionary(
    _ keys: [ArchivedMember],
    _ body: (_ encode: (any Encodable, any CodingKey) throws -> Void) throws -> Void
  ) throws {
    if let tree {
      tree.openDictionary(keys)
      return try body { value, key in tree.append(try tree.staged(value, at: key)) }
    }
    guard serial == level.assembler.serial, level.assembler.openDictionary(keys) else {
      return outOfTurn()
    }
    let next = level.next
    try body { value, key in
      next.key = key
      try next.encodeInside(value)
      level.assembler.endElement()
    }
  }
}

/// Keys or members as they are stored, and the order in which they are written.
struct OrderedKeys {
  /// The places of the keys in their order.
  var order: [Int]
  /// The keys in their order, if each is a value that contains no others, and none is there twice.
  var distinct: [ArchivedMember]?
}

extension EncodingSession {
  /// What to encode in the place of a value whose own order is that of a hash table; nil for any other
  /// value.
  func ordered<Value: Encodable>(_ value: Value) throws -> (any Encodable)? {
    if isKnownToBeOrdered(Value.self) { return nil }
    if let collection = value as? any HashOrderedCollection {
      return try collection.ordered(by: self)
    }
    noteOrdered(Value.self)
    return nil
  }

  /// Puts keys or members in their order.
  func orderedKeys<Key: Encodable>(_ keys: [Key]) throws -> OrderedKeys {
    let members = try members(keys)
    let order = members.indices.sorted { ArchivedMember.precedes(members[$0], members[$1]) }
    let sorted = order.map { members[$0] }
    let areSimple = sorted.allSatisfy { $0.tag != .null && $0.tag != .array }
    let areDistinct = !zip(sorted, sorted.dropFirst()).contains { $0 == $1 }
    return OrderedKeys(order: order, distinct: areSimple && areDistinct ? sorted : nil)
  }

  /// The keys as they are stored; those that contain others by the archive that each is alone.
  private func members<Key: Encodable>(_ keys: [Key]) throws -> [ArchivedMember] {
    if let texts = keys as? [String] {
      return texts.map { ArchivedMember(tag: .string, bytes: Array($0.utf8)) }
    }
    if let numbers = keys as? [Int] {
      return numbers.map { number in
        let bits = UInt64(bitPattern: Int64(number))
        return ArchivedMember(
          tag: .int64, bytes: (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) })
      }
    }
    var members: [ArchivedMember] = []
    members.reserveCapacity(keys.count)
    // An archive that is never completed: only what single values are encoded as is of interest.
    var writer = ArchiveWriter(limits: limits)
    try writer.assembleObject(
      ArchiveObjectID(1), typeName: CodableArchive.typeName, forKey: CodableArchive.rootKey
    ) { assembler in
      let session = EncodingSession(userInfo: userInfo, limits: limits, assembler: assembler)
      let level = EncodingLevel(session: session, assembler: assembler)
      defer { level.detach() }
      for key in keys {
        try level.encode(key, of: assembler.begin())
        members.append(
          try assembler.takeSimpleValue() ?? ArchivedMember(tag: .array, bytes: archive(key)))
      }
      _ = assembler.begin()
    }
    return members
  }

  /// The archive of a value alone.
  private func archive(_ value: some Encodable) throws -> [UInt8] {
    var encoder = ArchiveEncoder()
    encoder.userInfo = userInfo
    encoder.limits = limits
    return Array(try encoder.encode(value))
  }
}

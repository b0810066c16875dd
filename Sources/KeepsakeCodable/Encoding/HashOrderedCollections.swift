import KeepsakeArchive

/// A collection of the standard library that encodes itself in the order of its hash table, which differs between
/// processes.
///
/// This library encodes it in an order that depends only on its content, so that equal values have equal bytes
/// (Spec/archive.md, section 9).
protocol HashOrderedCollection {
  /// The value to encode instead of the collection: a dictionary or a set of the archive if no key or member contains
  /// other values, else an array in order.
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
    let (keys, values) = (Array(self.keys), Array(self.values))
    let ordered = try session.orderedKeys(keys)
    if let distinct = ordered.distinct {
      return SortedDictionary(sorted: distinct, order: ordered.order, keys: keys, values: values)
    }
    return KeysAndValues(entries: ordered.order.map { (keys[$0], values[$0]) })
  }
}

private struct SortedSet: Encodable {
  let members: SortedMembers

  func encode(to encoder: any Encoder) throws {
    guard let encoder = encoder as? ValueEncoder else { return }
    try encoder.encode(members: members)
  }
}

/// The entries of a dictionary, and the order of their keys.
private struct SortedDictionary<Key: Encodable, Value: Encodable>: Encodable {
  let sorted: SortedMembers
  let order: [Int]
  let keys: [Key]
  let values: [Value]

  func encode(to encoder: any Encoder) throws {
    guard let encoder = encoder as? ValueEncoder else { return }
    let isText = Key.self == String.self
    let isNamed = Key.self is any CodingKeyRepresentable.Type
    try encoder.encodeDictionary(sorted, values, in: order) { position, index in
      if isText { return PathKey.entry(identical(keys[index], as: String.self)) }
      let key = isNamed ? (keys[index] as? any CodingKeyRepresentable)?.codingKey : nil
      return key ?? PathKey(position)
    }
  }
}

/// Alternating keys and values, as the standard library encodes a dictionary.
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
  func encode(members: SortedMembers) throws {
    if let tree { return tree.open(members: members) }
    if !level.assembler.set(members: members, of: serial) { outOfTurn() }
  }

  /// Writes the value as a dictionary; the value of the key at a position has the index `order[position]`.
  ///
  /// The closure makes the coding key of a value, for errors, from its position in the order and its index.
  func encodeDictionary<Value: Encodable>(
    _ keys: SortedMembers, _ values: [Value], in order: [Int],
    path: (_ position: Int, _ index: Int) -> any CodingKey
  ) throws {
    if let tree {
      tree.openDictionary(keys)
      for (position, index) in order.enumerated() {
        tree.append(try tree.staged(values[index], at: path(position, index)))
      }
      return
    }
    guard level.assembler.isCurrent(serial), level.assembler.openDictionary(keys) else {
      return outOfTurn()
    }
    if Value.self == String.self {
      let texts = identical(values, as: [String].self)
      for index in order { _ = level.assembler.append(texts[index], .string, to: serial) }
      return
    }
    if case .scalar(let kind) = level.session.type(Value.self).form {
      for index in order {
        _ = level.assembler.append(kind.bits(of: values[index]), kind.tag, to: serial)
      }
      return
    }
    let next = level.next
    for (position, index) in order.enumerated() {
      next.key = path(position, index)
      try next.encodeInside(values[index])
      level.assembler.endElement()
    }
  }
}

/// The order in which keys or members are written.
struct OrderedKeys {
  var order: [Int]
  /// The keys in order; nil when a key contains other values, or two keys are equal.
  var distinct: SortedMembers?
}

extension EncodingSession {
  /// The value to encode instead of a hash-ordered collection; nil for any other value.
  func ordered<Value: Encodable>(_ value: Value) throws -> (any Encodable)? {
    guard case .hashOrdered(let collection) = type(Value.self).form else { return nil }
    return try ordered(value, collection)
  }

  private func ordered<Value, Collection: HashOrderedCollection>(
    _ value: Value, _ type: Collection.Type
  ) throws -> any Encodable {
    try identical(value, as: type).ordered(by: self)
  }

  /// Sorts keys or members by the tag, then by the bytes (Spec/archive.md, 5.6).
  func orderedKeys<Key: Encodable>(_ keys: [Key]) throws -> OrderedKeys {
    if Key.self == String.self { return ordered(texts: identical(keys, as: [String].self)) }
    if let (bits, tag) = integers(keys) { return ordered(integers: bits, tag) }
    if let ordered = orderedSimpleKeys(keys) { return ordered }
    let members = try members(keys)
    let order = members.indices.sorted { EncodedMember.precedes(members[$0], members[$1]) }
    let sorted = order.map { members[$0] }
    let areSimple = sorted.allSatisfy { $0.tag != .null && $0.tag != .array }
    let areDistinct = !zip(sorted, sorted.dropFirst()).contains { $0 == $1 }
    return OrderedKeys(order: order, distinct: areSimple && areDistinct ? .members(sorted) : nil)
  }

  /// The order of keys that each encode one text, or each one `Int`; nil for other keys, and when two are equal.
  private func orderedSimpleKeys<Key: Encodable>(_ keys: [Key]) -> OrderedKeys? {
    guard type(Key.self).form.isByItself else { return nil }
    let encoder = SimpleKeyEncoder(self)
    var texts: [String] = []
    var integers: [UInt64] = []
    for key in keys {
      switch encoder.content(of: key) {
      case .text(let text): texts.append(text)
      case .integer(let integer): integers.append(UInt64(bitPattern: Int64(integer)))
      case .none, .other: return nil
      }
    }
    if texts.count == keys.count {
      let ordered = ordered(texts: texts)
      let areDistinct = !zip(ordered.order, ordered.order.dropFirst()).contains {
        texts[$0].hasSameBytes(as: texts[$1])
      }
      return areDistinct ? ordered : nil
    }
    if integers.count == keys.count {
      return Set(integers).count == keys.count ? ordered(integers: integers, .int64) : nil
    }
    return nil
  }

  private func ordered(texts: [String]) -> OrderedKeys {
    let order = MemberOrder.sorted(
      count: texts.count, prefix: { texts[$0].firstBytes },
      precedes: { texts[$0].bytesPrecede(texts[$1]) })
    return OrderedKeys(order: order, distinct: .texts(order.map { texts[$0] }))
  }

  private func ordered(integers: [UInt64], _ tag: ArchiveTag) -> OrderedKeys {
    // Stored integers are compared from their lowest byte on.
    let order = MemberOrder.sorted(
      count: integers.count, prefix: { integers[$0].byteSwapped }, precedes: { _, _ in false })
    return OrderedKeys(order: order, distinct: .integers(order.map { integers[$0] }, tag))
  }

  /// The bits of integers, each in the lowest bits of a word; nil for keys of other types.
  private func integers<Key>(_ keys: [Key]) -> (bits: [UInt64], tag: ArchiveTag)? {
    func bits<Integer: FixedWidthInteger & UnsignedInteger, Same>(
      _ type: Same.Type, _ magnitude: Integer.Type
    ) -> [UInt64] where Same: FixedWidthInteger {
      identical(keys, as: [Same].self).map { UInt64(Integer(truncatingIfNeeded: $0)) }
    }
    return switch Key.self {
    case is Int.Type: (bits(Int.self, UInt64.self), .int64)
    case is Int8.Type: (bits(Int8.self, UInt8.self), .int8)
    case is Int16.Type: (bits(Int16.self, UInt16.self), .int16)
    case is Int32.Type: (bits(Int32.self, UInt32.self), .int32)
    case is Int64.Type: (bits(Int64.self, UInt64.self), .int64)
    case is UInt.Type: (bits(UInt.self, UInt64.self), .uint64)
    case is UInt8.Type: (bits(UInt8.self, UInt8.self), .uint8)
    case is UInt16.Type: (bits(UInt16.self, UInt16.self), .uint16)
    case is UInt32.Type: (bits(UInt32.self, UInt32.self), .uint32)
    case is UInt64.Type: (bits(UInt64.self, UInt64.self), .uint64)
    default: nil
    }
  }

  /// The keys as stored bytes, by which they are sorted; the bytes of a key that contains other values are those of a
  /// separate archive.
  private func members<Key: Encodable>(_ keys: [Key]) throws -> [EncodedMember] {
    var members: [EncodedMember] = []
    members.reserveCapacity(keys.count)
    // This archive is never completed, since only the encoded single values are needed. It has one shape that the
    // call's archive does not have: that of the object around the keys.
    var scratch = limits
    scratch.shapeCount = max(limits.shapeCount, ArchiveLimits().shapeCount)
    var level = EncodingLevel.begin(userInfo, limits)
    defer { EncodingLevel.end(&level) }
    _ = try level.shared.writeObject(
      by: ArchiveWriter(limits: scratch), typeName: CodableArchive.typeName,
      forKey: CodableArchive.rootKey
    ) {
      level.session.followPlan(at: level)
      for key in keys {
        try level.encode(key, of: level.assembler.begin())
        members.append(
          try level.assembler.takeSimpleValue() ?? EncodedMember(tag: .array, bytes: archive(key)))
      }
      _ = level.assembler.begin()
    }
    if let failure = level.session.failure { throw failure }
    return members
  }

  private func archive(_ value: some Encodable) throws -> [UInt8] {
    var encoder = ArchiveEncoder()
    encoder.userInfo = userInfo
    encoder.limits = limits
    return Array(try encoder.encode(value))
  }
}

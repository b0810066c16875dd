import KeepsakeArchive

/// A collection of the standard library that encodes itself in the order of its hash table, which differs between
/// processes.
///
/// This library encodes it in an order that depends only on its content, so that equal values have equal bytes
/// (Spec/archive.md, section 9).
protocol HashOrderedCollection {
  /// Encodes the collection: as a dictionary or a set of the archive if no key or member contains other values, else as
  /// an array in order.
  func encodeInOrder(by encoder: ValueEncoder) throws
}

extension Set: HashOrderedCollection where Element: Encodable {
  func encodeInOrder(by encoder: ValueEncoder) throws {
    let members = Array(self)
    let keys = try encoder.level.session.orderedKeys(members)
    if let sorted = keys.distinct { return try encoder.encode(members: sorted) }
    try keys.order.map { members[$0] }.encode(to: encoder)
  }
}

extension Dictionary: HashOrderedCollection where Key: Encodable, Value: Encodable {
  func encodeInOrder(by encoder: ValueEncoder) throws {
    let (keys, values) = (Array(self.keys), Array(self.values))
    let ordered = try encoder.level.session.orderedKeys(keys)
    guard let sorted = ordered.distinct else {
      // Keys and values in turn, as the standard library encodes a dictionary.
      var container = encoder.unkeyedContainer()
      for index in ordered.order {
        try container.encode(keys[index])
        try container.encode(values[index])
      }
      return
    }
    let isText = Key.self == String.self
    let isNamed = Key.self is any CodingKeyRepresentable.Type
    try encoder.encodeDictionary(sorted, values, in: ordered.order) { position, index in
      if isText { return PathKey.entry(identical(keys[index], as: String.self)) }
      let key = isNamed ? (keys[index] as? any CodingKeyRepresentable)?.codingKey : nil
      return key ?? PathKey(position)
    }
  }
}

extension ValueEncoder {
  /// Encodes a collection, whose type generic code knows by another name.
  func encode<Collection: HashOrderedCollection, Value>(
    _ value: Value, inOrderAs type: Collection.Type
  ) throws {
    try identical(value, as: type).encodeInOrder(by: self)
  }

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
        _ = level.assembler.append(kind.bits(of: values[index]), kind.archiveTag, to: serial)
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
  /// Sorts keys or members by the tag, then by the bytes (Spec/archive.md, 5.6).
  func orderedKeys<Key: Encodable>(_ keys: [Key]) throws -> OrderedKeys {
    if Key.self == String.self { return ordered(texts: identical(keys, as: [String].self)) }
    if case .scalar(let kind) = type(Key.self).form, let tag = memberTag(kind) {
      // The bits beyond the width of the type are zero.
      let unused = UInt64(64 - 8 * tag.byteCount)
      return ordered(integers: keys.map { (kind.bits(of: $0) << unused) >> unused }, tag)
    }
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

  /// The tag of integers that are keys or members, nil for other numbers.
  private func memberTag(_ kind: any CodableScalar.Type) -> ArchiveTag? {
    if kind == Int.self { return .int64 }
    if kind == UInt.self { return .uint64 }
    return StoredScalar(kind.archiveTag, low: 0).isInteger ? kind.archiveTag : nil
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

import KeepsakeArchive

// Collections of the standard library that encode themselves in the order of their hash table, which differs between
// processes. This library encodes them in an order that depends only on their content, so that equal values have equal
// bytes (Spec/archive.md, section 9): as a dictionary or a set of the archive if no key or member contains other values,
// else as an array in order.

extension Set: LibraryEncodable where Element: Encodable {
  func encode(by encoder: ValueEncoder) throws {
    let members = Array(self)
    let keys = try encoder.level.session.orderedKeys(members)
    guard let sorted = keys.distinct else {
      return try keys.order.map { members[$0] }.encode(to: encoder)
    }
    if let tree = encoder.tree { return tree.open(members: sorted) }
    let isDone = encoder.level.assembler.value.set(members: sorted, of: encoder.serial)
    encoder.level.accept(isDone, encoder.serial)
  }
}

extension Dictionary: LibraryEncodable where Key: Encodable, Value: Encodable {
  func encode(by encoder: ValueEncoder) throws {
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
    if let tree = encoder.tree {
      tree.openDictionary(sorted)
      for (position, index) in ordered.order.enumerated() {
        let key = PathKey.entryKey(keys[index], at: position)
        tree.append(try tree.staged(values[index], at: key))
      }
      return
    }
    let (level, serial) = (encoder.level, encoder.serial)
    guard level.assembler.value.isCurrent(serial), level.assembler.value.openDictionary(sorted)
    else { return encoder.outOfTurn() }
    let form = level.session.type(Value.self).form
    for (position, index) in ordered.order.enumerated() {
      if level.append(values[index], form, to: serial) { continue }
      let next = level.next
      next.key = PathKey.entryKey(keys[index], at: position)
      try next.encodeInside(values[index])
      level.assembler.value.endElement()
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
    guard isByItself(Key.self) else { return nil }
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

  /// True when values of a type are written as their own `encode(to:)` writes them.
  func isByItself<Value: Encodable>(_ type: Value.Type) -> Bool {
    switch self.type(type).form {
    case .itself, .text, .scalar: true
    case .native, .texts, .row: false
    case .kind: isOptional(type)
    }
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
    _ = try level.assembler.writeObject(
      by: ArchiveWriter(limits: scratch), typeName: CodableArchive.typeName,
      forKey: CodableArchive.rootKey
    ) {
      level.session.followPlan(at: level)
      for key in keys {
        try level.encode(key, of: level.assembler.value.begin())
        members.append(
          try level.assembler.value.takeSimpleValue()
            ?? EncodedMember(tag: .array, bytes: archive(key)))
      }
      _ = level.assembler.value.begin()
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

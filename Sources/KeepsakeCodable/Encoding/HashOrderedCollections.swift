import KeepsakeArchive

/// A collection of the standard library that encodes itself in the order of its hash table, which is
/// another one in every process.
///
/// It is encoded in an order that follows from what it holds, so that equal values give equal bytes
/// (Spec/archive.md, section 9).
protocol HashOrderedCollection {
  /// What to encode in the place of the collection; nil where it encodes itself in one order.
  ///
  /// Indexes of values in the order of their encoded bytes are given by `order`.
  func ordered(by order: ([any Encodable]) throws -> [Int]) throws -> (any Encodable)?
}

extension Set: HashOrderedCollection where Element: Encodable {
  func ordered(by order: ([any Encodable]) throws -> [Int]) throws -> (any Encodable)? {
    let members = Array(self)
    return try order(members).map { members[$0] }
  }
}

extension Dictionary: HashOrderedCollection where Key: Encodable, Value: Encodable {
  func ordered(by order: ([any Encodable]) throws -> [Int]) throws -> (any Encodable)? {
    // Such keys are those of a keyed container, which are sorted by their bytes.
    if Key.self is any CodingKeyRepresentable.Type { return nil }
    let entries = Array(self)
    return KeysAndValues(entries: try order(entries.map(\.key)).map { entries[$0] })
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

extension EncodingSession {
  /// What to encode in the place of a value whose own order is that of a hash table; nil for any other
  /// value.
  func ordered<Value: Encodable>(_ value: Value) throws -> (any Encodable)? {
    if isKnownToBeOrdered(Value.self) { return nil }
    if let collection = value as? any HashOrderedCollection,
      let ordered = try collection.ordered(by: indexesInOrder)
    {
      return ordered
    }
    noteOrdered(Value.self)
    return nil
  }

  /// The bytes that decide where a value comes in the order.
  private struct OrderedBytes {
    var tag: ArchiveTag
    var bytes: [UInt8]

    static func precedes(_ left: OrderedBytes, _ right: OrderedBytes) -> Bool {
      left.tag == right.tag
        ? left.bytes.lexicographicallyPrecedes(right.bytes) : left.tag.rawValue < right.tag.rawValue
    }
  }

  private func indexesInOrder(_ values: [any Encodable]) throws -> [Int] {
    if values.count < 2 { return Array(values.indices) }
    var keys: [OrderedBytes] = []
    keys.reserveCapacity(values.count)
    // An archive that is never completed: only what single values are encoded as is of interest.
    var writer = ArchiveWriter(limits: limits)
    try writer.assembleObject(
      ArchiveObjectID(1), typeName: CodableArchive.typeName, forKey: CodableArchive.rootKey
    ) { assembler in
      let session = EncodingSession(userInfo: userInfo, limits: limits, assembler: assembler)
      let level = EncodingLevel(session: session, assembler: assembler)
      defer { level.detach() }
      for value in values {
        try level.encode(value, of: assembler.begin())
        if let (tag, bytes) = assembler.takeSimpleValue() {
          keys.append(OrderedBytes(tag: tag, bytes: bytes))
        } else {
          keys.append(OrderedBytes(tag: .array, bytes: try archive(value)))
        }
      }
      _ = assembler.begin()
    }
    return keys.indices.sorted { OrderedBytes.precedes(keys[$0], keys[$1]) }
  }

  /// The archive of a value alone.
  private func archive(_ value: some Encodable) throws -> [UInt8] {
    var encoder = ArchiveEncoder()
    encoder.userInfo = userInfo
    encoder.limits = limits
    return Array(try encoder.encode(value))
  }
}

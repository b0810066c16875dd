// Finding keys and scopes. The slots of a shape are in key order, so the keys of a scope lie
// together: its own first, then those of the scopes inside it.

extension ObjectDecoder {
  /// The keys of this scope that the application chose, sorted by their bytes.
  public var keys: [ArchiveKey] {
    var keys: [ArchiveKey] = []
    for slot in slots {
      let key = storage.tables.keys[storage.tables.slots[slot].key]
      guard key.scope == scope, key.space == .user else { break }
      keys.append(ArchiveKey(key.name))
    }
    return keys
  }

  /// The scopes that were opened inside this one and are not empty, sorted by their bytes.
  public var scopeNames: [String] {
    var names: [String] = []
    var last = -1
    for slot in slots {
      let child = childScope(of: slot)
      if child >= 0, child != last { names.append(storage.tables.keys[child].name) }
      last = child
    }
    return names
  }

  /// Whether a value, or a nil, is stored under a key.
  ///
  /// - Parameter key: An ordinary key of this scope, or a reserved key.
  /// - Returns: Whether ``decode(_:forKey:)`` would find the key.
  public func contains(_ key: ArchiveKey) -> Bool {
    if slotIndex(of: key) >= 0 { return true }
    guard key.isReserved, objectID.rawValue > 0 else { return false }
    guard let archive = try? ObjectDecoder(storage, record: 0, graph: nil) else { return false }
    return archive.slotIndex(of: key) >= 0
  }

  /// The keys of a scope of this object.
  ///
  /// - Parameter name: The name that the scope was opened with.
  /// - Returns: A decoder of the scope's keys, with no keys when the scope was never written.
  public borrowing func scope(_ name: String) -> ObjectDecoder {
    var first = -1
    var count = 0
    var found = -2
    for slot in slots {
      let child = childScope(of: slot)
      guard child >= 0, storage.tables.keys[child].name.hasSameBytes(as: name) else { continue }
      if first < 0 { first = slot }
      found = child
      count += 1
    }
    if first < 0 { first = slots.lowerBound }
    return ObjectDecoder(self, scope: found, slots: first..<first + count, name: name)
  }

  /// The scope directly inside this one that a slot lies in, or -1 when the slot is this scope's.
  private func childScope(of slot: Int) -> Int {
    var key = storage.tables.slots[slot].key
    if storage.tables.keys[key].scope == scope { return -1 }
    while storage.tables.keys[key].scope != scope {
      key = storage.tables.keys[key].scope
      if key < 0 { return -1 }
    }
    return key
  }

  /// The slot of a key of this scope, or -1.
  func slotIndex(of key: ArchiveKey) -> Int {
    if key.isReserved { return slowSlotIndex(of: key) }
    // Short names are compared by their storage bits; that settles most look-ups at once.
    let identity = StringIdentity(key.name)
    for slot in slots.prefix(12) {
      let candidate = storage.tables.slots[slot].key
      if storage.tables.keys[candidate].identity == identity,
        storage.tables.keys[candidate].scope == scope,
        storage.tables.keys[candidate].space == .user
      {
        return slot
      }
    }
    return slowSlotIndex(of: key)
  }

  private func slowSlotIndex(of key: ArchiveKey) -> Int {
    var low = slots.lowerBound
    var high = slots.upperBound
    while low < high {
      let middle = low + (high - low) / 2
      let candidate = storage.tables.keys[storage.tables.slots[middle].key]
      let isOwn = candidate.scope == scope
      if isOwn, candidate.space == (key.isReserved ? .reserved : .user),
        candidate.name.hasSameBytes(as: key.name)
      {
        return middle
      }
      // Keys of inner scopes come after all of this scope's own.
      let comesBefore =
        isOwn
        && (candidate.space == .user && key.isReserved
          || candidate.space == (key.isReserved ? .reserved : .user)
            && candidate.name.bytesPrecede(key.name))
      if comesBefore { low = middle + 1 } else { high = middle }
    }
    return -1
  }

  /// The value of a key: of this record, or for a reserved key of the archive's own record.
  @usableFromInline
  func value(forKey key: ArchiveKey) throws(ArchiveError) -> ValueDecoder {
    let slot = slotIndex(of: key)
    if slot >= 0 { return try value(ofSlot: slot) }
    if key.isReserved, objectID.rawValue > 0 {
      let archive = try ObjectDecoder(storage, record: 0, graph: nil)
      let slot = archive.slotIndex(of: key)
      if slot >= 0 { return try archive.value(ofSlot: slot) }
    }
    throw ArchiveError(.absentKey, "there is no value under the key \"\(key)\"", offset: offset)
  }

  /// The value of a slot.
  func value(ofSlot index: Int) throws(ArchiveError) -> ValueDecoder {
    let slot = storage.tables.slots[index]
    var isNil = false
    if slot.nilBit >= 0 {
      let byte = range.lowerBound + shape.bitmapOffset + slot.nilBit / 8
      isNil = storage.bytes[byte] & 1 << UInt8(slot.nilBit & 7) != 0
    }
    return try ValueDecoder(
      storage, container: range, offset: range.lowerBound + slot.offset, tag: slot.tag,
      isNil: isNil, graph: graph, objectID: objectID, depth: depth)
  }
}

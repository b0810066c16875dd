// Finding keys and scopes.

extension ObjectDecoder {
  /// The keys of this scope that the application chose, sorted by their bytes.
  public var keys: [ArchiveKey] {
    var keys: [ArchiveKey] = []
    forEachKeyName { keys.append(ArchiveKey($0)) }
    return keys
  }

  /// Calls a body with the names of those keys, in the same order.
  func forEachKeyName(_ body: (String) -> Void) {
    // The one key of an enumeration is asked for more often than any others.
    if shape.slots.count == 1, !isAbsent(shape.slots[0]) { return withName(ofSlot: 0, body) }
    for slot in slotsInKeyOrder { withName(ofSlot: slot, body) }
  }

  /// The number of those keys.
  var keyCount: Int {
    (0..<shape.slots.count).count { slot in
      !isAbsent(shape.slots[slot]) && shape.slots[slot].scope == scope
        && storage.with { $0.tables.keys[Int(shape.slots[slot].key)].space == .user }
    }
  }

  private func withName(ofSlot slot: Int, _ body: (String) -> Void) {
    storage.with { storage in
      let key = storage.tables.keys[Int(shape.slots[slot].key)]
      if key.scope == Int(scope), key.space == .user { body(key.name) }
    }
  }

  /// The scopes that were opened inside this one and are not empty, sorted by their bytes.
  public var scopeNames: [String] {
    var names: [String] = []
    var last = -1
    for slot in slotsInKeyOrder {
      let child = childScope(of: slot)
      if child >= 0, child != last {
        names.append(storage.with { $0.tables.keys[child].name })
      }
      last = child
    }
    return names
  }

  /// Whether a value, or a nil, is stored under a key.
  ///
  /// The bytes of the name decide: a key that differs in its Unicode form alone is another one.
  ///
  /// - Parameter key: An ordinary key of this scope, or a reserved key.
  /// - Returns: Whether ``decode(_:forKey:)`` would find the key.
  public func contains(_ key: ArchiveKey) -> Bool {
    if presentSlot(of: key) != nil { return true }
    guard key.isReserved else { return false }
    return (try? reservedValue(forKey: key)) != nil
  }

  /// The keys of a scope of this object.
  ///
  /// - Parameter name: The name that the scope was opened with.
  /// - Returns: A decoder of the scope's keys, with no keys when the scope was never written.
  public borrowing func scope(_ name: String) -> ObjectDecoder {
    for slot in 0..<shape.slots.count {
      let child = childScope(of: slot)
      if child >= 0, storage.with({ $0.tables.keys[child].name.hasSameBytes(as: name) }) {
        return ObjectDecoder(self, scope: Int32(child), named: name)
      }
    }
    return ObjectDecoder(self, scope: -2, named: name)
  }

  private var slotsInKeyOrder: [Int] {
    storage.with { storage in
      (0..<shape.slots.count).filter { !isAbsent(shape.slots[$0]) }.sorted {
        storage.tables.comes(
          Int(shape.slots[$0].key), before: Int(shape.slots[$1].key))
      }
    }
  }

  /// The scope directly inside this one that a slot lies in, or -1 when the slot is this scope's or
  /// another's.
  private func childScope(of slot: Int) -> Int {
    var entry = Int(shape.slots[slot].scope)
    return storage.with { storage in
      while entry >= 0, storage.tables.keys[entry].scope != Int(scope) {
        entry = storage.tables.keys[entry].scope
      }
      return entry
    }
  }

  /// The slot of a key of this scope.
  @inlinable
  @inline(__always)
  func slot(of key: ArchiveKey) -> ArchiveSlot? {
    // Short names are compared by their storage bits; that settles most look-ups at once.
    let identity = StringIdentity(key.name)
    if !key.isReserved {
      let found = ArchiveSlot(shape.index.row(at: shape.place(identity.mixed, salt: scopeSalt)))
      if found.row.identity == identity, found.row.scope == scope { return found }
      // A name that is not long is not in the shape if it is not in its place, and all have one.
      if shape.hasOwnPlaces, identity.isContent { return nil }
    }
    return slowSlot(of: key)
  }

  @inline(never)
  @usableFromInline
  func slowSlot(of key: ArchiveKey) -> ArchiveSlot? {
    let identity = StringIdentity(key.name)
    if !key.isReserved, identity.isContent, shape.isComplete {
      var place = shape.place(identity.mixed, salt: scopeSalt)
      for _ in 0..<ShapeRow.probeCount {
        let found = ArchiveSlot(shape.index.row(at: place))
        if found.row.isNone { return nil }
        if found.row.identity == identity, found.row.scope == scope { return found }
        place &+= 1
      }
      return nil
    }
    let slot = slowSlotIndex(of: key)
    return slot < 0 ? nil : ArchiveSlot(shape.slots.reference(slot))
  }

  func slowSlotIndex(of key: ArchiveKey) -> Int {
    if !key.isReserved {
      var place = shape.place(KeyWord.mixed(key.name), salt: scopeSalt)
      for _ in 0..<ShapeRow.probeCount {
        let slot = shape.index[place] - 1
        if slot < 0 { break }
        if isSlot(slot, of: key) { return slot }
        place &+= 1
      }
      if shape.order.count == 0 { return -1 }
    }
    if shape.order.count > 0 { return searchedSlotIndex(of: key) }
    // A reserved key: there are few of them.
    for slot in 0..<shape.slots.count where isSlot(slot, of: key) { return slot }
    return -1
  }

  private func isSlot(_ slot: Int, of key: ArchiveKey) -> Bool {
    let row = shape.slots[slot]
    if row.scope != scope { return false }
    if row.name.count > 0 { return !key.isReserved && row.name.isUTF8(of: key.name) }
    return storage.with { storage in
      let entry = storage.tables.keys[Int(row.key)]
      return entry.space == (key.isReserved ? .reserved : .user)
        && entry.name.hasSameBytes(as: key.name)
    }
  }

  /// Searches the slots that are in the order of their keys.
  private func searchedSlotIndex(of key: ArchiveKey) -> Int {
    var low = 0
    var high = shape.order.count
    while low < high {
      let middle = low + (high - low) / 2
      let slot = Int(shape.order[middle])
      if isSlot(slot, of: key) { return slot }
      if storage.with({ $0.tables.comes(Int(shape.slots[slot].key), before: key, in: Int(scope)) })
      {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return -1
  }

  /// The archive value of a reserved key.
  @inline(never)
  @usableFromInline
  func reservedValue(forKey key: ArchiveKey) throws(ArchiveError) -> ValueDecoder {
    if key.isReserved {
      let storage = storage.object
      let number = ReservedValues.keys.firstIndex(of: key).map { $0 + 1 }
      if let row = storage.index.values.first(where: { Int($0.number) == number }) {
        return archiveValue(row, in: storage.values)
      }
    }
    throw otherSpellingError(key)
      ?? ArchiveError(.absentKey, "there is no value under the key \"\(key)\"", offset: offset)
  }

  /// The value of a slot by its number.
  func value(ofSlot index: Int) -> ValueDecoder {
    value(of: ArchiveSlot(shape.slots.reference(index)))
  }

  /// The value of a slot.
  @inlinable
  @inline(__always)
  func value(of slot: ArchiveSlot) -> ValueDecoder {
    let row = slot.row
    return ValueDecoder(
      tag: row.tag, isNil: isNil(row), range: range(row), bit: row.placement.bit,
      content: row.cell, view: view, storage: storage,
      graph: graph, objectID: objectID, depth: depth)
  }
}

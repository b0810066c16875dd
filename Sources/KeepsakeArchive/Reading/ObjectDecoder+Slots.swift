// Values read straight out of their slots: without a ValueDecoder, whose many words would have to be
// stored for each value because the rare ways need them.

extension ObjectDecoder {
  /// Whether the nil bit of a slot is set.
  @inlinable
  @inline(__always)
  func isNil(_ row: SlotRow) -> Bool {
    row.isNil(view, recordAt: start)
  }

  /// Whether the record has no value under the key of a slot.
  @inlinable
  @inline(__always)
  func isAbsent(_ row: SlotRow) -> Bool { row.isAbsent(view, recordAt: start) }

  /// The slot of a key of this scope that has a value or a nil.
  @inlinable
  @inline(__always)
  func presentSlot(of key: ArchiveKey) -> ArchiveSlot? {
    guard let slot = slot(of: key), !isAbsent(slot.row) else { return nil }
    return slot
  }

  /// The range of the slot or the payload.
  @inlinable
  @inline(__always)
  func range(_ row: SlotRow) -> Range<Int> { record.range(row, view) }

  /// The word in a slot, or nil when another tag or a nil is stored.
  @inlinable
  @inline(__always)
  func word<Word: FixedWidthInteger & BitwiseCopyable>(
    _ slot: ArchiveSlot, tag: ArchiveTag
  ) -> Word? {
    let row = slot.row
    if tag.fixedByteCount != MemoryLayout<Word>.size { return nil }
    if row.traits != UInt16(tag.rawValue), row.tag != tag || isNil(row) { return nil }
    return view.load(Word.self, at: start &+ Int(row.placement.offset))
  }

  /// The bit of a slot, or nil when another tag or a nil is stored.
  @inlinable
  @inline(__always)
  func bit(_ slot: ArchiveSlot, tag: ArchiveTag) -> Bool? {
    let row = slot.row
    if row.traits != UInt16(tag.rawValue), row.tag != tag || isNil(row) { return nil }
    return view.load(UInt8.self, at: start &+ Int(row.placement.offset)) & row.placement.bit != 0
  }

  /// The range of the payload of a variable slot.
  @inlinable
  @inline(__always)
  func payload(_ row: SlotRow) -> Range<Int> {
    record.payload(row.placement, view)
  }

  /// The string in a slot, or nil when another tag, a nil or ill-formed UTF-8 is stored.
  @inline(never)
  @usableFromInline
  func text(_ slot: ArchiveSlot) -> String? {
    let row = slot.row
    if row.traits != SlotRow.string, row.tag != .string || isNil(row) {
      return nil
    }
    return view.string(payload(row))
  }

  /// The nested record of a slot that holds one, borrowed for as long as this decoder is.
  @inlinable
  @inline(__always)
  func lentRecord(_ slot: ArchiveSlot) throws(ArchiveError) -> ObjectDecoder {
    ObjectDecoder(
      try openedRecord(slot), objectID: objectID, depth: depth &+ 1, view: view,
      storage: storage, graph: graph)
  }

  @inlinable
  @inline(__always)
  func openedRecord(_ slot: ArchiveSlot) throws(ArchiveError) -> OpenedRecord {
    let row = slot.row
    if row.cell >= 0, Int(depth) < storage.with({ $0.nestingDepth }) {
      return OpenedRecord(
        cell: storage.with { $0.shapes.reference(Int(row.cell)) },
        at: start &+ Int(row.placement.offset), byteCount: Int(row.byteCount))
    }
    return try openedPayload(slot)
  }

  /// The record in the payload of a slot, or one that is nested too deep.
  @inline(never)
  @usableFromInline
  func openedPayload(_ slot: ArchiveSlot) throws(ArchiveError) -> OpenedRecord {
    try storage.with { storage throws(ArchiveError) in
      try OpenedRecord(storage, record: range(slot.row), tag: .record, depth: depth)
    }
  }
}

// Finding the slot of a key.

extension ObjectDecoder {
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

// Names that differ in their Unicode form alone. The bytes decide (Spec/archive.md, 1), but a name that looks
// like a stored one is hardly meant to be absent: so a look-up that misses says so (6.4).

extension ObjectDecoder {
  /// Checks of a key that was not found that none differs from it in its Unicode form alone.
  @inline(never)
  @usableFromInline
  package func checkSpelling(of key: ArchiveKey) throws(ArchiveError) {
    if let error = otherSpellingError(key) { throw located(error, key) }
  }

  /// The error of a key that was not found, if one differs from it in its Unicode form alone.
  func otherSpellingError(_ key: ArchiveKey) -> ArchiveError? {
    if key.isReserved { return nil }
    let names: (asked: String, stored: String)
    let isMissing = scope == ScopeNumber.missing
    if isMissing {
      guard let scopes = otherSpellingOfScopes() else { return nil }
      names = scopes
    } else if let stored = otherSpelling(of: key.name) {
      names = (key.name, stored)
    } else {
      return nil
    }
    var error = ArchiveError(
      .absentKey,
      "there is no \(isMissing ? "scope" : "value under") \(names.asked.spelledOut), but one "
        + "\(isMissing ? "named" : "under") \(names.stored.spelledOut), the same name in another "
        + "Unicode form", offset: offset)
    error.isOtherSpelling = true
    return error
  }

  /// The key of this scope that differs from a name in its Unicode form alone; nil for a name that is ASCII, and
  /// for one that has a slot.
  func otherSpelling(of name: String) -> String? {
    if name.isASCII || slot(of: ArchiveKey(name)) != nil { return nil }
    for index in 0..<shape.slots.count where shape.slots[index].scope == scope {
      let row = shape.slots[index]
      let stored: String? = storage.with { storage in
        let key = storage.tables.keys[Int(row.key)]
        return key.space == .user && key.name == name ? key.name : nil
      }
      if let stored, !isAbsent(row) { return stored }
    }
    return nil
  }

  /// The scopes that this one was to be found in, where the record has others that differ in their form alone.
  private func otherSpellingOfScopes() -> (asked: String, stored: String)? {
    let asked = path
    if asked.allSatisfy({ $0.isASCII }) { return nil }
    for index in 0..<shape.slots.count where !isAbsent(shape.slots[index]) {
      var names: [String] = []
      storage.with { storage in
        var entry = Int(shape.slots[index].scope)
        while entry >= 0 {
          names.append(storage.tables.keys[entry].name)
          entry = storage.tables.keys[entry].scope
        }
      }
      names.reverse()
      if names.count >= asked.count, Array(names.prefix(asked.count)) == asked {
        let stored = names.prefix(asked.count).joined(separator: ".")
        return (asked.joined(separator: "."), stored)
      }
    }
    return nil
  }
}

extension StoredRecord {
  /// The key at the top of the record that differs from a name in its Unicode form alone; nil for a name that is
  /// ASCII.
  package func otherSpelling(of name: String) -> String? { lend { $0.otherSpelling(of: name) } }
}

extension String {
  /// Whether no character is other than ASCII.
  package var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}

/// The place of the value of one key in an object.
///
/// An ``ArchiveValue`` gets one with the decoder of the object and hands both on to a type that
/// conforms. It belongs to that decoder and means nothing to another one.
public struct ArchiveSlot: Sendable {
  @usableFromInline let reference: RawReference<SlotRow>

  @inlinable
  init(_ reference: RawReference<SlotRow>) {
    self.reference = reference
  }

  @inlinable var row: SlotRow { reference.row }
}

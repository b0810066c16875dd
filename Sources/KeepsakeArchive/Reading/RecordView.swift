/// A record that was opened: plain bytes that can be copied, and the way from a key to its value.
///
/// It is under ``ObjectDecoder`` and under the containers of `Codable`, which keep it and the ``Archive``.
@usableFromInline
package struct RecordView {
  /// The bytes of this record only; a decoder that is lent for several elements has those of the current one.
  @usableFromInline var view: ByteView
  @usableFromInline var shapeReference: RawReference<ShapeRow>
  /// The bytes of each end of a payload as a power of two.
  @usableFromInline var endWidth: UInt32
  /// The entry of the scope in the key table; ``ScopeNumber/top`` or ``ScopeNumber/missing``.
  @usableFromInline let scope: Int32
  @usableFromInline package let depth: Int32
  /// A number for the scope, which is mixed into the hash of a name.
  @usableFromInline let scopeSalt: UInt64
  @usableFromInline package let storage: BorrowedReference<ArchiveStorage>

  @inlinable
  @inline(__always)
  package init(
    _ record: OpenedRecord, view: ByteView, storage: BorrowedReference<ArchiveStorage>,
    depth: Int32, scope: Int32 = ScopeNumber.top
  ) {
    self.view = view.part(from: record.start, to: record.end)
    shapeReference = record.shape
    endWidth = record.endWidth
    self.scope = scope
    scopeSalt = ShapeRow.salt(of: scope)
    self.depth = depth
    self.storage = storage
  }

  @inlinable
  @inline(__always)
  var record: OpenedRecord { OpenedRecord(shapeReference, of: view, endWidth: endWidth) }

  @inlinable package var shape: ShapeRow { shapeReference.row }

  /// The offset of the first byte.
  @inlinable var start: Int { view.origin }

  @inlinable
  @inline(__always)
  package func isNil(_ row: SlotRow) -> Bool {
    row.isNil(view, recordAt: start)
  }

  @inlinable
  @inline(__always)
  package func isAbsent(_ row: SlotRow) -> Bool { row.isAbsent(view, recordAt: start) }

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
    if tag.byteCount != MemoryLayout<Word>.size { return nil }
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

  @inlinable
  @inline(__always)
  package func payload(_ row: SlotRow) -> Range<Int> {
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

  @inlinable
  @inline(__always)
  func openedRecord(_ slot: ArchiveSlot) throws(ArchiveError) -> OpenedRecord {
    let row = slot.row
    if !row.cell.isNone, Int(depth) < storage.with({ $0.nestingDepth }) {
      return OpenedRecord(
        cell: storage.with { $0.shapes.reference(row.cell.number) },
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

extension RecordView {
  /// Calls a body with the names of the keys of this scope that the application chose, sorted by their bytes.
  package func forEachKeyName(_ body: (String) -> Void) {
    // The one key of an enumeration is requested more often than any others.
    if shape.slots.count == 1, !isAbsent(shape.slots[0]) { return withName(ofSlot: 0, body) }
    for slot in slotsInKeyOrder { withName(ofSlot: slot, body) }
  }

  /// The number of keys of this scope that the application chose.
  package var keyCount: Int {
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

  var slotsInKeyOrder: [Int] {
    storage.with { storage in
      (0..<shape.slots.count).filter { !isAbsent(shape.slots[$0]) }.sorted {
        storage.tables.comes(
          Int(shape.slots[$0].key), before: Int(shape.slots[$1].key))
      }
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
    return slowSlotIndex(of: key).map { ArchiveSlot(shape.slots.reference($0)) }
  }

  private func slowSlotIndex(of key: ArchiveKey) -> Int? {
    if !key.isReserved {
      var place = shape.place(KeyWord.mixed(key.name), salt: scopeSalt)
      for _ in 0..<ShapeRow.probeCount {
        guard let slot = shape.slot(at: place) else { break }
        if isSlot(slot, of: key) { return slot }
        place &+= 1
      }
      if shape.order.count == 0 { return nil }
    }
    if shape.order.count > 0 { return searchedSlotIndex(of: key) }
    // A reserved key: there are few of them.
    for slot in 0..<shape.slots.count where isSlot(slot, of: key) { return slot }
    return nil
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
  private func searchedSlotIndex(of key: ArchiveKey) -> Int? {
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
    return nil
  }

  /// The key of this scope that differs from a name in its Unicode form alone; nil for a name that is ASCII, and
  /// for one that has a slot.
  package func otherSpelling(of name: String) -> String? {
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
}

// Values by the names of their keys, as `Codable` asks for them.

extension RecordView {
  /// A nil in the same archive, for an absent value.
  package var absent: ValueView {
    ValueView(tag: .null, isNil: true, range: 0..<0, view: view, storage: storage, depth: depth)
  }

  @inlinable
  @inline(__always)
  package func value(ofSlot index: Int) -> ValueView {
    value(of: ArchiveSlot(shape.slots.reference(index)))
  }

  @inlinable
  @inline(__always)
  func value(of slot: ArchiveSlot) -> ValueView {
    let row = slot.row
    return ValueView(
      tag: row.tag, isNil: isNil(row), range: range(row), bit: row.placement.bit,
      content: StatedContent(row.cell), view: view, storage: storage, depth: depth)
  }

  /// The value under an ordinary key that is declared at the top of the record.
  package func value(forKey name: String) -> ValueView? {
    presentSlot(of: ArchiveKey(name)).map { value(of: $0) }
  }

  /// The bits of a value of up to 64 bits; nil when the key is absent or has a value of another tag.
  package func bits(_ tag: ArchiveTag, forKey name: String) -> UInt64? {
    guard let row = slot(of: ArchiveKey(name))?.row, row.tag == tag, !isNil(row) else { return nil }
    let offset = start &+ Int(row.placement.offset)
    return StoredScalar(tag, in: view, at: offset, bit: row.placement.bit).low
  }

  /// The string under a key; nil when another kind of value is stored, or a string that is not well-formed.
  package func text(forKey name: String) -> String? {
    slot(of: ArchiveKey(name)).flatMap { text($0) }
  }

  /// True when there is a value or a nil under a key.
  package func contains(_ name: String) -> Bool { presentSlot(of: ArchiveKey(name)) != nil }

  /// True when a nil is stored under a key; nil when the key is absent.
  package func isNil(forKey name: String) -> Bool? {
    presentSlot(of: ArchiveKey(name)).map { $0.row.tag == .null || isNil($0.row) }
  }
}

/// The place of the value of one key in an object.
///
/// An ``ArchiveValue`` gets one with the decoder of the object and hands both on to a type that
/// conforms. It belongs to that decoder and means nothing to another one.
public struct ArchiveSlot: Sendable {
  @usableFromInline let reference: RawReference<SlotRow>

  @inlinable
  package init(_ reference: RawReference<SlotRow>) {
    self.reference = reference
  }

  @inlinable var row: SlotRow { reference.row }
}

extension String {
  package var isASCII: Bool {
    StringIdentity(self).isASCIIContent || withUTF8Span { $0.isASCII }
  }
}

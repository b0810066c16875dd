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

  /// Where the slot or the payload lies.
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

  /// Where the payload of a variable slot lies.
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

/// Where an object has the value of one key.
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

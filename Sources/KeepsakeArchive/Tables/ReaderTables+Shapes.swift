// The index of the keys of a shape: a row for each slot, and their places by name.

extension ReaderTables {
  /// The shape as reading needs it; its slices are of the rows.
  borrowing func makeRow(of shape: ShapeEntry, in rows: inout ShapeRows) -> ShapeRow {
    var layout = RecordLayout()
    rows.slots.append(.none)
    let firstSlot = rows.slots.count
    for slot in shape.slots {
      let placement =
        slot.cell.isNone
        ? layout.add(slot.tag, isNullable: slot.isNullable)
        : layout.add(inline: entries.layouts[slot.cell.number])
      let word = words[Int(slot.key)]
      if !word.isUser { layout.hasReservedKey = true }
      rows.slots.append(
        SlotRow(
          word, key: slot.key, placement: placement, tag: slot.tag, isNullable: slot.isNullable,
          cell: slot.cell,
          byteCount: slot.cell.isNone ? 0 : entries.layouts[slot.cell.number].byteCount,
          omitsNil: slot.omitsNil))
    }
    // The ends are stored after all slots.
    for slot in firstSlot..<rows.slots.count where rows.slots[slot].isPayload {
      rows.slots[slot].placement.offset += layout.byteCount
    }
    var row = ShapeRow(
      slots: RawSlice(rows.slots, firstSlot..<rows.slots.count),
      index: addIndex(of: 1, at: firstSlot, to: &rows), shift: 0,
      order: RawSlice(rows.order, 0..<0),
      layout: layout, narrowTail: layout.byteCount + UInt32(layout.endCount),
      number: UInt32(shapes.count),
      type: Int32(shape.type), enumerationCase: Int32(shape.enumerationCase),
      isOfObjects: !shape.isEnumeration && !types[Int(shape.type)].name.isEmpty,
      isCell: layout.isCell)
    row.hasAbsentValues = shape.slots.contains { $0.omitsNil }
    makeIndex(of: &row, in: &rows)
    return row
  }

  /// Makes the hash index of a shape's slots.
  ///
  /// Several shifts are tried, until each name is in the place of its hash, or in one of the few places after it:
  /// names that differ in a letter differ only in some of the bits. If too many names collide with every shift, the
  /// slots are sorted too. So no choice of names makes this or a look-up slow.
  private func makeIndex(of row: inout ShapeRow, in rows: inout ShapeRows) {
    let count = row.slots.count
    if count < UInt16.max {
      var size = 4
      while size < count * 4 { size *= 2 }
      row.index = addIndex(of: size, at: rows.slots.count - count, to: &rows)
      for probeCount in [1, 3, ShapeRow.probeCount] {
        for shift in stride(from: 0 as UInt8, to: 48, by: 3) {
          row.shift = shift
          if fillIndex(of: row, probeCount: probeCount) {
            row.hasOwnPlaces = probeCount == 1
            return
          }
        }
      }
    }
    let sorted = (0..<count).sorted {
      comes(Int(row.slots[$0].key), before: Int(row.slots[$1].key))
    }
    row.isComplete = false
    let first = rows.order.count
    for slot in sorted { rows.order.append(UInt32(slot)) }
    row.order = RawSlice(rows.order, first..<rows.order.count)
  }

  /// An empty index with a number of places, for the slots from `firstSlot` on.
  private func addIndex(of size: Int, at firstSlot: Int, to rows: inout ShapeRows) -> RawIndex<
    SlotRow
  > {
    let first = rows.index.count
    rows.index.append(repeating: 0, count: size)
    return RawIndex(
      rows.index, first..<first + size, of: rows.slots, firstSlot - 1..<rows.slots.count)
  }

  /// Refills the index; returns false when none of the first `probeCount` places of a name is free.
  private func fillIndex(of row: ShapeRow, probeCount: Int) -> Bool {
    row.index.clear()
    for slot in 0..<row.slots.count {
      let word = words[Int(row.slots[slot].key)]
      if !word.isUser { continue }
      var place = row.place(word.mixed, salt: ShapeRow.salt(of: word.scope))
      var probes = 1
      while row.index[place] != 0 {
        if probes == probeCount { return false }
        place &+= 1
        probes += 1
      }
      row.index.put(slot + 1, at: place)
    }
    return true
  }
}

/// The numbers of scopes that are not entries of the key table.
@usableFromInline
package enum ScopeNumber {
  /// The scope number of unscoped keys.
  @inlinable package static var top: Int32 { -1 }
  /// The number of a requested scope that was never written.
  @inlinable static var missing: Int32 { -2 }
  /// The scope of rows that no key is found in.
  @inlinable static var none: Int32 { -3 }

  /// True when a number is that of an entry of the key table.
  package static func isEntry(_ number: Int) -> Bool { number >= 0 }
}

/// A key as the index of a shape looks it up.
struct KeyWord: BitwiseCopyable, Sendable {
  /// The bits of a short name of an ordinary key; the bits of no string for any other.
  let identity: StringIdentity
  /// The bytes of a longer name of an ordinary key; empty for any other.
  let name: RawSlice<UInt8>
  /// A hash of the name.
  let mixed: UInt64
  let scope: Int32
  /// True when the key is an ordinary one; other keys are in no index.
  let isUser: Bool

  init(_ entry: KeyEntry, name: RawSlice<UInt8>) {
    self.name = name
    isUser = entry.space == .user
    identity = isUser && name.count == 0 ? StringIdentity(entry.name) : StringIdentity()
    mixed = isUser ? KeyWord.mixed(entry.name) : 0
    scope = Int32(entry.scope)
  }

  /// The word of no key, in a scope that does not exist.
  static var none: KeyWord {
    let entry = KeyEntry(scope: Int(ScopeNumber.none), space: .scope, name: "", depth: 0)
    return KeyWord(entry, name: RawSlice())
  }

  /// The hash of a name; equal names have equal hashes, wherever their bytes are stored.
  static func mixed(_ name: String) -> UInt64 {
    if name.utf8.count > StringIdentity.contentByteCount { return contentWord(of: name) }
    let identity = StringIdentity(name)
    if identity.isContent { return identity.mixed }
    // A string with reserved capacity stores even few bytes outside of itself.
    return StringIdentity(String(decoding: Array(name.utf8), as: UTF8.self)).mixed
  }
}

extension KeyEntry {
  /// True when it is an ordinary key whose name does not fit the bits of a string.
  var hasLongName: Bool { space == .user && name.utf8.count > StringIdentity.contentByteCount }
}

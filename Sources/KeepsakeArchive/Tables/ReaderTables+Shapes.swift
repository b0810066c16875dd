// What finds the keys of a shape: a row for each slot, and an index of their names.

extension ReaderTables {
  /// The shape as reading needs it; its slices are of the rows.
  borrowing func makeRow(of shape: ShapeEntry, in rows: inout ShapeRows) -> ShapeRow {
    var layout = RecordLayout()
    rows.slots.append(.none)
    let firstSlot = rows.slots.count
    var hasOnlyNumbers = true
    for slot in shape.slots {
      let isNumber =
        slot.cell < 0 ? slot.tag.hasFreeBits : shapes[Int(slot.cell)].hasOnlyNumbers
      if !isNumber || slot.isNullable { hasOnlyNumbers = false }
      let placement =
        slot.cell < 0
        ? layout.add(slot.tag, isNullable: slot.isNullable)
        : layout.add(inline: entries.layouts[Int(slot.cell)])
      let key = Int(slot.key)
      if keys[key].space == .reserved { layout.hasReservedKey = true }
      rows.slots.append(
        SlotRow(
          identity: identity(of: key), scope: Int32(keys[key].scope), key: slot.key,
          placement: placement, tag: slot.tag, isNullable: slot.isNullable, cell: slot.cell,
          byteCount: slot.cell < 0 ? 0 : entries.layouts[Int(slot.cell)].byteCount,
          omitsNil: slot.omitsNil))
    }
    // The ends lie after all slots.
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
      isOfObjects: shape.enumerationCase < 0 && !types[Int(shape.type)].name.isEmpty,
      isCell: layout.isCell,
      hasOnlyNumbers: hasOnlyNumbers)
    row.hasAbsentValues = shape.slots.contains { $0.omitsNil }
    makeIndex(of: &row, in: &rows)
    return row
  }

  /// The bits by which an ordinary key of a short name is recognised.
  private func identity(of key: Int) -> StringIdentity {
    isShort(key) ? StringIdentity(keys[key].name) : StringIdentity()
  }

  private func isShort(_ key: Int) -> Bool {
    keys[key].space == .user && keys[key].name.utf8.count <= StringIdentity.contentByteCount
  }

  /// Puts the slots where their names lead.
  ///
  /// For a shape of the usual size a few shifts are tried, so that each name has a place of its
  /// own. Where names crowd, the slots are put in order too, so that no choice of names makes this
  /// or a look-up slow.
  private func makeIndex(of row: inout ShapeRow, in rows: inout ShapeRows) {
    let count = row.slots.count
    if count < UInt16.max {
      var size = 4
      while size < count * (count <= 64 ? 4 : 2) { size *= 2 }
      row.index = addIndex(of: size, at: rows.slots.count - count, to: &rows)
      for shift in stride(from: 0 as UInt8, to: 48, by: count <= 64 ? 3 : 48) {
        row.shift = shift
        if fillIndex(of: row) == 1 { return }
      }
      if fillIndex(of: row) <= ShapeRow.probeCount { return }
    }
    let sorted = (0..<count).sorted {
      comes(Int(row.slots[$0].key), before: Int(row.slots[$1].key))
    }
    row.isComplete = false
    let first = rows.order.count
    for slot in sorted { rows.order.append(UInt32(slot)) }
    row.order = RawSlice(rows.order, first..<rows.order.count)
  }

  /// An empty index of so many places for the slots from a number on.
  private func addIndex(of size: Int, at firstSlot: Int, to rows: inout ShapeRows) -> RawIndex {
    let first = rows.index.count
    for _ in 0..<size { rows.index.append(0) }
    return RawIndex(
      rows.index, first..<first + size, of: rows.slots, firstSlot - 1..<rows.slots.count)
  }

  /// Fills the index anew; returns the most places that a name had to be looked for in.
  private func fillIndex(of row: ShapeRow) -> Int {
    row.index.clear()
    var most = 1
    for slot in 0..<row.slots.count {
      let key = Int(row.slots[slot].key)
      guard keys[key].space == .user else { continue }
      let mixed = isShort(key) ? row.slots[slot].identity.mixed : contentWord(of: keys[key].name)
      var place = row.place(mixed, salt: ShapeRow.salt(of: row.slots[slot].scope))
      var probes = 1
      while probes <= ShapeRow.probeCount, row.index[place] != 0 {
        place &+= 1
        probes += 1
      }
      if probes <= ShapeRow.probeCount { row.index.put(slot + 1, at: place) }
      most = max(most, probes)
    }
    return most
  }
}

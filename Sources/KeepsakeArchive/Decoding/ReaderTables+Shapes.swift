// The shape table (Spec/archive.md, 4.4), and the index by which keys are found in a shape.

extension ReaderTables {
  mutating func readShapes(
    _ cursor: inout TableCursor, count: Int, limits: ArchiveLimits
  ) throws(ArchiveError) {
    guard count <= limits.shapeCount else {
      throw cursor.error(
        .limitExceeded, "the archive declares \(count) shapes, more than the limit")
    }
    try cursor.checkRows(count, byteCount: FormatConstants.shapeHeaderByteCount)
    // The shape in which each key was met last, to find keys that a shape has twice.
    var lastShapes = [Int](repeating: -1, count: keys.count)
    for number in 0..<count {
      try readShape(&cursor, number: number, lastShapes: &lastShapes, limits: limits)
    }
    try cursor.finish()
  }

  private mutating func readShape(
    _ cursor: inout TableCursor, number: Int, lastShapes: inout [Int], limits: ArchiveLimits
  ) throws(ArchiveError) {
    let type = Int(try cursor.word())
    guard type < types.count else {
      throw cursor.error(.damaged, "a shape names a type that is not declared")
    }
    let count = Int(try cursor.word())
    guard count <= limits.slotCount else {
      throw cursor.error(.limitExceeded, "a shape has \(count) keys, more than the limit")
    }
    let enumerationCase = Int(try cursor.word()) - 1
    guard try cursor.word() == 0, enumerationCase < keys.count,
      enumerationCase < 0 || keys[enumerationCase].space == .enumerationCase
    else { throw cursor.error(.damaged, "a shape names a case that is not declared") }
    try cursor.checkRows(count, byteCount: FormatConstants.slotRowByteCount)
    var layout = RecordLayout()
    let firstSlot = slots.count
    let firstVariable = variables.count
    for _ in 0..<count {
      let slot = try TableCursor.slot(&cursor)
      let key = Int(slot.key)
      guard key < keys.count, keys[key].space == .user || keys[key].space == .reserved else {
        throw cursor.error(.damaged, "a shape names a key that is not declared")
      }
      guard lastShapes[key] < number else {
        throw cursor.error(.duplicateKey, "a shape has the key \"\(keys[key].name)\" twice")
      }
      lastShapes[key] = number
      let placement = layout.add(slot.tag, isNullable: slot.isNullable)
      slots.append(
        SlotRow(
          identity: identity(of: key), scope: Int32(keys[key].scope), key: slot.key,
          placement: placement, tag: slot.tag))
      if slot.tag.isVariable {
        variables.append(
          VariableSlot(offset: placement.offset, isContainer: slot.tag.isContainer))
      }
    }
    var row = ShapeRow(
      slots: RawSlice(slots, firstSlot..<slots.count), index: RawSlice(index, 0..<0), shift: 0,
      order: RawSlice(order, 0..<0),
      variables: RawSlice(variables, firstVariable..<variables.count),
      layout: layout, tailStart: UInt32(layout.tailStart), type: Int32(type),
      enumerationCase: Int32(enumerationCase))
    makeIndex(of: &row)
    shapes.append(row)
  }

  /// The bits by which an ordinary key of a short name is recognised.
  private func identity(of key: Int) -> StringIdentity {
    isShort(key) ? StringIdentity(keys[key].name) : StringIdentity()
  }

  private func isShort(_ key: Int) -> Bool {
    keys[key].space == .user && keys[key].name.utf8.count <= shortNameByteCount
  }

  /// Puts the slots where their names lead.
  ///
  /// For a shape of the usual size a few shifts are tried, so that each name has a place of its
  /// own. Where names crowd, the slots are put in order too, so that no choice of names makes this
  /// or a look-up slow.
  private mutating func makeIndex(of row: inout ShapeRow) {
    let count = row.slots.count
    if count < UInt16.max {
      var size = 4
      while size < count * (count <= 64 ? 4 : 2) { size *= 2 }
      let first = index.count
      for _ in 0..<size { index.append(0) }
      row.index = RawSlice(index, first..<first + size)
      for shift in stride(from: 0 as UInt8, to: 48, by: count <= 64 ? 3 : 48) {
        row.shift = shift
        for place in first..<first + size { index[place] = 0 }
        if fillIndex(of: row, at: first) == 1 { return }
      }
      for place in first..<first + size { index[place] = 0 }
      if fillIndex(of: row, at: first) <= ShapeRow.probeCount { return }
    }
    let sorted = (0..<count).sorted {
      ranks[Int(row.slots[$0].key)] < ranks[Int(row.slots[$1].key)]
    }
    let first = order.count
    for slot in sorted { order.append(UInt32(slot)) }
    row.order = RawSlice(order, first..<order.count)
  }

  /// Fills an empty index; returns the most places that a name had to be looked for in.
  private mutating func fillIndex(of row: ShapeRow, at first: Int) -> Int {
    var most = 1
    for slot in 0..<row.slots.count {
      let key = Int(row.slots[slot].key)
      guard keys[key].space == .user else { continue }
      let mixed = isShort(key) ? row.slots[slot].identity.mixed : contentWord(of: keys[key].name)
      var place = row.place(mixed, scope: row.slots[slot].scope)
      var probes = 1
      while probes <= ShapeRow.probeCount, index[first + place] != 0 {
        place = (place + 1) & (row.index.count - 1)
        probes += 1
      }
      if probes <= ShapeRow.probeCount { index[first + place] = UInt16(slot + 1) }
      most = max(most, probes)
    }
    return most
  }
}

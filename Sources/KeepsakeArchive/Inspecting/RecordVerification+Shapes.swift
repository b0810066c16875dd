// Which shapes records have: in which order shapes are first used (Spec/archive.md, 4.4), and which records lie in
// their slots (5.4).

extension RecordVerification {
  /// Checks what is known when a record has been gone through.
  @inline(__always)
  mutating func finish(
    _ record: OpenedRecord, hasCellOutside: Bool
  ) throws(ArchiveError) {
    let shape = record.shape.row
    if hasCellOutside || shape.number >= ShapeEntry.inlineCount {
      try noteOutline(of: record, hasCellOutside: hasCellOutside)
    }
    try checkShape(shape, at: record.start)
  }

  /// Shapes are numbered as the first record of each is completed.
  @inline(__always)
  mutating func checkShape(_ shape: ShapeRow, at offset: Int) throws(ArchiveError) {
    let number = Int(shape.number)
    if number < shapeCount { return }
    try checkNewShape(shape, number, at: offset)
  }

  @inline(never)
  private mutating func checkNewShape(
    _ shape: ShapeRow, _ number: Int, at offset: Int
  ) throws(ArchiveError) {
    // Records in slots come before the one that they lie in.
    for index in 0..<shape.slots.count where shape.slots[index].cell >= 0 {
      try checkShape(shapes.reference(Int(shape.slots[index].cell)).row, at: offset)
    }
    guard number < knownShapes else {
      throw ArchiveError(
        .damaged, "a record names a shape of a later segment", offset: offset)
    }
    if number > shapeCount {
      note("shapes are not numbered in the order of their first use", at: offset)
    }
    shapeCount = max(shapeCount, number + 1)
  }

  /// Checks that records of a fixed width lie in their slots, unless there were too many shapes.
  private mutating func noteOutline(
    of record: OpenedRecord, hasCellOutside: Bool
  ) throws(ArchiveError) {
    let hasInline = storage.tables.entries.shapes[Int(record.shape.row.number)].hasInline
    if hasCellOutside {
      let isFew = shapeCount < ShapeEntry.inlineCount
      var isWrong = hasInline || isFew
      if !isWrong { isWrong = isDeclared(try inlineShape(of: record)) }
      if isWrong {
        note("a record of a fixed width does not lie in its slot", at: record.start)
      }
    } else if hasInline {
      note("a record lies in its slot although there are too many shapes", at: record.start)
    }
  }

  /// The shape that a record would have if all records of a fixed width lay in their slots.
  private func inlineShape(of record: OpenedRecord) throws(ArchiveError) -> ShapeEntry {
    let row = record.shape.row
    var shape = storage.tables.entries.shapes[Int(row.number)]
    for index in 0..<row.slots.count {
      let slot = row.slots[index]
      guard slot.tag == .record, slot.placement.nilMask == 0 else { continue }
      let (number, _) = try ShapeNumber.read(view, record.payload(slot.placement, view))
      guard shapes.reference(number).row.isInlinable else { continue }
      shape.slots[index].tag = .inline
      shape.slots[index].cell = Int32(number)
    }
    return shape
  }

  /// Whether a shape was met so far.
  private mutating func isDeclared(_ shape: ShapeEntry) -> Bool {
    for number in numbers.count..<shapeCount {
      numbers[storage.tables.entries.shapes[number]] = number
    }
    return numbers[shape].map { $0 < shapeCount } ?? false
  }
}

// Nearly every record is sound, so this quick walk only decides whether a record is, and names no error and no place.
// If it cannot decide, the complete walk checks the record again.

extension RecordVerification {
  /// The deepest level that this walk goes to: it calls itself for each nested value.
  private var deepestLevel: Int { min(nestingDepth, 32) }

  /// True when a record and all its values are sound and of known kinds; false also for sound ones nested too deep.
  mutating func isSound(_ record: OpenedRecord, level: Int) -> Bool {
    let shape = record.shape
    let most = OpenedRecord.mostValues(valueCount, inBytes: record.end &- record.start)
    guard mayHold(shape, level: level), shape.row.slots.count <= most else { return false }
    let range = looks.range(Int(shape.row.number), shapes)
    var number = range.lowerBound
    while number < range.upperBound {
      if !isSound(looks[Int(number)], of: record, level: level) { return false }
      number &+= 1
    }
    return true
  }

  /// True when records of a shape may be at a level, as far as the segments so far tell.
  @inline(__always)
  private func mayHold(_ shape: RawReference<ShapeRow>, level: Int) -> Bool {
    Int(shape.row.number) < knownShapes
      && level &+ Int(shape.row.layout.depth) &- 1 <= deepestLevel
  }

  @inline(__always)
  private mutating func isSound(
    _ look: ShapeLooks.Look, of record: OpenedRecord, level: Int
  ) -> Bool {
    let slots = record.shape.row.slots
    let slot = slots.reference(Int(look.slot)).row
    switch look.kind {
    case .texts:
      var texts = record.payload(slot.placement, view)
      if look.last != look.slot {
        let last = record.payload(slots.reference(Int(look.last)).row.placement, view)
        texts = texts.lowerBound..<last.upperBound
      }
      return view.isASCII(texts) || areTexts(record, look, texts)
    case .cell:
      let body = record.range(slot, view)
      return isSound(
        OpenedRecord(
          cell: shapes.reference(slot.cell.number), at: body.lowerBound, byteCount: body.count),
        level: level + 1)
    case .other:
      if slot.isNil(view, recordAt: record.start) { return true }
      return isSound(slot.tag, record.range(slot, view), level: level + 1)
    }
  }

  /// True when the texts of a record that fill a range together are well-formed.
  @inline(never)
  private func areTexts(
    _ record: OpenedRecord, _ look: ShapeLooks.Look, _ texts: Range<Int>
  ) -> Bool {
    guard view.isUTF8(texts) else { return false }
    let slots = record.shape.row.slots
    for index in look.slot...look.last {
      let slot = slots.reference(Int(index)).row
      guard slot.isPayload else { continue }
      if isInsideCharacter(record.payload(slot.placement, view).lowerBound, texts) { return false }
    }
    return true
  }

  /// True when an offset in a well-formed text is inside a character.
  @inline(__always)
  private func isInsideCharacter(_ offset: Int, _ text: Range<Int>) -> Bool {
    offset < text.upperBound && view.load(UInt8.self, at: offset) & 0xC0 == 0x80
  }

  /// True when a value that is not nil is sound, with all values in it.
  private mutating func isSound(_ tag: ArchiveTag, _ range: Range<Int>, level: Int) -> Bool {
    do throws(ArchiveError) {
      switch tag.kind {
      case .record, .enumeration:
        let record = try OpenedRecord(view, shapes, range)
        try record.checkKind(tag)
        return isSound(record, level: level)
      case .array where level <= deepestLevel:
        if ArrayForm.isPlainNumbers(view, range) { return true }
        return areSound(try StoredElements(view, shapes, range), level: level)
      case .set where level <= deepestLevel:
        return areSound(try SortedElements(view, shapes).members(range), level: level)
      case .dictionary where level <= deepestLevel:
        let entries = try SortedElements(view, shapes).entries(range)
        return areSound(entries.keys, level: level) && areSound(entries.values, level: level)
      case .array, .set, .dictionary, .any, nil: return false
      default:
        try checkPlain(tag, range)
        return true
      }
    } catch {
      return false
    }
  }

  private mutating func areSound(_ elements: StoredElements, level: Int) -> Bool {
    if elements.count == 0 { return true }
    if elements.content.isStated, elements.stride == 0 {
      return areSoundRecords(elements, level: level + 1, longest: .max)
    }
    if elements.areCells { return areSoundCells(elements, level: level + 1) }
    // Any bits are numbers or truth values; rows are a level more.
    if elements.areNumbers { return true }
    if elements.areRows { return level < deepestLevel && elements.content.numbers.kind != nil }
    if elements.tag.isBit { return elements.tag.kind != nil }
    if elements.tag.isText { return elements.tag == .bytes || areTexts(elements) }
    for index in 0..<elements.count {
      let tag = elements.tag(of: index, view)
      if tag == .null || elements.isNil(index, view) { continue }
      if !isSound(tag, elements.range(of: index, view), level: level + 1) { return false }
    }
    return true
  }

  /// True when records of one shape of a fixed width are sound.
  private mutating func areSoundCells(_ cells: StoredElements, level: Int) -> Bool {
    let shape = shapes.reference(cells.content.shape)
    if isSound(shape: cells.content.shape) {
      let most = OpenedRecord.mostValues(valueCount, inBytes: cells.stride)
      return mayHold(shape, level: level) && shape.row.slots.count <= most
    }
    for index in 0..<cells.count {
      let offset = cells.slots &+ index &* cells.stride
      let cell = OpenedRecord(cell: shape, at: offset, byteCount: cells.stride)
      if !isSound(cell, level: level) { return false }
    }
    return true
  }

  /// True when all strings are well-formed.
  private func areTexts(_ elements: StoredElements) -> Bool {
    let texts = elements.tail..<elements.end
    if view.isASCII(texts) { return true }
    // If all of them together are well-formed, so is each that does not begin inside a character.
    guard view.isUTF8(texts) else { return false }
    for index in 1..<elements.count {
      if isInsideCharacter(elements.range(of: index, view).lowerBound, texts) { return false }
    }
    return true
  }

  /// True when records of one shape that have ends are sound, and none is longer than `longest` bytes.
  ///
  /// The ends of the records need not have been checked. Each record is at the level.
  mutating func areSoundRecords(_ records: StoredElements, level: Int, longest: Int) -> Bool {
    let shape = shapes.reference(records.content.shape)
    guard mayHold(shape, level: level) else { return false }
    // The range first: it may add looks.
    let range = looks.range(records.content.shape, shapes)
    let areTexts = looks.areTexts(range)
    let valueCount = shape.row.slots.count
    var start = records.tail
    for index in 0..<records.count {
      var end = records.end
      if index &+ 1 != records.count {
        end = records.tail &+ view.end(index, endsAt: records.slots, width: records.endWidth)
      }
      guard start <= end, end <= records.end, end &- start <= longest else { return false }
      if areTexts, isRecordOfASCII(shape.row.layout, start..<end) {
        guard valueCount <= OpenedRecord.mostValues(self.valueCount, inBytes: end &- start) else {
          return false
        }
      } else {
        do throws(ArchiveError) {
          if !isSound(try OpenedRecord(view, shape, start..<end), level: level) { return false }
        } catch {
          return false
        }
      }
      start = end
    }
    return true
  }

  /// True when a body of fewer than 256 bytes holds payloads in a row, all ASCII; false also for some of these.
  @inline(__always)
  private func isRecordOfASCII(_ layout: RecordLayout, _ body: Range<Int>) -> Bool {
    let length = body.upperBound &- body.lowerBound
    let tail = Int(layout.byteCount) &+ layout.endCount
    guard EndWidth.inside(length) == 0, layout.variableCount > 0, tail <= length else {
      return false
    }
    if layout.endCount > 0 {
      let last = view.endOfPayloads(
        endsAt: body.lowerBound &+ Int(layout.byteCount), count: layout.endCount, width: 0)
      guard let last, last <= length &- tail else { return false }
    }
    return view.isASCII(body.lowerBound &+ tail..<body.upperBound)
  }
}

// Values that contain no others, and arrays, dictionaries and sets (Spec/archive.md, 5.3 and 5.5 to 5.7).

extension RecordVerification {
  // MARK: Values that contain no others

  /// Checks texts that are stored side by side: mostly they are ASCII, which is found in one pass over all.
  @inline(__always)
  mutating func checkTexts(
    _ record: OpenedRecord, _ look: ShapeLooks.Look, _ place: inout Place
  ) throws(ArchiveError) {
    let slots = record.shape.row.slots
    let first = record.payload(slots.reference(Int(look.slot)).row.placement, view)
    var end = first.upperBound
    if look.last != look.slot {
      end = record.payload(slots.reference(Int(look.last)).row.placement, view).upperBound
    }
    if view.isASCII(first.lowerBound..<end) { return }
    try checkOtherTexts(record, look, &place)
  }

  @inline(never)
  private mutating func checkOtherTexts(
    _ record: OpenedRecord, _ look: ShapeLooks.Look, _ place: inout Place
  ) throws(ArchiveError) {
    let slots = record.shape.row.slots
    for index in look.slot...look.last {
      let slot = slots.reference(Int(index)).row
      // The payload of a nil is no text.
      guard slot.isPayload, !slot.isNil(view, recordAt: record.start) else { continue }
      place.slot = index
      let range = record.payload(slot.placement, view)
      if !view.isUTF8(range) { throw ArchiveError.badText(range) }
    }
  }

  /// Checks a value that contains no others and is not nil.
  mutating func checkPlain(
    _ tag: ArchiveTag, _ range: Range<Int>
  ) throws(ArchiveError) {
    switch tag.kind {
    case .string, .url:
      guard view.isUTF8(range) else { throw ArchiveError.badText(range) }
    case .reference: try checkReference(view.reference(range), at: range.lowerBound)
    case .conditionalReference:
      let number = view.reference(range)
      if number > highestConditional.number { highestConditional = (number, range.lowerBound) }
      try storage.checkConditional(number)
    case .null, .bool, .signed, .unsigned, .floatingPoint, .date, .uuid, .bytes, .any, .record,
      .enumeration, .array, .dictionary, .set:
      break
    case nil: hasUnknown = true
    }
  }

  private mutating func checkReference(_ id: UInt32, at offset: Int) throws(ArchiveError) {
    if id > highestReference.number {
      highestReference = (id, offset)
      _ = try storage.object(id, at: offset)
    }
  }

  // MARK: Values that contain others

  /// Begins a value that may contain others.
  ///
  /// - Parameters:
  ///   - tag: The tag of the value.
  ///   - range: Its payload.
  ///   - level: Its level.
  /// - Returns: The value if it gets an entry in the list; nil when all of it was checked.
  /// - Throws: ``ArchiveError`` for what contradicts the format.
  mutating func open(
    _ tag: ArchiveTag, _ range: Range<Int>, level: Int
  ) throws(ArchiveError) -> Frame? {
    switch tag.kind {
    case .record, .enumeration:
      try checkLevel(level, range.lowerBound)
      let record = try OpenedRecord(view, shapes, range)
      try record.checkKind(tag)
      return try pass(record, level: level)
    case .array where !ArrayForm.isUnknown(tag, view, range):
      try checkLevel(level, range.lowerBound)
      return try begin(StoredElements(view, shapes, range), level: level)
    case .set:
      try checkLevel(level, range.lowerBound)
      return try begin(SortedElements(view, shapes).members(range), level: level)
    case .dictionary:
      try checkLevel(level, range.lowerBound)
      return try beginDictionary(range, level: level)
    default:
      hasUnknown = true
      return nil
    }
  }

  private mutating func begin(
    _ elements: StoredElements, level: Int
  ) throws(ArchiveError) -> Frame? {
    if elements.count == 0 { return nil }
    if try check(whole: elements, level: level) { return nil }
    return Frame(content: .elements(elements, next: 0), level: level)
  }

  /// Checks all elements at once where that is possible; false when each element must be checked separately.
  private mutating func check(
    whole elements: StoredElements, level: Int
  ) throws(ArchiveError) -> Bool {
    // Numbers may be any bits.
    if elements.areNumbers { return true }
    if elements.areCells {
      let shape = shapes.reference(Int(elements.content))
      guard isSound(shape: Int(elements.content)),
        shape.row.slots.count <= OpenedRecord.mostValues(valueCount, inBytes: elements.stride)
      else { return false }
      try checkLevel(level + Int(shape.row.layout.depth), elements.start)
      try checkIsKnown(shape.row, at: elements.start)
      return true
    }
    if elements.areRows {
      try checkLevel(level + 1, elements.start)
      if ArchiveTag(rawValue: UInt8(elements.content)).kind == nil { hasUnknown = true }
      return true
    }
    if elements.tag.isBit {
      if elements.tag.kind == nil { hasUnknown = true }
      return true
    }
    if elements.tag == .reference, elements.nilBits == 0 {
      let (id, offset) = view.largestReference(in: elements.slotRange, width: elements.stride)
      // The error of one that does not exist names the first of them.
      guard Int(id) <= storage.frame.objectCount else { return false }
      try checkReference(id, at: offset)
      return true
    }
    if elements.tag.isText { return elements.tag == .bytes || areTexts(elements) }
    return false
  }

  /// True when all strings are well-formed.
  private func areTexts(_ elements: StoredElements) -> Bool {
    let texts = elements.tail..<elements.end
    if view.isASCII(texts) { return true }
    // If all of them together are well-formed, so is each that does not begin inside a character.
    guard view.isUTF8(texts) else { return false }
    for index in 1..<elements.count {
      let start = elements.range(of: index, view).lowerBound
      if start < elements.end, view.load(UInt8.self, at: start) & 0xC0 == 0x80 { return false }
    }
    return true
  }

  /// A dictionary, whose keys contain no other values and are checked at once.
  private mutating func beginDictionary(
    _ range: Range<Int>, level: Int
  ) throws(ArchiveError) -> Frame? {
    let sorted = SortedElements(view, shapes)
    if ArrayForm.isUnknown(.dictionary, view, range) {
      hasUnknown = true
      try check(keys: sorted.keys(range), level: level)
      return nil
    }
    let entries = try sorted.entries(range)
    try check(keys: entries.keys, level: level)
    return try begin(entries.values, level: level)
  }

  private mutating func check(keys: StoredElements, level: Int) throws(ArchiveError) {
    if try begin(keys, level: level) == nil { return }
    var next = 0
    while try nextElement(of: keys, &next, level: level) != nil {}
  }

  // MARK: Elements

  /// Goes on to the next element that gets an entry in the list, or to the end.
  mutating func nextElement(
    of elements: StoredElements, _ next: inout Int, level: Int
  ) throws(ArchiveError) -> Frame? {
    while next < elements.count {
      let index = next
      next += 1
      do throws(ArchiveError) {
        if let child = try check(index, of: elements, level: level + 1) { return child }
      } catch {
        throw error.atElement(index)
      }
    }
    return nil
  }

  @inline(__always)
  private mutating func check(
    _ index: Int, of elements: StoredElements, level: Int
  ) throws(ArchiveError) -> Frame? {
    let range = elements.range(of: index, view)
    if elements.content >= 0, !elements.areRows {
      // A record, or an enumeration, of the one shape that all have.
      try checkLevel(level, range.lowerBound)
      let shape = shapes.reference(Int(elements.content))
      return try pass(elements.openedRecord(index, shape, view), level: level)
    }
    let tag = elements.tag(of: index, view)
    if tag == .null || elements.isNil(index, view) { return nil }
    if tag.isContainer { return try open(tag, range, level: level) }
    try checkPlain(tag, range)
    return nil
  }
}

// Values that contain no others, and arrays, dictionaries and sets (Spec/archive.md, 5.3 and 5.5 to 5.7).

extension RecordVerification {
  // MARK: Values that contain no others

  /// Checks texts that lie side by side: mostly they are ASCII, which one look at all of them tells.
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
      // What a nil has instead of a value is nothing that has to be text.
      guard slot.isPayload, !slot.isNil(view, recordAt: record.start) else { continue }
      place.slot = index
      let range = record.payload(slot.placement, view)
      if !view.isUTF8(range) { throw ArchiveError.badText(range) }
    }
  }

  /// Checks that a nil has nothing but zero in its slot, and no payload.
  @inline(never)
  mutating func checkNil(_ tag: ArchiveTag, _ range: Range<Int>) {
    let isEmpty = tag.isVariable ? range.isEmpty : view.isZero(range)
    if !isEmpty { note("the slot of a nil is not zero", at: range.lowerBound) }
  }

  /// Checks a value that takes the same number of bytes, or one bit, in every record.
  mutating func checkFixed(_ slot: SlotRow, _ record: OpenedRecord) throws(ArchiveError) {
    let isNil = slot.isNil(view, recordAt: record.start)
    guard slot.tag.isBit else {
      let range = record.range(slot, view)
      return isNil ? checkNil(slot.tag, range) : try checkPlain(slot.tag, range)
    }
    let offset = record.start + Int(slot.placement.offset)
    if !isNil {
      if slot.tag.kind == nil { hasUnknown = true }
    } else if view.load(UInt8.self, at: offset) & slot.placement.bit != 0 {
      note("the slot of a nil is not zero", at: offset)
    }
  }

  /// Checks a value that contains no others and is not nil.
  private mutating func checkPlain(
    _ tag: ArchiveTag, _ range: Range<Int>
  ) throws(ArchiveError) {
    switch tag.kind {
    case .null: note("a nil has no nil bit", at: range.lowerBound)
    case .string, .url:
      guard view.isUTF8(range) else { throw ArchiveError.badText(range) }
    case .reference: try checkReference(view.reference(range), at: range.lowerBound)
    case .conditionalReference:
      let number = view.reference(range)
      if number > highestConditional.number { highestConditional = (number, range.lowerBound) }
      try storage.checkConditional(number)
    case .bool, .signed, .unsigned, .floatingPoint, .date, .uuid, .bytes, .any, .record,
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

  /// Begins a value that may contain others; nil when there is nothing more to check in it.
  ///
  /// - Parameters:
  ///   - tag: The tag of the value.
  ///   - range: Its payload.
  ///   - level: The level at which it lies.
  /// - Returns: The value, if it takes a place on the list.
  /// - Throws: ``ArchiveError`` for what contradicts the format.
  mutating func open(
    _ tag: ArchiveTag, _ range: Range<Int>, level: Int
  ) throws(ArchiveError) -> Frame? {
    switch tag.kind {
    case .record, .enumeration:
      try checkLevel(level, range.lowerBound)
      let record = try OpenedRecord(view, shapes, range)
      checkNumber(of: record, in: range)
      try record.checkKind(tag)
      return try pass(record, level: level)
    case .array where !ArrayForm.isUnknown(tag, view, range):
      try checkLevel(level, range.lowerBound)
      return try begin(StoredElements(view, shapes, range), level: level)
    case .set, .dictionary:
      try checkLevel(level, range.lowerBound)
      return try beginSorted(tag, range, level: level)
    default:
      hasUnknown = true
      return nil
    }
  }

  /// The number of the shape before the body is as short as it can be.
  private mutating func checkNumber(of record: OpenedRecord, in range: Range<Int>) {
    let byteCount = record.start &- range.lowerBound
    if byteCount != 1, byteCount != ShapeNumber.byteCount(of: Int(record.shape.row.number)) {
      note("the number of a shape takes more bytes than it has to", at: range.lowerBound)
    }
  }

  private mutating func begin(
    _ elements: StoredElements, level: Int
  ) throws(ArchiveError) -> Frame? {
    if elements.count == 0 { return nil }
    let lastBits = elements.nilBits + (elements.count - 1) / 8
    if elements.nilBits != 0, elements.count & 7 != 0,
      view.load(UInt8.self, at: lastBits) >> UInt8(elements.count & 7) != 0
    {
      note("unused bits are not zero", at: lastBits)
    }
    if !elements.isCanonical(view, shapes) {
      note("an array is not written in the one way that its elements allow", at: elements.start)
    }
    return try check(whole: elements, level: level) ? nil : Frame(elements, level: level)
  }

  /// Checks elements that need no look at each; false for others.
  private mutating func check(
    whole elements: StoredElements, level: Int
  ) throws(ArchiveError) -> Bool {
    // Numbers may be any bits.
    if elements.areNumbers { return true }
    if elements.areCells {
      let number = Int(elements.content)
      let shape = shapes.reference(number)
      guard isDone(withShape: number) || shape.row.hasOnlyNumbers else { return false }
      try checkLevel(level + Int(shape.row.layout.depth), elements.start)
      try checkShape(shape.row, at: elements.start)
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

  /// Whether all strings are well-formed.
  private func areTexts(_ elements: StoredElements) -> Bool {
    let texts = elements.tail..<elements.end
    if view.isASCII(texts) { return true }
    // If all together are, each one is that does not begin inside a character.
    guard view.isUTF8(texts) else { return false }
    for index in 1..<elements.count {
      let start = elements.range(of: index, view).lowerBound
      if start < elements.end, view.load(UInt8.self, at: start) & 0xC0 == 0x80 { return false }
    }
    return true
  }

  /// A set, or a dictionary: its keys contain nothing and are checked at once.
  private mutating func beginSorted(
    _ tag: ArchiveTag, _ range: Range<Int>, level: Int
  ) throws(ArchiveError) -> Frame? {
    let sorted = SortedElements(view, shapes)
    if tag == .set { return try begin(try sorted.members(range), level: level) }
    if ArrayForm.isUnknown(tag, view, range) {
      hasUnknown = true
      try check(keys: sorted.keys(range), level: level)
      return nil
    }
    let entries = try sorted.entries(range)
    try check(keys: entries.keys, level: level)
    noteHeader(of: range, keys: entries.keys)
    return try begin(entries.values, level: level)
  }

  private mutating func check(keys: StoredElements, level: Int) throws(ArchiveError) {
    guard var keys = try begin(keys, level: level) else { return }
    while try nextElement(&keys) != nil {}
    if case .elements(let elements) = keys.content { noteForm(of: elements, keys) }
  }

  /// The length of the keys is as narrow as it can be.
  private mutating func noteHeader(of range: Range<Int>, keys: StoredElements) {
    if range.isEmpty { return }
    let width = EndWidth.inside(range.count)
    if EndWidth.smallest(of: 1, besides: range.upperBound - keys.start) != width {
      note("the length of keys is wider than it has to be", at: range.lowerBound)
    }
  }

  // MARK: Elements

  /// Goes on to the next element that takes a place on the list, or to the end.
  mutating func nextElement(_ frame: inout Frame) throws(ArchiveError) -> Frame? {
    guard case .elements(let elements) = frame.content else { return nil }
    do throws(ArchiveError) {
      if elements.content >= 0, !elements.areRows {
        return try nextRecord(elements, &frame)
      }
      return try nextOther(elements, &frame)
    } catch {
      throw error.atElement(frame.index - 1)
    }
  }

  /// Goes on in records, or enumerations, of one shape.
  private mutating func nextRecord(
    _ elements: StoredElements, _ frame: inout Frame
  ) throws(ArchiveError) -> Frame? {
    let shape = shapes.reference(Int(elements.content))
    frame.elementTag = elements.tag
    while frame.index < elements.count {
      let range = elements.range(of: frame.index, view)
      frame.index += 1
      try checkLevel(frame.level + 1, range.lowerBound)
      let record =
        elements.areCells
        ? OpenedRecord(cell: shape, at: range.lowerBound, byteCount: range.count)
        : try OpenedRecord(view, shape, range)
      if let child = try pass(record, level: frame.level + 1) { return child }
    }
    return nil
  }

  private mutating func nextOther(
    _ elements: StoredElements, _ frame: inout Frame
  ) throws(ArchiveError) -> Frame? {
    while frame.index < elements.count {
      let index = frame.index
      frame.index += 1
      let tag = elements.tag(of: index, view)
      let range = elements.range(of: index, view)
      if tag == .null || elements.isNil(index, view) {
        frame.hasNil = true
        checkNil(tag, range)
        continue
      }
      if let other = frame.elementTag, other != tag { frame.isMixed = true }
      frame.elementTag = tag
      guard tag.isContainer else {
        try checkPlain(tag, range)
        continue
      }
      if elements.tag == .any, tag == .record || tag == .enumeration {
        let (shape, _) = try ShapeNumber.read(view, range)
        if frame.shape >= 0, frame.shape != shape { frame.hasSeveralShapes = true }
        frame.shape = shape
      }
      if let child = try open(tag, range, level: frame.level + 1) { return child }
    }
    return nil
  }

  /// Elements that share a tag are packed, and there are nil bits only if there is a nil.
  mutating func noteForm(of elements: StoredElements, _ frame: Frame) {
    let isCanonical =
      elements.tag == .any
      ? frame.isMixed || frame.elementTag == nil || frame.hasSeveralShapes
        || frame.hasNil && frame.elementTag.map { $0.isVariable || $0.isBit } == true
      : frame.elementTag != nil && (elements.nilBits != 0) == frame.hasNil
    if !isCanonical {
      note("an array is not written in the one way that its elements allow", at: elements.start)
    }
  }
}

/// Checks every value of a record for damage, with all nested values (Spec/archive.md, section 5).
///
/// It keeps a list of values that are still to be checked, and does not recurse. Records of numbers and texts, and
/// arrays of these, are checked at once. Only values that contain other values get an entry in the list.
struct RecordVerification {
  /// The position in a record that is being checked.
  struct Place: BitwiseCopyable {
    static let noSlot: Int32 = -1

    /// The number of the next look, and of the one after the last.
    var look: Int32
    let end: Int32
    var slot: Int32 = Place.noSlot
  }

  /// A record or an array that is being checked.
  struct Frame: BitwiseCopyable {
    enum Content: BitwiseCopyable {
      case record(OpenedRecord, Place)
      case elements(StoredElements, next: Int)
    }

    var content: Content
    /// The level of the value; that of an object is 1.
    let level: Int
  }

  private(set) var storage: ArchiveStorage
  // Copies of fields of the storage: reading them there would count references for every record.
  private(set) var view: ByteView
  private(set) var shapes: RawSlice<ShapeRow>
  let nestingDepth: Int
  let valueCount: Int?
  var looks = ShapeLooks()
  private var stack: [Frame] = []
  /// The number of shapes that the segments so far declare.
  var knownShapes = 0
  /// The highest referenced number and its offset; in a stream, only the end shows whether the object exists.
  var highestReference: (number: UInt32, offset: Int) = (0, 0)
  var highestConditional: (number: UInt32, offset: Int) = (0, 0)
  var hasUnknown = false

  init(_ storage: ArchiveStorage) {
    self.storage = storage
    view = storage.view
    shapes = storage.shapes
    nestingDepth = storage.limits.nestingDepth
    valueCount = storage.limits.valueCount
  }

  /// Continues in another storage, which holds the next segment.
  mutating func enter(_ storage: ArchiveStorage) {
    self.storage = storage
    view = storage.view
    shapes = storage.shapes
  }

  /// True when any bytes are a sound record of a shape, as long as their number is right.
  mutating func isSound(shape number: Int) -> Bool { looks.range(number, shapes).isEmpty }

  mutating func verify(
    _ record: OpenedRecord, object: ArchiveObjectID
  ) throws(ArchiveError) {
    if isSound(record, level: 1) { return }
    do throws(ArchiveError) {
      if let frame = try pass(record, level: 1) { try goThrough(frame) }
    } catch {
      throw error.inObject(object)
    }
  }

  private mutating func goThrough(_ frame: Frame) throws(ArchiveError) {
    if !stack.isEmpty { stack.removeAll(keepingCapacity: true) }
    var current = frame
    do throws(ArchiveError) {
      while true {
        if let child = try advance(&current) {
          stack.append(current)
          current = child
          continue
        }
        guard let outer = stack.popLast() else { break }
        current = outer
      }
    } catch {
      var error = error
      for frame in stack.reversed() { error = located(error, frame) }
      throw error
    }
  }

  /// The error with the key or the index of a frame on the list.
  private func located(_ error: ArchiveError, _ frame: Frame) -> ArchiveError {
    switch frame.content {
    case .record(let record, let place): located(error, record, place)
    case .elements(_, let next): error.atElement(next - 1)
    }
  }

  /// The error with the key that is being checked in a record.
  private func located(
    _ error: ArchiveError, _ record: OpenedRecord, _ place: Place
  ) -> ArchiveError {
    if place.slot == Place.noSlot { return error }
    let key = Int(record.shape.row.slots[Int(place.slot)].key)
    return error.under(storage.tables.keys[key].name)
  }

  /// Continues to the next value that gets an entry in the list, or to the end.
  private mutating func advance(_ frame: inout Frame) throws(ArchiveError) -> Frame? {
    switch frame.content {
    case .record(let record, var place):
      defer { frame.content = .record(record, place) }
      do throws(ArchiveError) {
        while try !pass(record, &place, level: frame.level) {
          if let child = try open(next: record, &place, level: frame.level) { return child }
        }
      } catch {
        throw located(error, record, place)
      }
      return nil
    case .elements(let elements, var next):
      defer { frame.content = .elements(elements, next: next) }
      return try nextElement(of: elements, &next, level: frame.level)
    }
  }

  // MARK: Records

  /// Checks a record whose extents are known, and returns it if it holds a value that gets an entry in the list.
  @inline(__always)
  mutating func pass(_ record: OpenedRecord, level: Int) throws(ArchiveError) -> Frame? {
    try record.checkValueCount(valueCount)
    let shape = record.shape
    try checkIsKnown(shape.row, at: record.start)
    let range = looks.range(Int(shape.row.number), shapes)
    if level + Int(shape.row.layout.depth) - 1 > nestingDepth {
      throw nestedTooDeep(record, level: level)
    }
    var place = Place(look: range.lowerBound, end: range.upperBound)
    do throws(ArchiveError) {
      if try pass(record, &place, level: level) { return nil }
    } catch {
      throw located(error, record, place)
    }
    return Frame(content: .record(record, place), level: level)
  }

  /// Checks that a segment so far declares the shape of a record.
  @inline(__always)
  func checkIsKnown(_ shape: ShapeRow, at offset: Int) throws(ArchiveError) {
    if Int(shape.number) >= knownShapes {
      throw .damaged("a record names a shape of a later segment", at: offset)
    }
  }

  /// The error of the first inline record that is nested too deep.
  private func nestedTooDeep(_ record: OpenedRecord, level: Int) -> ArchiveError {
    let slots = record.shape.row.slots
    for index in 0..<slots.count where !slots[index].cell.isNone {
      let depth = Int(shapes.reference(slots[index].cell.number).row.layout.depth)
      if level + depth > nestingDepth {
        return located(
          .nestedTooDeep(storage.limits, offset: record.range(slots[index], view).lowerBound),
          record, Place(look: 0, end: 0, slot: Int32(index)))
      }
    }
    return .nestedTooDeep(storage.limits, offset: record.start)
  }

  /// Continues in a record to its end, or to a value that may get an entry in the list; true at the end.
  private mutating func pass(
    _ record: OpenedRecord, _ place: inout Place, level: Int
  ) throws(ArchiveError) -> Bool {
    let slots = record.shape.row.slots
    while place.look < place.end {
      let look = looks[Int(place.look)]
      place.slot = look.slot
      let slot = slots.reference(Int(look.slot)).row
      switch look.kind {
      case .texts: try checkTexts(record, look, &place)
      case .fixed:
        if !slot.isNil(view, recordAt: record.start) {
          try checkPlain(slot.tag, record.range(slot, view))
        }
      case .cell:
        // At most eight of them are nested in each other.
        let body = record.range(slot, view)
        let cell = OpenedRecord(
          cell: shapes.reference(slot.cell.number), at: body.lowerBound, byteCount: body.count)
        _ = try pass(cell, level: level + 1)
      case .array:
        if !slot.isNil(view, recordAt: record.start),
          level >= nestingDepth
            || !ArrayForm.isPlainNumbers(view, record.payload(slot.placement, view))
        {
          return false
        }
      case .container: return false
      }
      place.look &+= 1
    }
    place.slot = Place.noSlot
    return true
  }

  /// Opens the next value of a record, which can contain others.
  private mutating func open(
    next record: OpenedRecord, _ place: inout Place, level: Int
  ) throws(ArchiveError) -> Frame? {
    let look = looks[Int(place.look)]
    place.look += 1
    let slot = record.shape.row.slots.reference(Int(look.slot)).row
    if slot.isNil(view, recordAt: record.start) { return nil }
    return try open(slot.tag, record.payload(slot.placement, view), level: level + 1)
  }

  /// Checks that a value may be nested at a level.
  @inline(__always)
  func checkLevel(_ level: Int, _ offset: Int) throws(ArchiveError) {
    if level > nestingDepth {
      throw ArchiveError.nestedTooDeep(storage.limits, offset: offset)
    }
  }
}

// Values that contain no others, and arrays, dictionaries and sets (Spec/archive.md, 5.3 and 5.5 to 5.7).

extension RecordVerification {
  // MARK: Values that contain no others

  /// Checks texts that are stored side by side.
  func checkTexts(
    _ record: OpenedRecord, _ look: ShapeLooks.Look, _ place: inout Place
  ) throws(ArchiveError) {
    let slots = record.shape.row.slots
    for index in look.slot...look.last {
      let slot = slots.reference(Int(index)).row
      // The payload of a nil is not text.
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
      _ = try storage.object(id, at: offset)
      highestReference = (id, offset)
    }
  }

  // MARK: Values that contain others

  /// Begins a value at a level; nil when all of it was checked, otherwise it gets an entry in the list.
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
  mutating func check(
    whole elements: StoredElements, level: Int
  ) throws(ArchiveError) -> Bool {
    // Numbers may be any bits.
    if elements.areNumbers { return true }
    if elements.areCells {
      let shape = shapes.reference(elements.content.shape)
      guard isSound(shape: elements.content.shape),
        shape.row.slots.count <= OpenedRecord.mostValues(valueCount, inBytes: elements.stride)
      else { return false }
      try checkLevel(level + Int(shape.row.layout.depth), elements.start)
      try checkIsKnown(shape.row, at: elements.start)
      return true
    }
    if elements.areRows {
      try checkLevel(level + 1, elements.start)
      if elements.content.numbers.kind == nil { hasUnknown = true }
      return true
    }
    if elements.content.isStated { return false }
    if elements.tag.isBit {
      if elements.tag.kind == nil { hasUnknown = true }
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
      if isInsideCharacter(start, texts) { return false }
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

  /// Continues to the next element that gets an entry in the list, or to the end.
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
    if elements.content.isStated, !elements.areRows {
      // A record, or an enumeration, of the one shape that all have.
      try checkLevel(level, range.lowerBound)
      let shape = shapes.reference(elements.content.shape)
      return try pass(elements.openedRecord(index, shape, view), level: level)
    }
    let tag = elements.tag(of: index, view)
    if tag == .null || elements.isNil(index, view) { return nil }
    if tag.isContainer { return try open(tag, range, level: level) }
    try checkPlain(tag, range)
    return nil
  }
}

/// Checks every value of a record with all that is nested in it, by a list of what is still to be
/// done and not by recursion (Spec/archive.md, section 5).
struct RecordVerification {
  /// A record or an array that is being gone through.
  private struct Frame: BitwiseCopyable {
    enum Content: BitwiseCopyable {
      case record(OpenedRecord)
      case elements(StoredElements)
    }

    let content: Content
    var index = 0
    /// The tag of the elements so far that are not nil, and whether there were two.
    var elementTag: ArchiveTag?
    var isMixed = false
    var hasNil = false
    /// Whether a record of a fixed width does not lie in its slot.
    var hasCellOutside = false
    /// The number of the shape of the first record, and whether another one has another shape.
    var shape = -1
    var hasSeveralShapes = false

    init(_ content: Content) {
      self.content = content
    }

    /// Where it begins.
    var start: Int {
      switch content {
      case .record(let record): record.start
      case .elements(let elements): elements.start
      }
    }
  }

  private var storage: ArchiveStorage
  // What every record needs, beside the storage that has it: a look into that one counts references.
  private var view: ByteView
  private var shapes: RawSlice<ShapeRow>
  private let nestingDepth: Int
  private let valueCount: Int?
  private var stack: [Frame] = []
  /// The shapes that the segments so far declare.
  var knownShapes = 0
  /// The shapes that have been met; the next new one has this number.
  private(set) var shapeCount = 0
  /// The highest number that was referred to, and where: of a stream, whether it exists is known at
  /// its end.
  private(set) var highestReference: (number: UInt32, offset: Int) = (0, 0)
  private(set) var highestConditional: (number: UInt32, offset: Int) = (0, 0)
  /// The numbers of shapes that were met, as far as they were needed.
  private var numbers: [ShapeEntry: Int] = [:]
  /// Whether a value of an unknown kind was met.
  var hasUnknown = false
  /// The first thing that can be read but that no writer writes.
  private(set) var nonCanonical: ArchiveError?
  /// Whether there is none; to ask the error itself costs more than most records do.
  private var isCanonical = true

  init(_ storage: ArchiveStorage) {
    self.storage = storage
    view = storage.view
    shapes = storage.shapes
    nestingDepth = storage.limits.nestingDepth
    valueCount = storage.limits.valueCount
  }

  /// Goes on in another storage, which holds the next segment.
  mutating func enter(_ storage: ArchiveStorage) {
    self.storage = storage
    view = storage.view
    shapes = storage.shapes
  }

  /// Keeps the first breach of the canonical form; reading goes on.
  mutating func note(_ message: String, at offset: Int) {
    if isCanonical {
      isCanonical = false
      nonCanonical = ArchiveError(.nonCanonical, message, offset: offset)
    }
  }

  /// Checks the record of an object.
  mutating func verify(
    _ record: OpenedRecord, object: ArchiveObjectID
  ) throws(ArchiveError) {
    let wasCanonical = isCanonical
    if !stack.isEmpty { stack.removeAll(keepingCapacity: true) }
    var current = begin(record)
    do throws(ArchiveError) {
      try record.checkValueCount(valueCount)
      while true {
        if let child = try advance(&current) {
          stack.append(current)
          current = child
          continue
        }
        try finish(current)
        guard let outer = stack.popLast() else { break }
        current = outer
      }
    } catch {
      throw located(error, current, object)
    }
    if wasCanonical, !isCanonical { nonCanonical = nonCanonical?.inObject(object) }
  }

  /// The error with the keys and indexes that lead to where it was found.
  private func located(
    _ error: ArchiveError, _ current: Frame, _ object: ArchiveObjectID
  ) -> ArchiveError {
    var error = error
    for frame in [current] + stack.reversed() { error = step(error, frame) }
    return error.inObject(object)
  }

  /// The error with the key or the index that a frame is at.
  private func step(_ error: ArchiveError, _ frame: Frame) -> ArchiveError {
    if frame.index == 0 { return error }
    guard case .record(let record) = frame.content else {
      return error.atElement(frame.index - 1)
    }
    let key = Int(record.shape.row.slots[frame.index - 1].key)
    return error.under(storage.tables.keys[key].name)
  }

  /// The number of the shape before the body is as short as it can be.
  @inline(__always)
  mutating func checkNumber(of record: OpenedRecord, in range: Range<Int>) {
    let byteCount = record.start &- range.lowerBound
    if byteCount != 1, byteCount != ShapeNumber.byteCount(of: Int(record.shape.row.number)) {
      note("the number of a shape takes more bytes than it has to", at: range.lowerBound)
    }
  }

  @inline(__always)
  private mutating func checkEndWidth(of record: OpenedRecord) {
    if !record.hasNarrowestEnds {
      note("the ends of payloads are wider than they have to be", at: record.start)
    }
  }

  private mutating func begin(_ record: OpenedRecord) -> Frame {
    let layout = record.shape.row.layout
    checkEndWidth(of: record)
    if let unused = layout.unusedBits,
      view.load(UInt8.self, at: record.start + Int(unused.offset)) & unused.mask != 0
    {
      note("unused bits are not zero", at: record.start + Int(unused.offset))
    }
    return Frame(.record(record))
  }

  /// Goes on to the next value that contains others, or to the end.
  private mutating func advance(_ frame: inout Frame) throws(ArchiveError) -> Frame? {
    let elements: StoredElements
    switch frame.content {
    case .record(let record):
      let slots = record.shape.row.slots
      var index = frame.index
      while index < slots.count {
        let slot = slots.reference(index).row
        index &+= 1
        // Most values are numbers, which may be any bits, or strings.
        if slot.traits == SlotRow.string {
          if view.isUTF8(record.payload(slot.placement, view)) { continue }
        } else if slot.traits & SlotRow.nullable == 0, slot.tag.hasFreeBits || slot.tag == .bool {
          continue
        }
        frame.index = index
        let isNil = slot.isNil(view, recordAt: record.start)
        if slot.tag.isBit {
          checkBit(slot, isNil: isNil, record)
          continue
        }
        let range = record.range(slot, view)
        if !slot.tag.isContainer || isNil {
          try checkPlain(slot.tag, isNil: isNil, range)
          continue
        }
        if slot.tag == .record, slot.cell < 0, slot.placement.nilMask == 0 {
          let (number, _) = try ShapeNumber.read(view, range)
          if number < shapes.count, shapes.reference(number).row.isInlinable {
            frame.hasCellOutside = true
          }
        }
        if let child = try open(slot.tag, range, shape: slot.cell) { return child }
      }
      frame.index = index
      return nil
    case .elements(let stored): elements = stored
    }
    if try check(whole: elements) {
      frame.index = elements.count
      frame.elementTag = elements.tag
      return nil
    }
    while frame.index < elements.count {
      let index = frame.index
      frame.index += 1
      let tag = elements.tag(of: index, view)
      let isNil = tag == .null || elements.isNil(index, view)
      if isNil {
        frame.hasNil = true
      } else {
        if let other = frame.elementTag, other != tag { frame.isMixed = true }
        frame.elementTag = tag
      }
      let range = elements.range(of: index, view)
      if !tag.isContainer || isNil {
        try checkPlain(tag, isNil: isNil, range)
        continue
      }
      if elements.tag == .any, tag == .record || tag == .enumeration {
        let (shape, _) = try ShapeNumber.read(view, range)
        if frame.shape >= 0, frame.shape != shape { frame.hasSeveralShapes = true }
        frame.shape = shape
      }
      if let child = try open(tag, range, shape: elements.content) { return child }
    }
    return nil
  }

  /// Checks elements that need no look at each; false for others.
  private mutating func check(whole elements: StoredElements) throws(ArchiveError) -> Bool {
    // Numbers may be any bits.
    if elements.areNumbers { return true }
    if elements.areCells {
      let shape = shapes.reference(Int(elements.content))
      guard shape.row.hasOnlyNumbers else { return false }
      try checkDepth(1 + Int(shape.row.layout.depth), elements.start)
      try checkShape(shape.row, at: elements.start)
      return true
    }
    if elements.areRows {
      try checkDepth(2, elements.start)
      if ArchiveTag(rawValue: UInt8(elements.content)).kind == nil { hasUnknown = true }
      return true
    }
    if elements.tag.isBit {
      if elements.tag.kind == nil { hasUnknown = true }
      return true
    }
    return false
  }

  /// Checks that a value which lies so many levels below the one that is gone through may be there.
  private func checkDepth(_ levels: Int, _ offset: Int) throws(ArchiveError) {
    if stack.count + levels >= nestingDepth {
      throw ArchiveError.nestedTooDeep(storage.limits, offset: offset)
    }
  }

  /// Checks a value of one bit, or a nil.
  private mutating func checkBit(_ slot: SlotRow, isNil: Bool, _ record: OpenedRecord) {
    let offset = record.start + Int(slot.placement.offset)
    if !isNil {
      if slot.tag.kind == nil { hasUnknown = true }
    } else if view.load(UInt8.self, at: offset) & slot.placement.bit != 0 {
      note("the slot of a nil is not zero", at: offset)
    }
  }

  /// Checks a value that contains no others, or a nil.
  @inline(__always)
  private mutating func checkPlain(
    _ tag: ArchiveTag, isNil: Bool, _ range: Range<Int>
  ) throws(ArchiveError) {
    // Strings are met most.
    if !isNil, tag == .string, view.isUTF8(range) { return }
    try checkAnyPlain(tag, isNil: isNil, range)
  }

  @inline(never)
  private mutating func checkAnyPlain(
    _ tag: ArchiveTag, isNil: Bool, _ range: Range<Int>
  ) throws(ArchiveError) {
    if isNil {
      let isEmpty = tag.isVariable ? range.isEmpty : view.isZero(range)
      if !isEmpty { note("the slot of a nil is not zero", at: range.lowerBound) }
      return
    }
    switch tag.kind {
    case .null: note("a nil has no nil bit", at: range.lowerBound)
    case .string, .url:
      guard view.isUTF8(range) else {
        throw ArchiveError.badText(range)
      }
    case .reference:
      let id = view.reference(range)
      if id > highestReference.number {
        highestReference = (id, range.lowerBound)
        _ = try storage.object(id, at: range.lowerBound)
      }
    case .conditionalReference:
      let number = view.reference(range)
      if number > highestConditional.number { highestConditional = (number, range.lowerBound) }
      try storage.checkConditional(number)
    case .bool, .signed, .unsigned, .floatingPoint, .date, .uuid, .bytes, .any, .record,
      .enumeration,
      .array, .dictionary, .set:
      break
    case nil: hasUnknown = true
    }
  }

  /// Begins a value that may contain others; nil when there is nothing more to check in it.
  private mutating func open(
    _ tag: ArchiveTag, _ range: Range<Int>, shape: Int32 = -1
  ) throws(ArchiveError) -> Frame? {
    // The current one lies in those on the list, and this one in it.
    switch tag.kind {
    case .record, .enumeration:
      try checkDepth(1, range.lowerBound)
      return try openRecord(tag, range, shape: shape)
    case .array where !ArrayForm.isUnknown(tag, view, range):
      try checkDepth(1, range.lowerBound)
      return try begin(StoredElements(view, shapes, range))
    case .set, .dictionary:
      try checkDepth(1, range.lowerBound)
      return try beginSorted(tag, range)
    default:
      hasUnknown = true
      return nil
    }
  }

  private mutating func openRecord(
    _ tag: ArchiveTag, _ range: Range<Int>, shape: Int32
  ) throws(ArchiveError) -> Frame? {
    let record: OpenedRecord
    if shape >= 0 {
      record = try OpenedRecord(view, shapes.reference(Int(shape)), range)
    } else {
      record = try OpenedRecord(view, shapes, range)
      checkNumber(of: record, in: range)
      try record.checkKind(tag)
    }
    try record.checkValueCount(valueCount)
    if record.shape.row.hasOnlyNumbers {
      // It ends with its last slot, and any bits are numbers.
      try checkDepth(Int(record.shape.row.layout.depth), record.start)
      checkEndWidth(of: record)
      try checkShape(record.shape.row, at: record.start)
      return nil
    }
    if record.shape.row.layout.hasContainer { return begin(record) }
    var child = begin(record)
    // Nothing is nested in this one, so it need not wait on the list.
    do throws(ArchiveError) {
      _ = try advance(&child)
      try finish(child)
    } catch {
      throw step(error, child)
    }
    return nil
  }

  private mutating func begin(_ elements: StoredElements) -> Frame? {
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
    return Frame(.elements(elements))
  }

  /// A set, or a dictionary: its keys contain nothing and are checked at once.
  private mutating func beginSorted(
    _ tag: ArchiveTag, _ range: Range<Int>
  ) throws(ArchiveError) -> Frame? {
    let sorted = SortedElements(view, shapes)
    if tag == .set { return begin(try sorted.members(range)) }
    if ArrayForm.isUnknown(tag, view, range) {
      hasUnknown = true
      try check(keys: sorted.keys(range))
      return nil
    }
    let entries = try sorted.entries(range)
    try check(keys: entries.keys)
    noteHeader(of: range, keys: entries.keys)
    return begin(entries.values)
  }

  private mutating func check(keys: StoredElements) throws(ArchiveError) {
    guard var keys = begin(keys) else { return }
    while try advance(&keys) != nil {}
    try finish(keys)
  }

  /// The length of the keys is as narrow as it can be.
  private mutating func noteHeader(of range: Range<Int>, keys: StoredElements) {
    if range.isEmpty { return }
    let width = EndWidth.inside(range.count)
    if EndWidth.smallest(of: 1, besides: range.upperBound - keys.start) != width {
      note("the length of keys is wider than it has to be", at: range.lowerBound)
    }
  }

  /// Shapes are numbered as the first record of each is completed.
  @inline(__always)
  private mutating func checkShape(_ shape: ShapeRow, at offset: Int) throws(ArchiveError) {
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

  /// Checks what is known when a record or an array has been gone through.
  private mutating func finish(_ frame: Frame) throws(ArchiveError) {
    let elements: StoredElements
    switch frame.content {
    case .record(let record):
      let shape = record.shape.row
      if frame.hasCellOutside || shape.number >= ShapeEntry.inlineCount {
        try noteOutline(of: record, hasCellOutside: frame.hasCellOutside)
      }
      return try checkShape(shape, at: record.start)
    case .elements(let stored): elements = stored
    }
    // Elements that share a tag are packed, and there are nil bits only if there is a nil.
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

// Which records lie in their slots (Spec/archive.md, 5.4).
extension RecordVerification {
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
      guard slot.tag == .record, slot.cell < 0, slot.placement.nilMask == 0 else { continue }
      let (number, _) = try ShapeNumber.read(view, record.payload(slot.placement, view))
      guard shapes.reference(number).row.isInlinable else { continue }
      shape.slots[index].tag = .inline
      shape.slots[index].cell = Int32(truncatingIfNeeded: number)
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

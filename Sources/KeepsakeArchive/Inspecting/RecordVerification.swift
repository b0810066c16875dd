/// Checks every value of a record with all that is nested in it, by a list of what is still to be
/// done and not by recursion (Spec/archive.md, section 5).
///
/// Only what has something to be gone through that contains more takes a place on the list: a record of
/// numbers and texts, or an array of them, is checked where it is met.
struct RecordVerification {
  /// Where a record is gone through.
  struct Place: BitwiseCopyable {
    /// The number of the next look, and of the one after the last.
    var look: Int32
    let end: Int32
    /// The slot that is looked at, or -1.
    var slot: Int32 = -1
    /// Whether a record of a fixed width does not lie in its slot.
    var hasCellOutside = false
  }

  /// A record or an array that is being gone through.
  struct Frame: BitwiseCopyable {
    enum Content: BitwiseCopyable {
      case record(OpenedRecord)
      case elements(StoredElements)
    }

    let content: Content
    /// At which level of values it lies; that of an object is 1.
    let level: Int
    /// Of a record.
    var place: Place
    /// The next element of an array.
    var index = 0
    /// The tag of the elements so far that are not nil, and whether there were two.
    var elementTag: ArchiveTag?
    var isMixed = false
    var hasNil = false
    /// The number of the shape of the first record, and whether another one has another shape.
    var shape = -1
    var hasSeveralShapes = false

    init(_ record: OpenedRecord, _ place: Place, level: Int) {
      content = .record(record)
      self.place = place
      self.level = level
    }

    init(_ elements: StoredElements, level: Int) {
      content = .elements(elements)
      place = Place(look: 0, end: 0)
      self.level = level
    }
  }

  private(set) var storage: ArchiveStorage
  // What every record needs, beside the storage that has it: a look into that one counts references.
  private(set) var view: ByteView
  private(set) var shapes: RawSlice<ShapeRow>
  private let nestingDepth: Int
  let valueCount: Int?
  private var looks = ShapeLooks()
  private var stack: [Frame] = []
  /// The shapes that the segments so far declare.
  var knownShapes = 0
  /// The shapes that have been met; the next new one has this number.
  var shapeCount = 0
  /// The highest number that was referred to, and where: of a stream, whether it exists is known at
  /// its end.
  var highestReference: (number: UInt32, offset: Int) = (0, 0)
  var highestConditional: (number: UInt32, offset: Int) = (0, 0)
  /// The numbers of shapes that were met, as far as they were needed.
  var numbers: [ShapeEntry: Int] = [:]
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
  @inline(never)
  mutating func note(_ message: String, at offset: Int) {
    if isCanonical {
      isCanonical = false
      nonCanonical = ArchiveError(.nonCanonical, message, offset: offset)
    }
  }

  /// Whether nothing can be wrong in further objects of a shape that one was of, if all have one width.
  mutating func isDone(withShape number: Int) -> Bool {
    number < shapeCount && looks.range(number, shapes, isFirst: false).isEmpty
  }

  /// Checks the record of an object.
  mutating func verify(
    _ record: OpenedRecord, object: ArchiveObjectID
  ) throws(ArchiveError) {
    let wasCanonical = isCanonical
    do throws(ArchiveError) {
      if let frame = try pass(record, level: 1) { try goThrough(frame) }
    } catch {
      throw error.inObject(object)
    }
    if wasCanonical, !isCanonical { nonCanonical = nonCanonical?.inObject(object) }
  }

  /// Goes through a record, and all that is nested in it.
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
        try finish(current)
        guard let outer = stack.popLast() else { break }
        current = outer
      }
    } catch {
      var error = error
      for frame in stack.reversed() { error = located(error, frame) }
      throw error
    }
  }

  /// The error with the key or the index of a frame on the list, in which it was found.
  private func located(_ error: ArchiveError, _ frame: Frame) -> ArchiveError {
    switch frame.content {
    case .record(let record): located(error, record, frame.place)
    case .elements: error.atElement(frame.index - 1)
    }
  }

  /// The error with the key that a record is gone through at.
  private func located(
    _ error: ArchiveError, _ record: OpenedRecord, _ place: Place
  ) -> ArchiveError {
    if place.slot < 0 { return error }
    let key = Int(record.shape.row.slots[Int(place.slot)].key)
    return error.under(storage.tables.keys[key].name)
  }

  /// Goes on to the next value that takes a place on the list, or to the end.
  private mutating func advance(_ frame: inout Frame) throws(ArchiveError) -> Frame? {
    guard case .record(let record) = frame.content else { return try nextElement(&frame) }
    do throws(ArchiveError) {
      while try !pass(record, &frame.place, level: frame.level) {
        if let child = try open(next: record, &frame.place, level: frame.level) { return child }
      }
    } catch {
      throw located(error, record, frame.place)
    }
    return nil
  }

  // MARK: Records

  /// Checks a record whose extents are known, but for what is in it that takes a place on the list; then
  /// it is returned to take one itself.
  @inline(__always)
  mutating func pass(_ record: OpenedRecord, level: Int) throws(ArchiveError) -> Frame? {
    try record.checkValueCount(valueCount)
    let shape = record.shape
    let number = Int(shape.row.number)
    let range = looks.range(number, shapes, isFirst: number >= shapeCount)
    if !record.hasNarrowestEnds {
      note("the ends of payloads are wider than they have to be", at: record.start)
    }
    if level + Int(shape.row.layout.depth) - 1 > nestingDepth {
      throw nestedTooDeep(record, level: level)
    }
    var place = Place(look: range.lowerBound, end: range.upperBound)
    do throws(ArchiveError) {
      if try !pass(record, &place, level: level) { return Frame(record, place, level: level) }
    } catch {
      throw located(error, record, place)
    }
    try finish(record, hasCellOutside: false)
    return nil
  }

  /// The error of the first record in a slot that lies too deep.
  private func nestedTooDeep(_ record: OpenedRecord, level: Int) -> ArchiveError {
    let slots = record.shape.row.slots
    for index in 0..<slots.count where slots[index].cell >= 0 {
      let depth = Int(shapes.reference(Int(slots[index].cell)).row.layout.depth)
      if level + depth > nestingDepth {
        return located(
          .nestedTooDeep(storage.limits, offset: record.range(slots[index], view).lowerBound),
          record, Place(look: 0, end: 0, slot: Int32(index)))
      }
    }
    return .nestedTooDeep(storage.limits, offset: record.start)
  }

  /// Goes on in a record to its end, or to a value that may take a place on the list.
  ///
  /// - Returns: Whether the end was reached.
  private mutating func pass(
    _ record: OpenedRecord, _ place: inout Place, level: Int
  ) throws(ArchiveError) -> Bool {
    let slots = record.shape.row.slots
    while place.look < place.end {
      let look = looks[Int(place.look)]
      if look.kind == .unusedBits {
        place.look &+= 1
        let offset = record.start &+ Int(look.last)
        if view.load(UInt8.self, at: offset) & look.mask != 0 {
          note("unused bits are not zero", at: offset)
        }
        continue
      }
      place.slot = look.slot
      let slot = slots.reference(Int(look.slot)).row
      switch look.kind {
      case .texts: try checkTexts(record, look, &place)
      case .emptyNil, .unusedBits:
        if slot.isNil(view, recordAt: record.start) {
          checkNil(slot.tag, record.range(slot, view))
        }
      case .fixed: try checkFixed(slot, record)
      case .cell:
        // At most eight of them lie inside each other.
        let body = record.range(slot, view)
        let cell = OpenedRecord(
          cell: shapes.reference(Int(slot.cell)), at: body.lowerBound, byteCount: body.count)
        _ = try pass(cell, level: level + 1)
      case .array:
        if slot.isNil(view, recordAt: record.start) {
          checkNil(slot.tag, record.range(slot, view))
        } else if level >= nestingDepth
          || !view.isPlainNumbers(record.payload(slot.placement, view))
        {
          return false
        }
      case .container: return false
      }
      place.look &+= 1
    }
    place.slot = -1
    return true
  }

  /// Opens the next value of a record, which can contain others.
  private mutating func open(
    next record: OpenedRecord, _ place: inout Place, level: Int
  ) throws(ArchiveError) -> Frame? {
    let look = looks[Int(place.look)]
    place.look += 1
    let slot = record.shape.row.slots.reference(Int(look.slot)).row
    let range = record.payload(slot.placement, view)
    if slot.isNil(view, recordAt: record.start) {
      checkNil(slot.tag, range)
      return nil
    }
    if slot.tag == .record, slot.placement.nilMask == 0 {
      let (number, _) = try ShapeNumber.read(view, range)
      if number < shapes.count, shapes.reference(number).row.isInlinable {
        place.hasCellOutside = true
      }
    }
    return try open(slot.tag, range, level: level + 1)
  }

  private mutating func finish(_ frame: Frame) throws(ArchiveError) {
    switch frame.content {
    case .record(let record):
      try finish(record, hasCellOutside: frame.place.hasCellOutside)
    case .elements(let elements): noteForm(of: elements, frame)
    }
  }

  /// Checks that a value at a level may be there.
  @inline(__always)
  func checkLevel(_ level: Int, _ offset: Int) throws(ArchiveError) {
    if level > nestingDepth {
      throw ArchiveError.nestedTooDeep(storage.limits, offset: offset)
    }
  }
}

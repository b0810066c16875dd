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
    /// The slot that is looked at.
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
  // Copies of what the storage has: to read them there would count references for every record.
  private(set) var view: ByteView
  private(set) var shapes: RawSlice<ShapeRow>
  private let nestingDepth: Int
  let valueCount: Int?
  private var looks = ShapeLooks()
  private var stack: [Frame] = []
  /// The number of shapes that the segments so far declare.
  var knownShapes = 0
  /// The highest number that was referred to, and where: a stream tells at its end whether it exists.
  var highestReference: (number: UInt32, offset: Int) = (0, 0)
  var highestConditional: (number: UInt32, offset: Int) = (0, 0)
  /// True when there was a value of an unknown kind.
  var hasUnknown = false

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

  /// True when any bytes are a sound record of a shape, as long as their number is right.
  mutating func isSound(shape number: Int) -> Bool { looks.range(number, shapes).isEmpty }

  /// Checks the record of an object.
  mutating func verify(
    _ record: OpenedRecord, object: ArchiveObjectID
  ) throws(ArchiveError) {
    do throws(ArchiveError) {
      if let frame = try pass(record, level: 1) { try goThrough(frame) }
    } catch {
      throw error.inObject(object)
    }
  }

  /// Checks a record, with all nested values.
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

  /// Goes on to the next value that gets an entry in the list, or to the end.
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
      throw ArchiveError(
        .damaged, "a record names a shape of a later segment", offset: offset)
    }
  }

  /// The error of the first inline record that is nested too deep.
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

  /// Goes on in a record to its end, or to a value that may get an entry in the list.
  ///
  /// - Returns: True at the end.
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
          cell: shapes.reference(Int(slot.cell)), at: body.lowerBound, byteCount: body.count)
        _ = try pass(cell, level: level + 1)
      case .array:
        if !slot.isNil(view, recordAt: record.start),
          level >= nestingDepth || !view.isPlainNumbers(record.payload(slot.placement, view))
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

  /// Checks that a value at a level may be there.
  @inline(__always)
  func checkLevel(_ level: Int, _ offset: Int) throws(ArchiveError) {
    if level > nestingDepth {
      throw ArchiveError.nestedTooDeep(storage.limits, offset: offset)
    }
  }
}

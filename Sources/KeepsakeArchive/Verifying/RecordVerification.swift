/// Checks every value of a record for damage, with all nested values (Spec/archive.md, section 5).
///
/// Nearly every record is sound, and a quick walk finds that out (``isSound(_:level:)``). Any other record is gone
/// through value by value, to find the error and its place. This walk keeps a list of the containers that are open,
/// and does not recurse.
struct RecordVerification {
  /// A record or an array that is being checked.
  private struct Frame: BitwiseCopyable {
    enum Content: BitwiseCopyable {
      case record(OpenedRecord)
      case elements(StoredElements)
    }

    let content: Content
    /// The level of the value; that of an object is 1.
    let level: Int
    /// The index of the next slot or element.
    var next = 0
  }

  private(set) var storage: ArchiveStorage
  // Copies of fields of the storage: reading them there would count references for every record.
  private(set) var view: ByteView
  private(set) var shapes: RawSlice<ShapeRow>
  let nestingDepth: Int
  let valueCount: Int?
  var looks = ShapeLooks()
  /// The number of shapes that the segments so far declare.
  var knownShapes = 0
  /// The highest referenced number and its offset; in a stream, only the end shows whether the object exists.
  private(set) var highestReference: (number: UInt32, offset: Int) = (0, 0)
  private(set) var highestConditional: (number: UInt32, offset: Int) = (0, 0)
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
      try goThrough(begin(record, level: 1))
    } catch {
      throw error.inObject(object)
    }
  }

  private mutating func goThrough(_ outermost: Frame) throws(ArchiveError) {
    var open = [outermost]
    do throws(ArchiveError) {
      while !open.isEmpty {
        if let child = try advance(&open[open.count - 1]) {
          open.append(child)
        } else {
          open.removeLast()
        }
      }
    } catch {
      throw open.reversed().reduce(error) { located($0, $1) }
    }
  }

  /// The error with the key or the index of the value that is being checked in a container.
  private func located(_ error: ArchiveError, _ frame: Frame) -> ArchiveError {
    switch frame.content {
    case .record(let record):
      let key = Int(record.shape.row.slots[frame.next - 1].key)
      return error.under(storage.tables.keys[key].name)
    case .elements: return error.atElement(frame.next - 1)
    }
  }

  /// Checks the values of a container up to the next one that can contain others, and begins that one; nil at the end.
  private mutating func advance(_ frame: inout Frame) throws(ArchiveError) -> Frame? {
    switch frame.content {
    case .record(let record):
      let slots = record.shape.row.slots
      while frame.next < slots.count {
        let slot = slots[frame.next]
        frame.next += 1
        if slot.isNil(view, recordAt: record.start) { continue }
        let (range, content) = (record.range(slot, view), StatedContent(slot.cell))
        if let child = try check(slot.tag, range, content, level: frame.level + 1) { return child }
      }
    case .elements(let elements):
      while frame.next < elements.count {
        let index = frame.next
        frame.next += 1
        let tag = elements.tag(of: index, view)
        if tag == .null || elements.isNil(index, view) { continue }
        let (range, content) = (elements.range(of: index, view), elements.content)
        if let child = try check(tag, range, content, level: frame.level + 1) { return child }
      }
    }
    return nil
  }

  /// Checks a value that is not nil, and returns the frame of a container that is not checked completely yet.
  private mutating func check(
    _ tag: ArchiveTag, _ range: Range<Int>, _ content: StatedContent, level: Int
  ) throws(ArchiveError) -> Frame? {
    switch tag.kind {
    case .record, .enumeration:
      try checkLevel(level, range.lowerBound)
      if content.isStated {
        return try begin(
          OpenedRecord(view, shapes.reference(content.shape), range), level: level)
      }
      let record = try OpenedRecord(view, shapes, range)
      try record.checkKind(tag)
      return try begin(record, level: level)
    case .array where !ArrayForm.isUnknown(tag, view, range):
      try checkLevel(level, range.lowerBound)
      return try begin(StoredElements(view, shapes, range), level: level)
    case .set:
      try checkLevel(level, range.lowerBound)
      return try begin(SortedElements(view, shapes).members(range), level: level)
    case .dictionary:
      try checkLevel(level, range.lowerBound)
      return try beginDictionary(range, level: level)
    case .array: hasUnknown = true
    default: try checkPlain(tag, range)
    }
    return nil
  }

  private func begin(_ record: OpenedRecord, level: Int) throws(ArchiveError) -> Frame {
    try record.checkValueCount(valueCount)
    if Int(record.shape.row.number) >= knownShapes {
      throw .damaged("a record names a shape of a later segment", at: record.start)
    }
    return Frame(content: .record(record), level: level)
  }

  private mutating func begin(
    _ elements: StoredElements, level: Int
  ) throws(ArchiveError) -> Frame? {
    if elements.areNumbers { return nil }
    if elements.areRows {
      try checkLevel(level + 1, elements.start)
      if elements.content.numbers.kind == nil { hasUnknown = true }
      return nil
    }
    return Frame(content: .elements(elements), level: level)
  }

  /// Checks the keys of a dictionary, which contain no other values, and begins its values.
  private mutating func beginDictionary(
    _ range: Range<Int>, level: Int
  ) throws(ArchiveError) -> Frame? {
    let sorted = SortedElements(view, shapes)
    if ArrayForm.isUnknown(.dictionary, view, range) {
      hasUnknown = true
      if let keys = try begin(sorted.keys(range), level: level) { try goThrough(keys) }
      return nil
    }
    let entries = try sorted.entries(range)
    if let keys = try begin(entries.keys, level: level) { try goThrough(keys) }
    return try begin(entries.values, level: level)
  }

  /// Checks that a value may be nested at a level.
  private func checkLevel(_ level: Int, _ offset: Int) throws(ArchiveError) {
    if level > nestingDepth {
      throw ArchiveError(nesting: "values", storage.limits, offset: offset)
    }
  }

  /// Checks a value that contains no others and is not nil.
  mutating func checkPlain(_ tag: ArchiveTag, _ range: Range<Int>) throws(ArchiveError) {
    switch tag.kind {
    case .string, .url:
      guard view.isUTF8(range) else { throw ArchiveError.badText(range) }
    case .reference:
      let id = view.reference(range)
      if id > highestReference.number {
        _ = try storage.object(id, at: range.lowerBound)
        highestReference = (id, range.lowerBound)
      }
    case .conditionalReference:
      let number = view.reference(range)
      if number > highestConditional.number { highestConditional = (number, range.lowerBound) }
      try storage.checkConditional(number)
    case nil: hasUnknown = true
    default: break
    }
  }
}

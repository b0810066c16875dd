/// Writes one value of nested records and arrays whose parts are encoded in any order.
///
/// An ``ObjectEncoder`` keeps the order of the calls. `Codable` writes the keys of a record in any order, the archive
/// stores them in the order of their bytes, and nothing tells how long an array will be (Spec/archive.md, section 9).
/// So the parts of an open container are kept as entries, with the payloads one after the other among the bytes, and
/// are put in their places when the container ends. Each type of keys has its own root in the plan: a record like the
/// one before costs one comparison and one store for each value.
///
/// A value is identified by its serial number. Most calls return false when that value cannot be written to at the moment.
@usableFromInline
package struct RecordAssembler: ~Copyable {
  /// A key of a record that the plan does not follow.
  struct ListedKey {
    var key: ArchiveKey
    var signature: StepSignature

    /// The same key with an `Int` or `UInt` of 64 bits, or of 32.
    func integer(isWide: Bool) -> ListedKey {
      ListedKey(key: key, signature: signature.integer(isWide: isWide))
    }
  }

  /// The writer of the archive; an idle one between two archives.
  var writer = ArchiveWriter.idle
  var frame: AssemblyFrame
  /// The frames of the values around it, the outermost first.
  var outer = RawTable<AssemblyFrame>(capacity: 6)
  /// The parts of the values that are open, those of the innermost last.
  var entries = RawTable<StagedEntry>(capacity: 32)
  /// The keys of the open records that the plan does not follow.
  var listed: [ListedKey] = []
  /// The keys of the nested values that are open, the innermost last; an element of an array has an empty key.
  private var nestedKeys: [String] = []
  /// The nested values in values that are not complete.
  private var nested = RawTable<NestedValue>(capacity: 0)
  var scratch = ByteBuffer(capacity: 0)
  /// True when shapes were made in another order than the order of the bytes.
  var areShapesOutOfOrder = false
  /// The root, in the plan, of the steps of stored records, whose type has no name.
  private(set) var root = EncodingPlan.none
  private(set) var firstShape = 0
  /// The serial number that was given last; it is not reset between archives, so that a value of one archive is never
  /// taken for a value of another.
  private var lastSerial = 0

  init() { frame = AssemblyFrame.object(mark: 0) }

  var encoder: ObjectEncoder {
    @inline(__always)
    _read { yield writer.encoder }
    @inline(__always)
    _modify { yield &writer.encoder }
  }

  /// True when no value is open, and little memory is kept.
  package var isClear: Bool {
    outer.count == 0 && entries.count == 0 && listed.isEmpty && nestedKeys.isEmpty
      && nested.count == 0
      && outer.capacity <= 64 && entries.capacity <= 2048 && scratch.capacity <= 1 << 14
      && listed.capacity <= 64 && nested.capacity <= 1024
  }

  // MARK: One archive

  /// Begins to assemble the value of an object that the writer has begun.
  fileprivate mutating func start(_ writer: consuming ArchiveWriter) {
    self.writer = writer
    // The object has one payload, and nothing before it.
    if encoder.frame.tail != encoder.frame.start { encoder.moveTail(to: encoder.frame.start) }
    root = encoder.plan.root(typeName: "", schemaVersion: 0, writer: 0)
    firstShape = encoder.shapes.tables.counts.shapes
    frame = AssemblyFrame.object(mark: encoder.bytes.count)
    areShapesOutOfOrder = false
  }

  fileprivate mutating func finish(forKey key: ArchiveKey) -> ArchiveWriter {
    let entry = endValue()
    numberShapes(of: entry)
    encoder.encode(assembled: entry, forKey: key)
    return takeWriter()
  }

  fileprivate mutating func takeWriter() -> ArchiveWriter {
    var taken = ArchiveWriter.idle
    swap(&taken, &writer)
    return taken
  }

  // MARK: Beginning and ending values

  /// The serial number of the value that was begun last.
  package var serial: Int { frame.serial }

  /// Begins a value within the container that is open, and returns its serial number.
  package mutating func begin() -> Int {
    outer.append(frame)
    let isQuiet = frame.isQuiet
    lastSerial &+= 1
    frame = AssemblyFrame(
      serial: lastSerial, openSerial: lastSerial, depth: frame.depth &+ 1,
      firstEntry: entries.count, firstKey: listed.count, shapeMark: encoder.shapes.steps.count,
      mark: encoder.bytes.count)
    frame.isQuiet = isQuiet
    return lastSerial
  }

  /// Takes back the value that was begun last, and the nested values that are open in it.
  package mutating func drop() {
    while frame.isNested {
      nestedKeys.removeLast()
      leaveValue()
    }
    encoder.bytes.truncate(to: frame.mark)
    encoder.numberArrays.drop(from: frame.mark)
    if encoder.shapes.steps.count > frame.shapeMark { areShapesOutOfOrder = true }
    leaveValue()
  }

  private mutating func leaveValue() {
    entries.truncate(to: frame.firstEntry)
    if listed.count > frame.firstKey {
      listed.removeLast(listed.count - frame.firstKey)
    }
    if !frame.isNested {
      while nested.count > 0, nested[nested.count - 1].owner >= frame.serial {
        _ = nested.removeLast()
      }
    }
    frame = outer.removeLast()
  }

  /// Completes the open value, and goes back to the value around it.
  private mutating func endValue() -> StagedEntry {
    let entry: StagedEntry
    switch frame.content {
    case .single: entry = entries[frame.firstEntry]
    case .keyed: entry = endKeyed()
    case .listed: entry = endListed()
    case .array:
      let values = endArray()
      entry = frame.dictionary == AssemblyFrame.noDictionary ? values : endDictionary()
    case .empty, .irregular:
      // A value that encodes nothing is a record without keys.
      frame.content = .empty
      entry = openKeyed(root) ? endKeyed() : .null
    }
    leaveValue()
    return entry
  }

  /// Ends the value that was begun last and puts it under a key; `omitsNil` says that a nil would have been omitted.
  package mutating func end(forKey key: String, omitsNil: Bool = false) {
    var entry = endValue()
    entry.omitsNil = omitsNil
    put(entry, forKey: key)
  }

  package mutating func endElement() {
    let entry = endValue()
    append(entry)
  }

  /// Ends the value that was begun last and takes it back, for callers that compare values.
  ///
  /// It returns the tag of the value and its bytes (Spec/archive.md, 5.6); nil for a value that contains others.
  package mutating func takeSimpleValue() -> EncodedMember? {
    let mark = frame.mark
    var entry = endValue()
    if entry.tag.isFlexible { entry.tag = entry.tag.integer(ofClass: 4) }
    defer {
      encoder.bytes.truncate(to: mark)
      encoder.numberArrays.drop(from: mark)
    }
    guard entry.tag == .null || entry.tag.isKeyable else {
      areShapesOutOfOrder = true
      return nil
    }
    var start = entry.start
    if !entry.tag.isVariable {
      start = encoder.bytes.count
      encoder.bytes.appendRoom(entry.tag.byteCount)
      encoder.bytes.store(entry, at: start)
    }
    let bytes = encoder.bytes.view.copy(start..<encoder.bytes.count)
    return EncodedMember(tag: entry.tag, bytes: bytes)
  }

  // MARK: The open value

  /// The tag of the open value; `null` before it has one.
  package var openTag: ArchiveTag {
    switch frame.content {
    case .single: entries[frame.firstEntry].tag
    case .array: frame.dictionary == AssemblyFrame.noDictionary ? .array : .dictionary
    case .keyed, .listed, .empty: .record
    case .irregular: .null
    }
  }

  /// True when the value that was begun last is in a value with nested values.
  ///
  /// An absent value has the tag of the first value of its type (Spec/archive.md, 5.3). Values in nested values, and
  /// after one in the same value, do not count as the first, so that it makes no difference whether the value around
  /// them is written at once or when it is complete.
  package var isInside: Bool { outer[outer.count - 1].isQuiet }

  /// True when the value that was begun last has nested values, and is not in a value that has.
  ///
  /// The getter is mutating, because a read of a noncopyable value through a class copies the whole value to the stack.
  package var hasNested: Bool { mutating get { frame.isQuiet && !isInside } }

  /// Announces that the value that was begun last will have nested values.
  package mutating func expectNested() { frame.isQuiet = true }

  /// The number of the plan, which no other plan has.
  package var planNumber: UInt64 { encoder.cache?.number ?? RecordAssembler.noPlanNumber }

  /// The number of a plan that is not kept for other archives.
  package static var noPlanNumber: UInt64 { 0 }

  /// The root of records with one type of keys, for ``openKeyed(_:)``.
  package mutating func root(ofKeys keys: ObjectIdentifier) -> Int {
    encoder.plan.root(ofKeys: keys)
  }

  /// Records an error when the open value is nested too deep to be a container.
  mutating func enterDepth() {
    if Int(frame.depth) > encoder.limits.nestingDepth {
      encoder.fail(ArchiveError(nesting: "values", encoder.limits))
    }
  }
}

// Values without a key. Payloads are appended where the bytes end.
extension RecordAssembler {
  /// Whether a value can be written to and has no content yet.
  private mutating func isEmpty(_ serial: Int) -> Bool {
    isCurrent(serial) && frame.content == .empty
  }

  /// Sets the content of the open value, which is empty.
  private mutating func set(_ entry: StagedEntry) -> Bool {
    frame.content = .single
    entries.append(entry)
    return true
  }

  package mutating func set(
    _ low: UInt64, _ high: UInt64 = 0, _ tag: ArchiveTag, of serial: Int
  ) -> Bool {
    isEmpty(serial) && set(StagedEntry(tag: tag, low: low, high: high))
  }

  package mutating func set(_ text: String, _ tag: ArchiveTag, of serial: Int) -> Bool {
    isEmpty(serial) && set(stage(text, tag))
  }

  package mutating func set(_ bytes: [UInt8], of serial: Int) -> Bool {
    isEmpty(serial) && set(stage(.bytes) { $0.bytes.append(scalars: bytes) })
  }

  package mutating func set<Scalar: BitwiseCopyable>(
    _ scalars: [Scalar], _ tag: ArchiveTag, of serial: Int
  ) -> Bool {
    isEmpty(serial) && set(stageContainer(.array) { $0.append(array: scalars, of: tag) })
  }

  /// Makes the value an array of `Int`, or of `UInt`, from their bits.
  package mutating func set(integers: [Int64], isSigned: Bool, of serial: Int) -> Bool {
    isEmpty(serial)
      && set(
        stageContainer(.array) { $0.append(integers: integers, tag: isSigned ? .int : .uint) })
  }

  package mutating func set(_ texts: [String], of serial: Int) -> Bool {
    isEmpty(serial) && set(stageContainer(.array) { $0.append(texts: texts) })
  }

  package mutating func set(members: SortedMembers, of serial: Int) -> Bool {
    isEmpty(serial)
      && set(stageContainer(.set) { if members.count > 0 { members.append(to: &$0) } })
  }

  private mutating func stage(_ text: String, _ tag: ArchiveTag) -> StagedEntry {
    stage(tag) { $0.bytes.append(utf8: text) }
  }

  @inline(__always)
  private mutating func stage(
    _ tag: ArchiveTag, _ append: (inout ObjectEncoder) -> Void
  ) -> StagedEntry {
    let start = encoder.bytes.count
    append(&encoder)
    return .payload(tag, start..<encoder.bytes.count)
  }

  @inline(__always)
  private mutating func stageContainer(
    _ tag: ArchiveTag, _ append: (inout ObjectEncoder) -> Void
  ) -> StagedEntry {
    enterDepth()
    return stage(tag, append)
  }
}

// Values under a key of the open record, and elements of the open array.
extension RecordAssembler {
  package mutating func put(
    _ bits: UInt64, high: UInt64 = 0, _ tag: ArchiveTag, forKey key: String, of serial: Int,
    omitsNil: Bool = false
  ) -> Bool {
    guard isCurrent(serial) else { return false }
    put(StagedEntry(tag: tag, omitsNil: omitsNil, low: bits, high: high), forKey: key)
    return true
  }

  /// Omits a value whose key still gets a slot (Spec/archive.md, 5.3).
  package mutating func putAbsent(_ tag: ArchiveTag, forKey key: String, of serial: Int) -> Bool {
    guard isCurrent(serial) else { return false }
    put(StagedEntry(tag: tag, omitsNil: true, isAbsent: true, low: 0, high: 0), forKey: key)
    return true
  }

  package mutating func put(
    _ text: String, _ tag: ArchiveTag, forKey key: String, of serial: Int,
    omitsNil: Bool = false
  ) -> Bool {
    guard isCurrent(serial) else { return false }
    var entry = stage(text, tag)
    entry.omitsNil = omitsNil
    put(entry, forKey: key)
    return true
  }

  package mutating func append(_ bits: UInt64, _ tag: ArchiveTag, to serial: Int) -> Bool {
    guard isCurrent(serial) else { return false }
    append(StagedEntry(tag: tag, low: bits, high: 0))
    return true
  }

  package mutating func append(_ text: String, _ tag: ArchiveTag, to serial: Int) -> Bool {
    guard isCurrent(serial) else { return false }
    let entry = stage(text, tag)
    append(entry)
    return true
  }
}

// Nested values: containers that a value opened by hand in its own containers. Nothing tells when one is complete. It
// ends when the container around it is written to again, or ends.
extension RecordAssembler {
  /// True when a value can be written to; ends the nested values in it.
  @inline(__always)
  package mutating func isCurrent(_ serial: Int) -> Bool {
    serial == frame.openSerial || frame.isNested && endNested(in: serial)
  }

  @inline(never)
  private mutating func endNested(in serial: Int) -> Bool {
    var index = outer.count - 1
    while outer[index].openSerial != serial {
      if !outer[index].isNested { return false }
      index -= 1
    }
    while outer.count > index {
      if exceedsShape {
        // The record is given up with the value that opened it, and ends as an empty record.
        _ = abandon(frame.serial)
        frame.content = .irregular
      }
      if let index = nestedIndex(of: frame.serial) { nested[index].count = frame.count }
      let key = nestedKeys.removeLast()
      let entry = endValue()
      if frame.content == .array { append(entry) } else { put(entry, forKey: key) }
    }
    return frame.openSerial == serial
  }

  /// Begins a nested value under a key of a record, and returns its serial number; nil if it cannot be written before
  /// the record is complete.
  package mutating func beginNested(forKey key: String, of serial: Int) -> Int? {
    guard isCurrent(serial), frame.content == .keyed,
      !encoder.plan.hasStep(key, upTo: Int(frame.step))
    else { return nil }
    return beginNested(key)
  }

  /// Begins a nested element of an array, and returns its serial number; nil if another value is the current one.
  package mutating func beginNestedElement(of serial: Int) -> Int? {
    guard isCurrent(serial), frame.content == .array else { return nil }
    return beginNested("")
  }

  private mutating func beginNested(_ key: String) -> Int? {
    // When a value begins with other parts, the first value of its type is encoded as a tree (`isInside`).
    guard frame.isQuiet || entries.count == frame.firstEntry else { return nil }
    frame.isQuiet = true
    nestedKeys.append(key)
    let owner = frame.isNested ? nested[nested.count - 1].owner : frame.serial
    let serial = begin()
    frame.isNested = true
    nested.append(NestedValue(serial: serial, owner: owner))
    return serial
  }

  /// Gives up a value, or the one that opened it by hand, so that later calls write nothing; false when it is complete.
  package mutating func abandon(_ serial: Int) -> Bool {
    let value = nestedIndex(of: serial).map { nested[$0].owner } ?? serial
    if frame.serial == value {
      frame.abandon()
      return true
    }
    for index in 0..<outer.count where outer[index].serial == value {
      outer[index].abandon()
      return true
    }
    return false
  }

  /// True while a value is neither complete nor given up.
  package func isOpen(_ serial: Int) -> Bool {
    frame.openSerial == serial || (0..<outer.count).contains { outer[$0].openSerial == serial }
  }

  /// The index of a nested value in a value that is not complete.
  private func nestedIndex(of serial: Int) -> Int? {
    var (low, high) = (0, nested.count)
    while low < high {
      let middle = (low + high) / 2
      if nested[middle].serial < serial { low = middle + 1 } else { high = middle }
    }
    return low < nested.count && nested[low].serial == serial ? low : nil
  }

  /// The number of elements of an array, which need not be the open value.
  package func elementCount(of serial: Int) -> Int {
    // An element that is open is not counted yet.
    for index in 0..<outer.count where outer[index].serial == serial {
      return outer[index].count
        + ((index + 1 < outer.count ? outer[index + 1] : frame).isNested ? 1 : 0)
    }
    if frame.serial == serial { return frame.count }
    return nestedIndex(of: serial).map { nested[$0].count } ?? 0
  }

  /// The number of elements in the container around a value with `level` values around it; nil when it is not an array.
  package func elementCount(aroundLevel level: Int) -> Int? {
    // The first frame is that of the object, the second that of the value at level 0.
    guard level > 0, level < outer.count else { return nil }
    let array = outer[level]
    return array.content == .array || array.content == .irregular ? array.count : nil
  }

  /// Counts an element of an array that was given up.
  package mutating func skipElement(of serial: Int) {
    if frame.serial == serial { return frame.count += 1 }
    for index in 0..<outer.count where outer[index].serial == serial {
      return outer[index].count += 1
    }
    if let index = nestedIndex(of: serial) { nested[index].count += 1 }
  }
}

struct AssemblyFrame: BitwiseCopyable {
  enum Content: UInt8 {
    case empty
    /// One value without a key.
    case single
    /// Values under keys, which the plan follows.
    case keyed
    /// Values under keys that are kept in a list, since they are many or rarely the same.
    case listed
    case array
    /// A value that has to be encoded in another way.
    case irregular
  }

  /// The number of the value, which no other value of the archive has.
  var serial: Int
  /// ``serial`` while the value can be written to, ``closed`` once it was given up.
  var openSerial: Int
  var content = Content.empty
  /// True for a nested value, which ends when the container around it is written to again or ends.
  var isNested = false
  /// True when values in it do not count as the first of their type (``RecordAssembler/isInside``).
  var isQuiet = false
  /// The tag that all elements of an array share; `any` when they have several tags, `null` before the first.
  var tag = ArchiveTag.null
  var hasNil = false
  /// The number of containers that are open around the value, including the record of the object.
  var depth: Int32
  /// The step of the plan that was taken last.
  var step = Int32(EncodingPlan.none)
  var root = Int32(EncodingPlan.none)
  /// The index of its first entry among the entries of all open values.
  var firstEntry: Int
  /// The index of its first key in the list of keys.
  var firstKey: Int
  /// The number of shapes that had been made before the value.
  var shapeMark: Int
  /// The offset of the container among the bytes.
  var start = 0
  /// The offset of its payloads; they may still be moved.
  var tail = 0
  var count = 0
  /// The offset of the dictionary that the values belong to, or ``noDictionary``.
  var dictionary = AssemblyFrame.noDictionary
  /// True when an `Int` or `UInt` of a record needs 64 bits.
  var isWide = false
  /// The shape that all elements of an array have.
  var shape = OptionalShape.none
  /// The number of bytes before the value was begun.
  var mark: Int

  /// The value of ``openSerial`` for a value that was given up.
  static var closed: Int { -1 }
  /// The value of ``dictionary`` for anything but the values of a dictionary.
  static var noDictionary: Int { -1 }

  static func object(mark: Int) -> AssemblyFrame {
    AssemblyFrame(
      serial: 0, openSerial: 0, depth: 1, firstEntry: 0, firstKey: 0, shapeMark: 0, mark: mark)
  }

  mutating func abandon() { (content, openSerial) = (.irregular, AssemblyFrame.closed) }
}

struct NestedValue: BitwiseCopyable {
  var serial: Int
  /// The serial number of the value that encodes itself and opened this one.
  var owner: Int
  /// The number of elements of an array that has ended.
  var count = 0
}

/// An assembler that the levels of one `Codable` encoder share, for one archive after the other.
@usableFromInline
package final class SharedAssembler {
  @usableFromInline let cell = Cell(RecordAssembler())

  package init() {}

  @inlinable
  package var value: RecordAssembler {
    @inline(__always)
    _read { yield cell.value }
    @inline(__always)
    _modify { yield &cell.value }
  }

  /// Writes an object with one value under one key, whose parts may come in any order.
  ///
  /// The closure begins one value of the assembler and fills it, and does not end it. An error loses the archive.
  package func writeObject(
    by writer: consuming ArchiveWriter, typeName: String, forKey key: ArchiveKey,
    _ body: () throws -> Void
  ) throws -> ArchiveWriter {
    let object = try writer.beginObject(typeName: typeName, schemaVersion: 0)
    value.start(writer)
    do {
      try body()
    } catch {
      _ = value.takeWriter()
      throw error
    }
    var writer = value.finish(forKey: key)
    try writer.endObject(object)
    return writer
  }
}

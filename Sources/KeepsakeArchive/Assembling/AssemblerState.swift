/// A value that is being assembled: what it turned out to be, and where its parts are.
struct AssemblyFrame: BitwiseCopyable {
  enum Content: UInt8 {
    /// Nothing was written yet.
    case empty
    /// One value without a key.
    case single
    /// Values under keys, which the plan follows.
    case keyed
    /// Values under keys that are kept in a list, since they are many or ever other ones.
    case listed
    /// Values in an array.
    case row
    /// A value that has to be encoded in another way.
    case irregular
  }

  /// The number of the value, which no other value of the archive has.
  var serial: Int
  /// ``serial`` while the value can be written to, ``closed`` once it was given up.
  var openSerial: Int

  /// The value of ``openSerial`` for a value that was given up.
  static var closed: Int { -1 }
  var content = Content.empty
  /// Whether it was opened by hand in the container around it, and ends when that one goes on or ends.
  var isNested = false
  /// Whether no value in it says what values of its type are stored as (``RecordAssembler/isInside``).
  var isQuiet = false
  /// The tag that all elements of an array share, `any` once there are two, `null` before the first.
  var tag = ArchiveTag.null
  var hasNil = false
  /// How many containers lie around the value, the object's record being the first.
  var depth: Int32
  /// The step of the plan that was taken last.
  var step: Int32 = 0
  /// The root of the steps.
  var root: Int32 = 0
  /// Where its entries begin among all.
  var firstEntry: Int
  /// Where its keys begin in the list of keys.
  var firstKey: Int
  /// How many shapes had been met before.
  var shapeMark: Int
  /// Where the container begins among the bytes.
  var start = 0
  /// Where its payloads begin, for now.
  var tail = 0
  /// How many elements an array has.
  var count = 0
  /// Where the dictionary begins whose values these are, or ``noDictionary``.
  var dictionary = AssemblyFrame.noDictionary

  /// The value of ``dictionary`` for anything but the values of a dictionary.
  static var noDictionary: Int { -1 }
  /// Whether an `Int` or `UInt` of a record needs 64 bits.
  var isWide = false
  /// The shape that all elements of an array have.
  var shape = OptionalShape.none
  /// The bytes before anything was written.
  var mark: Int
}

/// A value that was opened by hand.
struct NestedValue: BitwiseCopyable {
  var serial: Int
  /// The value that encodes itself and opened it.
  var owner: Int
  /// How many elements it has, if it is an array that has ended.
  var count = 0
}

/// What a ``RecordAssembler`` has so far.
struct AssemblerState: ~Copyable {
  /// A key of a record whose keys the plan does not follow.
  struct ListedKey {
    var key: ArchiveKey
    var signature: StepSignature

    /// The same key with an `Int` or `UInt` of 64 bits, or of 32.
    func integer(isWide: Bool) -> ListedKey {
      ListedKey(key: key, signature: signature.integer(isWide: isWide))
    }
  }

  var encoder: ObjectEncoder
  var frame: AssemblyFrame
  /// The frames around the one that is open.
  var outer = RawTable<AssemblyFrame>(capacity: 6)
  var entries = RawTable<StagedEntry>(capacity: 32)
  var listed: [ListedKey] = []
  /// The keys of the values that were opened by hand, the innermost last; of one in an array nothing.
  var nestedKeys: [String] = []
  /// What was opened by hand in values that are not complete.
  var nested = RawTable<NestedValue>(capacity: 0)
  var scratch = ByteBuffer(capacity: 0)
  /// Whether shapes were met in another order than that in which the bytes now have them.
  var areShapesOutOfOrder = false
  /// Where the plan begins for records as they are stored.
  private(set) var root = 0
  /// The number of the first shape of the value.
  private(set) var firstShape = 0
  /// It goes on from one archive to the next, so that nothing of one is taken for something of another.
  private var lastSerial = 0

  /// A state in which nothing is assembled.
  init() {
    encoder = ObjectEncoder(limits: .default)
    frame = AssemblyFrame(
      serial: 0, openSerial: 0, depth: 1, firstEntry: 0, firstKey: 0, shapeMark: 0, mark: 0)
  }

  /// Begins to assemble among the bytes of the encoder.
  mutating func start() {
    root = encoder.plan.root(typeName: "", schemaVersion: 0, writer: 0)
    firstShape = encoder.tables.counts.shapes
    frame = AssemblyFrame(
      serial: 0, openSerial: 0, depth: 1, firstEntry: 0, firstKey: 0, shapeMark: 0,
      mark: encoder.bytes.count)
    areShapesOutOfOrder = false
  }

  /// Whether nothing is left of the last archive but a little memory.
  var isClear: Bool {
    outer.count == 0 && entries.count == 0 && listed.isEmpty && nestedKeys.isEmpty
      && nested.count == 0
      && outer.capacity <= 64 && entries.capacity <= 2048 && scratch.capacity <= 1 << 14
      && listed.capacity <= 64 && nested.capacity <= 1024
  }

  mutating func begin() -> Int {
    outer.append(frame)
    let isQuiet = frame.isQuiet
    lastSerial &+= 1
    frame = AssemblyFrame(
      serial: lastSerial, openSerial: lastSerial, depth: frame.depth &+ 1,
      firstEntry: entries.count, firstKey: listed.count, shapeMark: encoder.shapedSteps.count,
      mark: encoder.bytes.count)
    frame.isQuiet = isQuiet
    return lastSerial
  }

  /// Takes back the value that was begun last, with what was opened by hand in it.
  mutating func drop() {
    while frame.isNested {
      nestedKeys.removeLast()
      close()
    }
    encoder.bytes.truncate(to: frame.mark)
    encoder.numberArrays.drop(from: frame.mark)
    if encoder.shapedSteps.count > frame.shapeMark { areShapesOutOfOrder = true }
    close()
  }

  private mutating func close() {
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

  /// Completes the value that is open, and opens again the one around it.
  mutating func end() -> StagedEntry {
    let entry: StagedEntry
    switch frame.content {
    case .single: entry = entries[frame.firstEntry]
    case .keyed: entry = endKeyed()
    case .listed: entry = endListed()
    case .row:
      let values = endRow()
      entry = frame.dictionary == AssemblyFrame.noDictionary ? values : endDictionary()
    case .empty, .irregular:
      // A value that encodes nothing is a record without keys.
      frame.content = .empty
      entry = openKeyed(root) ? endKeyed() : .null
    }
    close()
    return entry
  }

  /// The tag of the value that is open; `null` before it has one.
  var openTag: ArchiveTag {
    switch frame.content {
    case .single: entries[frame.firstEntry].tag
    case .row: frame.dictionary == AssemblyFrame.noDictionary ? .array : .dictionary
    case .keyed, .listed, .empty: .record
    case .irregular: .null
    }
  }

  /// Completes the value that is open and takes it back: its tag and its bytes, nil for one that
  /// contains others.
  mutating func takeSimpleValue() -> ArchivedMember? {
    let mark = frame.mark
    var entry = end()
    if entry.tag.isFlexible { entry.tag = entry.tag.integer(ofClass: 4) }
    defer {
      encoder.bytes.truncate(to: mark)
      encoder.numberArrays.drop(from: mark)
    }
    guard entry.tag == .null || entry.tag.isKeyable else {
      areShapesOutOfOrder = true
      return nil
    }
    if !entry.tag.isVariable {
      let start = encoder.bytes.count
      encoder.bytes.appendRoom(entry.tag.byteCount)
      encoder.bytes.store(entry, at: start)
      return ArchivedMember(tag: entry.tag, bytes: encoder.bytes.copy(from: start))
    }
    return ArchivedMember(tag: entry.tag, bytes: encoder.bytes.copy(from: entry.start))
  }

  mutating func steps(of keys: ObjectIdentifier) -> Int {
    encoder.plan.root(ofKeys: keys)
  }

  /// Makes the value a dictionary, whose keys are given in their order and whose values follow as those of
  /// an array.
  mutating func openDictionary(_ keys: SortedMembers) -> Bool {
    guard frame.content == .empty else { return false }
    frame.dictionary = encoder.bytes.count
    if keys.count > 0 {
      // Room for the length of the keys.
      encoder.bytes.appendRoom(4)
      append(keys)
    }
    return openUnkeyed()
  }

  /// Completes a dictionary whose values are complete.
  mutating func endDictionary() -> StagedEntry {
    let start = frame.dictionary
    let keys = start + 4
    let middle = frame.start
    if frame.count == 0 {
      encoder.bytes.truncate(to: start)
    } else {
      let width = EndWidth.smallest(of: 1, besides: encoder.bytes.count - keys)
      encoder.moveBytes(from: keys, to: start + 1 << Int(width))
      encoder.bytes.store(middle - keys, width: width, at: start)
    }
    return .payload(.dictionary, start..<encoder.bytes.count)
  }

  mutating func stage(set members: SortedMembers) -> StagedEntry {
    enterDepth()
    let start = encoder.bytes.count
    if members.count > 0 { append(members) }
    return .payload(.set, start..<encoder.bytes.count)
  }

  /// Appends keys or members as the payload of an array.
  private mutating func append(_ members: SortedMembers) {
    if case .texts(let texts) = members { return encoder.append(texts: texts) }
    let outside = encoder.beginElements(count: members.count, slot: 0)
    switch members {
    case .texts: break
    case .integers(let integers, let tag):
      for bits in integers { encoder.encode(StoredScalar(tag, low: bits), at: .element) }
    case .members(let members):
      for member in members {
        if member.tag.isVariable {
          encoder.encodePayload(member.bytes.span, tag: member.tag, at: .element)
        } else {
          encoder.encode(member.scalar, at: .element)
        }
      }
    }
    encoder.finishElements()
    encoder.leaveElements(outside)
  }

  mutating func set(_ entry: StagedEntry) -> Bool {
    guard frame.content == .empty else { return false }
    frame.content = .single
    entries.append(entry)
    return true
  }

  /// Whether one more container may be opened; keeps an error when not.
  mutating func enterDepth() {
    if Int(frame.depth) > encoder.limits.nestingDepth {
      encoder.fail(ArchiveError(nesting: "values", encoder.limits))
    }
  }
}

// Containers that are opened by hand in others. Nobody says when one is complete: it ends when the one around
// it is written to again, or ends.
extension AssemblerState {
  /// Whether a value is the one that can be written to now; ends what was opened in it by hand if that is
  /// all that is open in it.
  @inline(__always)
  mutating func isCurrent(_ serial: Int) -> Bool {
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
        // It is given up with the value that opened it, and ends as a record of nothing.
        _ = abandon(frame.serial)
        frame.content = .irregular
      }
      if let index = nestedIndex(of: frame.serial) { nested[index].count = frame.count }
      let key = nestedKeys.removeLast()
      let entry = end()
      if frame.content == .row { append(entry) } else { put(entry, forKey: key) }
    }
    return frame.openSerial == serial
  }

  /// Begins a value under a key that the record does not have yet; nil where what is meant is known only when
  /// the whole is complete.
  mutating func beginNested(forKey key: String, of serial: Int) -> Int? {
    guard isCurrent(serial), frame.content == .keyed,
      !encoder.plan.hasStep(key, upTo: Int(frame.step))
    else { return nil }
    return beginNested(key)
  }

  /// Begins an element.
  mutating func beginNestedElement(of serial: Int) -> Int? {
    guard isCurrent(serial), frame.content == .row else { return nil }
    return beginNested("")
  }

  private mutating func beginNested(_ key: String) -> Int? {
    // Of a value that begins otherwise, the first is encoded as a tree (``RecordAssembler/isInside``).
    guard frame.isQuiet || entries.count == frame.firstEntry else { return nil }
    frame.isQuiet = true
    nestedKeys.append(key)
    let owner = frame.isNested ? nested[nested.count - 1].owner : frame.serial
    let serial = begin()
    frame.isNested = true
    nested.append(NestedValue(serial: serial, owner: owner))
    return serial
  }
}

// Values that are written to out of turn.
extension AssemblerState {
  /// Gives up a value, or that which opened it by hand; false if it is complete.
  mutating func abandon(_ serial: Int) -> Bool {
    let value = nestedIndex(of: serial).map { nested[$0].owner } ?? serial
    if frame.serial == value {
      (frame.content, frame.openSerial) = (.irregular, AssemblyFrame.closed)
      return true
    }
    for index in 0..<outer.count where outer[index].serial == value {
      (outer[index].content, outer[index].openSerial) = (.irregular, AssemblyFrame.closed)
      return true
    }
    return false
  }

  /// Where a value is kept that was opened by hand in one that is not complete.
  private mutating func nestedIndex(of serial: Int) -> Int? {
    var (low, high) = (0, nested.count)
    while low < high {
      let middle = (low + high) / 2
      if nested[middle].serial < serial { low = middle + 1 } else { high = middle }
    }
    return low < nested.count && nested[low].serial == serial ? low : nil
  }

  mutating func elementCount(of serial: Int) -> Int {
    // One that is open is not counted yet.
    for index in 0..<outer.count where outer[index].serial == serial {
      return outer[index].count
        + ((index + 1 < outer.count ? outer[index + 1] : frame).isNested ? 1 : 0)
    }
    if frame.serial == serial { return frame.count }
    return nestedIndex(of: serial).map { nested[$0].count } ?? 0
  }

  mutating func elementCount(aroundLevel level: Int) -> Int? {
    // The first of the frames is that of the object, the second that of the value at level 0.
    guard level > 0, level < outer.count else { return nil }
    let row = outer[level]
    return row.content == .row || row.content == .irregular
      ? row.count : nil
  }

  mutating func skipElement(of serial: Int) {
    if frame.serial == serial { return frame.count += 1 }
    for index in 0..<outer.count where outer[index].serial == serial {
      return outer[index].count += 1
    }
    if let index = nestedIndex(of: serial) { nested[index].count += 1 }
  }

  mutating func isOpen(_ serial: Int) -> Bool {
    frame.openSerial == serial || (0..<outer.count).contains { outer[$0].openSerial == serial }
  }
}

// Payloads, which are appended where the bytes end.
extension AssemblerState {
  mutating func stage(_ text: String, _ tag: ArchiveTag) -> StagedEntry {
    let start = encoder.bytes.count
    encoder.bytes.append(utf8: text)
    return .payload(tag, start..<encoder.bytes.count)
  }

  mutating func stage(_ bytes: [UInt8]) -> StagedEntry {
    let start = encoder.bytes.count
    encoder.bytes.append(scalars: bytes)
    return .payload(.bytes, start..<encoder.bytes.count)
  }

  mutating func stage<Scalar: BitwiseCopyable>(
    _ scalars: [Scalar], _ tag: ArchiveTag
  ) -> StagedEntry {
    enterDepth()
    let start = encoder.bytes.count
    encoder.append(array: scalars, of: tag)
    return .payload(.array, start..<encoder.bytes.count)
  }

  mutating func stage(integers: [Int64], _ tag: ArchiveTag) -> StagedEntry {
    enterDepth()
    let start = encoder.bytes.count
    encoder.append(integers: integers, tag: tag)
    return .payload(.array, start..<encoder.bytes.count)
  }

  mutating func stage(_ texts: [String]) -> StagedEntry {
    enterDepth()
    let start = encoder.bytes.count
    encoder.append(texts: texts)
    return .payload(.array, start..<encoder.bytes.count)
  }
}

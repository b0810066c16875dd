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

  /// Tells the values of one archive apart.
  var serial: Int
  var content = Content.empty
  /// The tag that all elements of an array share, `any` once there are two, `null` before the first.
  var tag = ArchiveTag.null
  var hasNil = false
  /// How many containers lie around the value, the object's record being the first.
  var depth: Int32
  /// The step of the plan that was taken last.
  var node: Int32 = 0
  /// Where the steps of the plan begin.
  var root: Int32 = 0
  /// Where its entries begin among all.
  var firstEntry: Int32
  /// Where its keys begin in the list of keys.
  var firstKey: Int32
  /// How many shapes had been met before.
  var shapeMark: Int32
  /// Where the container begins among the bytes.
  var start = 0
  /// Where its payloads begin, for now.
  var tail = 0
  /// How many elements an array has.
  var count = 0
  /// Of the values of a dictionary, where it begins; else -1.
  var dictionary = -1
  /// Whether an `Int` or `UInt` of a record needs 64 bits.
  var isWide = false
  /// The number of the shape that all elements of an array have, or -1.
  var shape: Int32 = -1
  /// The bytes before anything was written.
  var mark: Int
}

/// What a ``RecordAssembler`` has so far.
struct AssemblerState: ~Copyable {
  /// A key of a record whose keys the plan does not follow.
  struct ListedKey {
    var key: ArchiveKey
    var signature: UInt64

    /// The same key with an integer whose width is to be chosen in 32 bits, or in 64.
    var narrow: ListedKey { resized(isWide: false) }
    var wide: ListedKey { resized(isWide: true) }

    private func resized(isWide: Bool) -> ListedKey {
      let tag = ArchiveTag(rawValue: UInt8(truncatingIfNeeded: signature >> 8))
      if !tag.isFlexible { return self }
      return ListedKey(
        key: key,
        signature: PlanNode.signature(
          in: RecordFrame(), tag: tag.integer(ofClass: isWide ? 4 : 3),
          flags: signature & (ArchivePlace.nullableFlag | ArchivePlace.omitsNilFlag),
          isReserved: false, isFlexible: true))
    }
  }

  var encoder: ObjectEncoder
  var frame: AssemblyFrame
  /// The frames around the one that is open.
  var outer = RawTable<AssemblyFrame>(capacity: 6)
  var entries = RawTable<StagedEntry>(capacity: 32)
  var listed: [ListedKey] = []
  var scratch = ByteBuffer(capacity: 0)
  /// Whether shapes were met in another order than that in which the bytes now have them.
  var areShapesOutOfOrder = false
  /// Where the plan begins for records as they are stored.
  let root: Int
  /// The number of the first shape of the value.
  let firstShape: Int
  private var lastSerial = 0

  init(_ encoder: consuming ObjectEncoder) {
    let root = encoder.plan.root(typeName: "", schemaVersion: 0, writer: 0)
    self.root = root
    firstShape = encoder.tables.counts.shapes
    frame = AssemblyFrame(
      serial: 0, depth: 1, firstEntry: 0, firstKey: 0, shapeMark: 0, mark: encoder.bytes.count)
    self.encoder = encoder
    self.encoder.hasLayoutNumbers = true
  }

  mutating func begin() -> Int {
    outer.append(frame)
    lastSerial &+= 1
    frame = AssemblyFrame(
      serial: lastSerial, depth: frame.depth &+ 1,
      firstEntry: Int32(truncatingIfNeeded: entries.count),
      firstKey: Int32(truncatingIfNeeded: listed.count),
      shapeMark: Int32(truncatingIfNeeded: encoder.shapedNodes.count), mark: encoder.bytes.count)
    return lastSerial
  }

  mutating func drop() {
    encoder.bytes.truncate(to: frame.mark)
    encoder.numberArrays.drop(from: frame.mark)
    if encoder.shapedNodes.count > Int(frame.shapeMark) { areShapesOutOfOrder = true }
    close()
  }

  private mutating func close() {
    entries.truncate(to: Int(frame.firstEntry))
    if listed.count > Int(frame.firstKey) {
      listed.removeLast(listed.count - Int(frame.firstKey))
    }
    frame = outer.removeLast()
  }

  /// Completes the value that is open, and opens again the one around it.
  mutating func end() -> StagedEntry {
    let entry: StagedEntry
    switch frame.content {
    case .single: entry = entries[Int(frame.firstEntry)]
    case .keyed: entry = endKeyed()
    case .listed: entry = endListed()
    case .row:
      let values = endRow()
      entry = frame.dictionary < 0 ? values : endDictionary()
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
    case .single: entries[Int(frame.firstEntry)].tag
    case .row: .array
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
    encoder.plan.steps(of: keys)
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
      encoder.fail(.limitExceeded, encoder.limits.excess(nesting: "values"))
    }
  }
}

// Values that are written to out of turn. A frame that was given up has the negative serial number.
extension AssemblerState {
  mutating func abandon(_ serial: Int) {
    change(serial) {
      $0.content = .irregular
      $0.serial = -serial
    }
  }

  func isAbandoned(_ serial: Int) -> Bool { isOpen(-serial) }

  func isOpen(_ serial: Int) -> Bool { openFrame(serial) != nil }

  func elementCount(of serial: Int) -> Int {
    (openFrame(serial) ?? openFrame(-serial))?.count ?? 0
  }

  func elementCount(aroundLevel level: Int) -> Int? {
    // The first of the frames is that of the object, the second that of the value at level 0.
    guard level > 0, level < outer.count else { return nil }
    let row = outer[level]
    return row.content == .row || row.content == .irregular
      ? row.count : nil
  }

  mutating func skipElement(of serial: Int) { change(-serial) { $0.count += 1 } }

  private func openFrame(_ serial: Int) -> AssemblyFrame? {
    if frame.serial == serial { return frame }
    for index in (0..<outer.count).reversed() where outer[index].serial == serial {
      return outer[index]
    }
    return nil
  }

  private mutating func change(_ serial: Int, _ body: (inout AssemblyFrame) -> Void) {
    if frame.serial == serial { return body(&frame) }
    for index in 0..<outer.count where outer[index].serial == serial { body(&outer[index]) }
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

/// Writes one value of nested records and arrays whose parts come in any order.
///
/// An ``ObjectEncoder`` keeps the order of the calls; `Codable` wants the keys of a record in the
/// order of their bytes and does not say how long an array will be (Spec/archive.md, section 9). So the
/// parts of an open container are kept as entries, payloads one after the other among the bytes, and
/// are put in their places when the container ends. Each type of keys has its own steps in the plan:
/// a record like the one before costs one comparison and one store for each value.
package final class RecordAssembler {
  let state = Cell(AssemblerState())

  /// An assembler for one archive after the other.
  package init() {}

  /// Whether nothing is left of the last archive but a little memory.
  package var isClear: Bool { state.value.isClear }

  /// The serial number of the value that was begun last.
  package var serial: Int { state.value.frame.serial }

  /// Whether a value is the one that can be written to now.
  ///
  /// What was opened in it by ``beginNested(forKey:of:)`` ends with that.
  @inline(__always)
  package func isCurrent(_ serial: Int) -> Bool { state.value.isCurrent(serial) }

  /// How many elements the container has so far that a value lies in, nil when it is no array.
  ///
  /// - Parameter level: How many values lie around the value, which was begun and is not complete.
  /// - Returns: The number of elements.
  package func elementCount(aroundLevel level: Int) -> Int? {
    state.value.elementCount(aroundLevel: level)
  }

  /// How many elements an array has that need not be the open one.
  package func elementCount(of serial: Int) -> Int { state.value.elementCount(of: serial) }

  /// Counts an element of an array that was given up.
  package func skipElement(of serial: Int) { state.value.skipElement(of: serial) }

  /// Begins a value within the container that is open, and returns its serial number.
  package func begin() -> Int { state.value.begin() }

  /// Begins a value under a key of a record, which ends by itself when the record goes on or ends.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - serial: The serial number of the record.
  /// - Returns: The serial number of the value; nil if it cannot be written before the record is complete.
  package func beginNested(forKey key: String, of serial: Int) -> Int? {
    state.value.beginNested(forKey: key, of: serial)
  }

  /// Begins an element of an array, which ends by itself when the array goes on or ends.
  ///
  /// - Parameter serial: The serial number of the array.
  /// - Returns: The serial number of the element; nil if another value is to be written to now.
  package func beginNestedElement(of serial: Int) -> Int? {
    state.value.beginNestedElement(of: serial)
  }

  /// Whether the value that was begun last lies in one with containers that end by themselves.
  ///
  /// What is left out of an archive has the tag of the first value of its type (Spec/archive.md, 5.3). Values in
  /// such containers, and after one in the same value, do not count as the first, so that it makes no
  /// difference whether what they lie in is written at once or when it is complete.
  package var isInside: Bool { state.value.outer[state.value.outer.count - 1].isQuiet }

  /// Whether the value that was begun last has containers that end by themselves, and lies in none that has.
  package var hasNested: Bool { state.value.frame.isQuiet && !isInside }

  /// Takes note that the value that was begun last is going to have containers that end by themselves.
  package func expectNested() { state.value.frame.isQuiet = true }

  /// Whether the value that was begun last is a record of more keys than a shape holds, and so has to be a
  /// dictionary (Spec/archive.md, section 9).
  package var exceedsShape: Bool { state.value.exceedsShape }

  /// Takes back the value that was begun last, and what began by itself in it.
  package func drop() { state.value.drop() }

  /// Ends the value that was begun last and takes it back, for whoever has to compare values.
  ///
  /// - Returns: The tag of the value and its bytes (Spec/archive.md, 5.6); nil for one that contains
  ///   others.
  package func takeSimpleValue() -> ArchivedMember? {
    state.value.takeSimpleValue()
  }

  /// Ends the value that was begun last, which lies under a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - omitsNil: Whether a nil would have been left out.
  package func end(forKey key: String, omitsNil: Bool = false) {
    var entry = state.value.end()
    entry.omitsNil = omitsNil
    state.value.put(entry, forKey: key)
  }

  /// Ends the value that was begun last, which is an element.
  package func endElement() {
    let entry = state.value.end()
    state.value.append(entry)
  }

  /// Makes the value a record; false when it is something else already.
  ///
  /// - Parameter steps: Where the plan begins for such keys, as ``steps(of:)`` returned it.
  /// - Returns: Whether the value is a record now.
  package func openKeyed(_ steps: Int) -> Bool { state.value.openKeyed(steps) }

  /// Makes the value a dictionary; false when it is something else already.
  ///
  /// - Parameter keys: The keys; the values follow in the same order, as those of an array.
  /// - Returns: Whether the value is a dictionary now.
  package func openDictionary(_ keys: SortedMembers) -> Bool {
    state.value.openDictionary(keys)
  }

  /// Makes the value an array; false when it is something else already.
  package func openUnkeyed() -> Bool { state.value.openUnkeyed() }

  /// The number of the plan that is followed, which no other plan has.
  ///
  /// 0 for a plan that has no number.
  package var planNumber: UInt64 { state.value.encoder.cache?.number ?? 0 }

  /// Where the plan begins for keys of a type.
  package func steps(of keys: ObjectIdentifier) -> Int { state.value.steps(of: keys) }

  /// Gives a value up, or that which began it as one that ends by itself: what else is written to it is forgotten.
  ///
  /// - Parameter serial: The serial number of the value.
  /// - Returns: Whether there is such a value; it may be complete.
  package func abandon(_ serial: Int) -> Bool { state.value.abandon(serial) }

  /// Whether a value was begun, and is not complete or given up.
  package func isOpen(_ serial: Int) -> Bool { state.value.isOpen(serial) }
}

/// The keys of a dictionary or the members of a set, in their order and none twice (Spec/archive.md, 5.6).
package enum SortedMembers {
  case texts([String])
  /// Integers of one tag, each in the lowest bits.
  case integers([UInt64], ArchiveTag)
  case members([ArchivedMember])

  var count: Int {
    switch self {
    case .texts(let texts): texts.count
    case .integers(let integers, _): integers.count
    case .members(let members): members.count
    }
  }
}

/// A key of a dictionary, a member of a set, or another value that contains no others.
package struct ArchivedMember: Hashable, Sendable {
  /// How the value is stored; `null` for a nil.
  package var tag: ArchiveTag
  /// The bytes of its slot or its payload.
  package var bytes: [UInt8]

  package init(tag: ArchiveTag, bytes: [UInt8]) {
    self.tag = tag
    self.bytes = bytes
  }

  /// Whether a value comes before another one: by the tag, then by the bytes (Spec/archive.md, 5.6).
  package static func precedes(_ left: ArchivedMember, _ right: ArchivedMember) -> Bool {
    left.tag == right.tag
      ? left.bytes.lexicographicallyPrecedes(right.bytes) : left.tag.rawValue < right.tag.rawValue
  }

  /// The value of a fixed width.
  var scalar: StoredScalar {
    let padded = bytes + Array(repeating: 0, count: max(0, 16 - bytes.count))
    return StoredScalar(
      tag, low: padded.load(UInt64.self, at: 0) ?? 0, high: padded.load(UInt64.self, at: 8) ?? 0)
  }
}

// The single calls, each of which says false when another value is to be written to now.
extension RecordAssembler {
  package func put(
    _ bits: UInt64, _ tag: ArchiveTag, forKey key: String, of serial: Int,
    omitsNil: Bool = false
  ) -> Bool {
    guard state.value.isCurrent(serial) else { return false }
    state.value.put(
      StagedEntry(tag: tag, omitsNil: omitsNil, low: bits, high: 0), forKey: key)
    return true
  }

  /// Leaves a value out that has a slot of its own (Spec/archive.md, 5.3).
  package func putAbsent(_ tag: ArchiveTag, forKey key: String, of serial: Int) -> Bool {
    guard state.value.isCurrent(serial) else { return false }
    state.value.put(
      StagedEntry(tag: tag, omitsNil: true, isAbsent: true, low: 0, high: 0), forKey: key)
    return true
  }

  /// The tag of the value that is open, as far as it is known.
  package var openTag: ArchiveTag { state.value.openTag }

  package func put(
    _ low: UInt64, _ high: UInt64, _ tag: ArchiveTag, forKey key: String, of serial: Int
  ) -> Bool {
    guard state.value.isCurrent(serial) else { return false }
    state.value.put(StagedEntry(tag: tag, low: low, high: high), forKey: key)
    return true
  }

  package func put(
    _ text: String, _ tag: ArchiveTag, forKey key: String, of serial: Int,
    omitsNil: Bool = false
  ) -> Bool {
    guard state.value.isCurrent(serial) else { return false }
    var entry = state.value.stage(text, tag)
    entry.omitsNil = omitsNil
    state.value.put(entry, forKey: key)
    return true
  }

  package func append(_ bits: UInt64, _ tag: ArchiveTag, to serial: Int) -> Bool {
    guard state.value.isCurrent(serial) else { return false }
    state.value.append(StagedEntry(tag: tag, low: bits, high: 0))
    return true
  }

  package func append(_ text: String, _ tag: ArchiveTag, to serial: Int) -> Bool {
    guard state.value.isCurrent(serial) else { return false }
    let entry = state.value.stage(text, tag)
    state.value.append(entry)
    return true
  }

  /// Gives the value that was begun last its one value; false when it has one already.
  package func set(_ bits: UInt64, _ tag: ArchiveTag, of serial: Int) -> Bool {
    set(bits, 0, tag, of: serial)
  }

  package func set(_ low: UInt64, _ high: UInt64, _ tag: ArchiveTag, of serial: Int) -> Bool {
    guard state.value.isCurrent(serial) else { return false }
    return state.value.set(StagedEntry(tag: tag, low: low, high: high))
  }

  package func set(_ text: String, _ tag: ArchiveTag, of serial: Int) -> Bool {
    guard state.value.isCurrent(serial), state.value.frame.content == .empty
    else { return false }
    let entry = state.value.stage(text, tag)
    return state.value.set(entry)
  }

  package func set(_ bytes: [UInt8], of serial: Int) -> Bool {
    guard state.value.isCurrent(serial), state.value.frame.content == .empty
    else { return false }
    let entry = state.value.stage(bytes)
    return state.value.set(entry)
  }

  /// Makes the value an array of numbers.
  package func set<Scalar: BitwiseCopyable>(
    _ scalars: [Scalar], _ tag: ArchiveTag, of serial: Int
  ) -> Bool {
    guard state.value.isCurrent(serial), state.value.frame.content == .empty
    else { return false }
    let entry = state.value.stage(scalars, tag)
    return state.value.set(entry)
  }

  /// Makes the value an array of `Int`, or of `UInt`, from their bits.
  package func set(integers: [Int64], isSigned: Bool, of serial: Int) -> Bool {
    guard state.value.isCurrent(serial), state.value.frame.content == .empty
    else { return false }
    let entry = state.value.stage(integers: integers, isSigned ? .int : .uint)
    return state.value.set(entry)
  }

  /// Gives the value a set of members.
  package func set(members: SortedMembers, of serial: Int) -> Bool {
    guard state.value.isCurrent(serial), state.value.frame.content == .empty
    else { return false }
    let entry = state.value.stage(set: members)
    return state.value.set(entry)
  }

  /// Makes the value an array of strings.
  package func set(_ texts: [String], of serial: Int) -> Bool {
    guard state.value.isCurrent(serial), state.value.frame.content == .empty
    else { return false }
    let entry = state.value.stage(texts)
    return state.value.set(entry)
  }
}

extension ArchiveWriter {
  /// Writes an object with one value under one key, whose parts may come in any order.
  ///
  /// - Parameters:
  ///   - id: The id; one more than that of the object before.
  ///   - typeName: The stable name of the object's type.
  ///   - key: The key of the value.
  ///   - assembler: What assembles it.
  ///   - body: Begins one value of the assembler and fills it. To end it is not its task.
  /// - Throws: What `body` throws; otherwise ``ArchiveError``.
  package mutating func assembleObject(
    _ id: ArchiveObjectID, typeName: String, forKey key: ArchiveKey, by assembler: RecordAssembler,
    _ body: () throws -> Void
  ) throws {
    try writeObject(id, typeName: typeName) { coder in
      try coder.assemble(forKey: key, by: assembler, body)
    }
  }
}

extension ObjectEncoder {
  fileprivate mutating func assemble(
    forKey key: ArchiveKey, by assembler: RecordAssembler, _ body: () throws -> Void
  ) throws {
    // The object has one payload, and nothing before it.
    if frame.tail != frame.start { moveTail(to: frame.start) }
    swap(&self, &assembler.state.value.encoder)
    defer { swap(&self, &assembler.state.value.encoder) }
    assembler.state.value.start()
    try body()
    let entry = assembler.state.value.endRoot()
    assembler.state.value.encoder.encodeAssembled(entry, forKey: key)
  }

  private mutating func encodeAssembled(_ entry: StagedEntry, forKey key: ArchiveKey) {
    if entry.tag == .null { return encodeNil(tag: .null, at: .key(key)) }
    if entry.inlineRecord != StepSignature.noInlineRecord,
      storeInline(plan.lastStep(ofInline: entry.inlineRecord), from: entry.start, forKey: key)
    {
      return
    }
    if entry.tag.isFlexible {
      return encodeInteger(Int64(bitPattern: entry.low), tag: entry.tag, at: .key(key))
    }
    let offset = slot(of: key, tag: entry.tag, flags: .none)
    if entry.tag.isVariable {
      ends.append(EndWidth.cut(entry.payload.count))
    } else {
      bytes.store(entry, at: offset)
    }
  }
}

extension AssemblerState {
  /// Completes the whole value.
  fileprivate mutating func endRoot() -> StagedEntry {
    let entry = end()
    numberShapes(of: entry)
    return entry
  }
}

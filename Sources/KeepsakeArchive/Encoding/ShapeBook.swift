/// A shape with the step of the plan at which its records end.
struct MadeShape: BitwiseCopyable {
  var step: Int
  var shape: OptionalShape
  /// The number of entries in the tables right after the shape was added.
  var counts: TableCounts
}

/// The shapes and tables of the archive that is written, and those of the previous archive.
///
/// An archive usually has the same types as the previous one. As long as its records need the same shapes in the same
/// order, the tables of the previous archive are reused entry by entry, and so are their bytes.
struct ShapeBook: ~Copyable {
  private(set) var tables = ArchiveTables()
  private var keyNumbers = KeyNumbers()
  /// The shapes of this archive, followed by the expected shapes: the remaining ones of the previous archive.
  private var made = RawTable<MadeShape>(capacity: 0)
  /// The shapes of this archive.
  private var madeCount = 0
  /// The steps that got shapes from the object that is written.
  private(set) var steps: [Int] = []
  /// The size of the tables before the open object; nil until the object adds an entry.
  private(set) var mark: TableCounts?
  /// A cache of the tables' bytes in a footer without conditional references, and their size then; zero if out of date.
  private var written: (bytes: [UInt8], counts: TableCounts) = ([], TableCounts())

  init() {}

  // MARK: Archives

  /// Begins an archive, which is expected to have the entries of the previous one.
  mutating func beginArchive() { tables.beginAgain() }

  /// Ends an archive, whose shapes are expected in the next one.
  mutating func endArchive(_ plan: inout EncodingPlan) {
    for index in 0..<madeCount { plan.steps[made[index].step].shape = .none }
    madeCount = 0
    if !steps.isEmpty { steps.removeAll(keepingCapacity: true) }
    mark = nil
  }

  /// Appends the tables of the footer.
  mutating func appendTables(conditionalCount: Int, to bytes: inout ByteBuffer) {
    let counts = tables.counts
    if conditionalCount == 0, written.counts == counts { return bytes.append(written.bytes.span) }
    let start = bytes.count
    tables.write(
      from: TableCounts(), to: counts, conditionalCount: conditionalCount, to: &bytes)
    if conditionalCount == 0, bytes.count - start <= 4096 {
      written = (bytes.view.copy(start..<bytes.count), counts)
    }
  }

  // MARK: Objects

  /// The size of the tables without the last object, if that object is not settled yet.
  var countsBeforeObject: TableCounts { mark ?? tables.counts }

  /// Keeps what the object added.
  @inline(__always)
  mutating func settleObject() {
    if mark == nil { return }
    mark = nil
    steps.removeAll(keepingCapacity: true)
  }

  /// Takes back what the object added.
  mutating func dropObject(_ plan: inout EncodingPlan) {
    guard let mark else { return }
    forgetShapes(since: mark, &plan)
    self.mark = nil
  }

  /// Takes back the shapes of the object, so that they can be renumbered.
  mutating func renumber(_ plan: inout EncodingPlan) {
    guard let mark else { return }
    forgetShapes(since: mark, &plan)
  }

  private mutating func forgetShapes(since mark: TableCounts, _ plan: inout EncodingPlan) {
    madeCount -= steps.count
    forgetExpected()
    tables.rewind(to: mark)
    for step in steps { plan.steps[step].shape = .none }
    steps.removeAll(keepingCapacity: true)
  }

  // MARK: Shapes

  /// Gives the record that ends at a step the next expected shape.
  ///
  /// The result is false when another shape was expected. After that, no shape is expected any more.
  mutating func takeExpected(endingAt step: Int, _ plan: inout EncodingPlan) -> Bool {
    guard madeCount < made.count else {
      tables.forgetExpected()
      return false
    }
    let known = made[madeCount]
    guard known.step == step else {
      forgetExpected()
      return false
    }
    if mark == nil { mark = tables.counts }
    tables.addExpected(upTo: known.counts)
    giveShape(&plan)
    return true
  }

  /// Begins a shape that was not expected.
  mutating func beginShape() {
    if mark == nil { mark = tables.counts }
    keyNumbers.beginRecord()
  }

  func knownNumber(ofKeyAt step: PlanStep) -> UInt32? { keyNumbers.number(of: step) }

  /// The number of a step's key in a scope; a new key is added to the tables.
  mutating func number(of key: ArchiveKey, at step: PlanStep, in scope: Int) -> UInt32 {
    let space: KeySpace = key.isReserved ? .reserved : .user
    let number = UInt32(tables.number(ofKey: key.name, space: space, scope: scope))
    keyNumbers.remember(number, of: step)
    return number
  }

  /// The number of a scope or a case; a new one is added to the tables.
  mutating func number(of name: String, _ space: KeySpace, in scope: Int = KeyEntry.topScope) -> Int
  {
    tables.number(ofKey: name, space: space, scope: scope)
  }

  /// Adds a key to the shape; false if the shape has it already.
  mutating func add(_ key: UInt32) -> Bool { keyNumbers.add(key) }

  /// Gives a shape to the record that ends at a step.
  ///
  /// The result is false if the record contains inline records and there are too many shapes for that (Spec/archive.md,
  /// 5.4).
  mutating func endShape(
    of type: TypeEntry, enumerationCase: Int, slots: [SlotDeclaration], endingAt step: Int,
    _ plan: inout EncodingPlan
  ) -> Bool {
    let entry = ShapeEntry(
      type: UInt32(tables.number(of: type)), enumerationCase: enumerationCase, slots: slots)
    if entry.hasInline, tables.counts.shapes >= ShapeEntry.inlineCount, !tables.hasShape(entry) {
      return false
    }
    let shape = OptionalShape(tables.number(of: entry))
    made.append(MadeShape(step: step, shape: shape, counts: tables.counts))
    giveShape(&plan)
    return true
  }

  /// Gives the next of the made shapes to its step.
  private mutating func giveShape(_ plan: inout EncodingPlan) {
    plan.steps[made[madeCount].step].shape = made[madeCount].shape
    steps.append(made[madeCount].step)
    madeCount += 1
  }

  /// Forgets those shapes and entries of the previous archive that this archive has not used.
  private mutating func forgetExpected() {
    made.truncate(to: madeCount)
    tables.forgetExpected()
    keyNumbers.forget()
    written.counts = TableCounts()
  }
}

/// A cache of the numbers that keys have in the tables, by the bits of the plan's steps.
///
/// A record that omits another key than the previous records makes a new shape, but nearly all of its keys have numbers
/// already.
struct KeyNumbers: ~Copyable {
  struct Row: BitwiseCopyable {
    var identity: StringIdentity
    /// The scope, and whether the key is a reserved one (``StepSignature/keySpace``).
    var space: UInt64
    /// One more than the number, or ``noKey``.
    var number: UInt32

    /// The value of ``number`` in a row without a key.
    static var noKey: UInt32 { 0 }
  }

  /// The rows, whose count is a power of two; a row holds the last of the keys with its index.
  private var rows = RawTable<Row>(capacity: 0)
  /// The number of keys that were remembered since the rows were made.
  private var rememberedCount = 0
  /// For each number of a key, the last record that had this key.
  private var lastRecords = RawTable<UInt64>(capacity: 0)
  private var record: UInt64 = 0

  /// Makes rows without keys.
  private mutating func setRowCount(_ count: Int) {
    rows.truncate(to: 0)
    for _ in 0..<count { rows.append(Row(identity: StringIdentity(), space: 0, number: Row.noKey)) }
    rememberedCount = 0
  }

  private func index(_ identity: StringIdentity) -> Int {
    Int(truncatingIfNeeded: identity.mixed >> 32) & (rows.count - 1)
  }

  /// The number of a step's key; nil on a miss.
  func number(of step: PlanStep) -> UInt32? {
    if rememberedCount == 0 { return nil }
    let row = rows[index(step.identity)]
    guard row.number != Row.noKey, row.identity == step.identity,
      row.space == step.signature.keySpace
    else {
      return nil
    }
    return row.number - 1
  }

  /// Remembers the number of a step's key; the plan keeps the string alive whose bits these are.
  mutating func remember(_ number: UInt32, of step: PlanStep) {
    if rows.count == 0 {
      setRowCount(32)
    } else if rememberedCount > rows.count / 2, rows.count < 4096 {
      setRowCount(4 * rows.count)
    }
    rememberedCount += 1
    rows[index(step.identity)] = Row(
      identity: step.identity, space: step.signature.keySpace, number: number + 1)
  }

  /// Forgets all numbers, as some of them were taken back from the tables.
  mutating func forget() {
    setRowCount(rows.count)
  }

  /// Begins a record, which has no keys yet.
  mutating func beginRecord() { record += 1 }

  /// Adds a key by its number; false if the record has it already.
  mutating func add(_ number: UInt32) -> Bool {
    while lastRecords.count <= Int(number) { lastRecords.append(0) }
    if lastRecords[Int(number)] == record { return false }
    lastRecords[Int(number)] = record
    return true
  }
}

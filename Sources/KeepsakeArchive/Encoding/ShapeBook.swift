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
  var tables = ArchiveTables()
  /// The shapes of this archive, followed by the expected shapes: the remaining ones of the previous archive.
  private var made = RawTable<MadeShape>(capacity: 0)
  /// The shapes of this archive.
  private var madeCount = 0
  /// For each number of a key, the last begun shape that has the key; shapes that are begun are counted from 1.
  private var lastShapes = RawTable<UInt64>(capacity: 0)
  private var begunCount: UInt64 = 0
  /// The steps that got shapes from the object that is written.
  private(set) var steps: [Int] = []
  /// The size of the tables before the open object; nil until the object adds an entry.
  private(set) var mark: TableCounts?
  /// A cache of the tables' bytes in a footer without conditional references, and their size then; zero if out of date.
  private var written: (bytes: [UInt8], counts: TableCounts) = ([], TableCounts())

  init() {}

  // MARK: Archives

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
    if mark == nil { mark = tables.counts }
    guard madeCount < made.count else {
      tables.forgetExpected()
      return false
    }
    let known = made[madeCount]
    guard known.step == step else {
      forgetExpected()
      return false
    }
    tables.expecting = known.counts
    giveShape(&plan)
    return true
  }

  /// Begins a shape that was not expected.
  mutating func beginShape() { begunCount += 1 }

  /// Adds a key to the begun shape by its number; false if the shape has it already.
  mutating func add(_ key: UInt32) -> Bool {
    while lastShapes.count <= Int(key) { lastShapes.append(0) }
    if lastShapes[Int(key)] == begunCount { return false }
    lastShapes[Int(key)] = begunCount
    return true
  }

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
    written.counts = TableCounts()
  }
}

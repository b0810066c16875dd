import Synchronization

// What one archive leaves to the next. To learn how records of a type are written, and to number their keys
// and shapes, costs more than to write a small archive; the next one is mostly of the same types. Nothing of
// it decides any byte: what an archive expects of the one before is compared with what is written
// (Spec/Decisions/writing.md).

/// A shape that a record got for the first time in an archive.
struct MadeShape: BitwiseCopyable {
  /// The step of the plan at which the record ends.
  var node: Int
  var shape: Int32
  /// What the tables had then.
  var counts: TableCounts
}

/// The tables of a footer, as they were written last.
struct WrittenTables {
  /// Their bytes, without conditional references.
  var bytes: [UInt8] = []
  /// How many entries they have; none if the tables have changed since.
  var counts = TableCounts()
}

/// The memory of an encoder, with the plan of what it wrote and the tables of the last archive.
final class EncodingMemory {
  /// What an encoder has while it writes.
  fileprivate struct Content: ~Copyable {
    var plan = EncodingPlan(capacity: 64)
    var ends = RawTable<UInt32>(capacity: 64)
    var outerFrames = RawTable<RecordFrame>(capacity: 16)
    var tables = ArchiveTables()
    var keyNumbers = KeyNumbers()
    var madeShapes = RawTable<MadeShape>(capacity: 0)
    var shapedNodes: [Int] = []
    var writtenTables = WrittenTables()
  }

  private let limits: ArchiveLimits
  /// Tells it apart from all others of the process.
  let number: UInt64
  private static let count = Atomic<UInt64>(0)
  fileprivate var content = Content()
  /// The root of the plan that the next object is expected to begin with, 0 for none.
  fileprivate var root = 0

  /// Memory in which nothing was learned.
  private init(_ limits: ArchiveLimits) {
    self.limits = limits
    number = EncodingMemory.count.add(1, ordering: .relaxed).newValue
  }

  /// What waits for the next encoders.
  private static let waiting = WaitingObjects()
  /// A plan with more steps, or longer names, is given up, so that little is kept.
  private static var mostSteps: Int { 1024 }
  private static var mostNameBytes: Int { 32_768 }

  /// Takes the memory that was used last, or new memory.
  fileprivate static func take(_ limits: ArchiveLimits) -> EncodingMemory {
    guard let memory = waiting.take() as? EncodingMemory, memory.limits == limits else {
      return EncodingMemory(limits)
    }
    return memory
  }

  /// Keeps it for the next encoder.
  fileprivate func keep() {
    if content.isSmall { EncodingMemory.waiting.leave(self) }
  }
}

extension EncodingMemory.Content {
  var isSmall: Bool {
    plan.nodes.count <= EncodingMemory.mostSteps
      && plan.nameByteCount <= EncodingMemory.mostNameBytes
      && plan.assembly.stores.count <= 4 * EncodingMemory.mostSteps
      && ends.capacity <= EncodingMemory.mostSteps && tables.keys.count <= EncodingMemory.mostSteps
  }
}

extension ObjectEncoder {
  /// Takes memory, with what other archives left in it.
  mutating func prepare() {
    bytes = ByteBuffer(capacity: 4096)
    let memory = EncodingMemory.take(limits)
    exchange(with: &memory.content)
    elements.root = memory.root
    self.memory = memory
    tables.beginAgain()
  }

  /// Hands on what was learned when the archive is complete; nothing can be written after it.
  mutating func handOn() {
    for index in 0..<madeShapeCount { plan.nodes[madeShapes[index].node].shape = -1 }
    madeShapeCount = 0
    if !shapedNodes.isEmpty { shapedNodes.removeAll(keepingCapacity: true) }
    tablesMark = nil
    guard let memory else { return }
    self.memory = nil
    memory.root = elements.root
    exchange(with: &memory.content)
    memory.keep()
  }

  private mutating func exchange(with content: inout EncodingMemory.Content) {
    swap(&plan, &content.plan)
    swap(&ends, &content.ends)
    swap(&outerFrames, &content.outerFrames)
    swap(&tables, &content.tables)
    swap(&keyNumbers, &content.keyNumbers)
    swap(&madeShapes, &content.madeShapes)
    swap(&shapedNodes, &content.shapedNodes)
    swap(&writtenTables, &content.writtenTables)
  }

  // MARK: Shapes and tables as the archive before had them

  /// Gives the open record the shape that it had in the archive before, if all shapes so far are those that
  /// that one had, in the same order: then the tables are the same too.
  mutating func takeKnownShape() -> Bool {
    guard madeShapeCount < madeShapes.count else {
      tables.forgetExpected()
      return false
    }
    let known = madeShapes[madeShapeCount]
    guard known.node == frame.node else {
      forgetExpectedShapes()
      return false
    }
    if tablesMark == nil { tablesMark = tables.counts }
    tables.addExpected(upTo: known.counts)
    noteShape()
    return true
  }

  /// Takes note of the next of the shapes, which the record has from now on that ends at its step.
  mutating func noteShape() {
    let made = madeShapes[madeShapeCount]
    plan.nodes[made.node].shape = made.shape
    shapedNodes.append(made.node)
    madeShapeCount += 1
  }

  /// Forgets what the archive before had after the shapes so far.
  mutating func forgetExpectedShapes() {
    madeShapes.truncate(to: madeShapeCount)
    tables.forgetExpected()
    keyNumbers.forget()
    writtenTables.counts = TableCounts()
  }

  /// Appends the tables of the footer.
  mutating func appendTables(conditionalCount: Int) {
    let counts = tables.counts
    if conditionalCount == 0, writtenTables.counts == counts {
      let written = writtenTables.bytes
      bytes.append(written.span)
      return
    }
    let start = bytes.count
    tables.write(
      from: TableCounts(), to: counts, conditionalCount: conditionalCount, to: &bytes)
    if conditionalCount == 0, bytes.count - start <= 4096 {
      writtenTables = WrittenTables(bytes: bytes.copy(from: start), counts: counts)
    }
  }
}

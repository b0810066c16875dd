import Synchronization

// What one archive leaves to the next. To learn how records of a type are written, and to number their keys
// and shapes, costs more than to write a small archive; the next one is mostly of the same types. Nothing of
// it decides any byte: what an archive expects of the one before is compared with what is written
// (decision 0134).

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
struct EncodingMemory: ~Copyable, Sendable {
  fileprivate var limits: ArchiveLimits
  fileprivate var plan = EncodingPlan()
  fileprivate var ends = RawTable<UInt32>(capacity: 0)
  fileprivate var outerFrames = RawTable<RecordFrame>(capacity: 0)
  fileprivate var tables = ArchiveTables()
  fileprivate var keyNumbers = KeyNumbers()
  fileprivate var madeShapes = RawTable<MadeShape>(capacity: 0)
  fileprivate var shapedNodes: [Int] = []
  fileprivate var writtenTables = WrittenTables()
  /// The root of the plan that the next object is expected to begin with, 0 for none.
  fileprivate var root = 0

  fileprivate init(_ limits: ArchiveLimits) { self.limits = limits }

  /// Memory in which nothing was learned.
  fileprivate static func fresh(_ limits: ArchiveLimits) -> EncodingMemory {
    var memory = EncodingMemory(limits)
    memory.plan = EncodingPlan(capacity: 64)
    memory.ends = RawTable(capacity: 64)
    memory.outerFrames = RawTable(capacity: 16)
    return memory
  }

  // MARK: Between archives

  /// Holds memory until an encoder takes it.
  private final class Holder: Sendable {
    let memory: Mutex<EncodingMemory?>

    init(_ memory: consuming sending EncodingMemory) { self.memory = Mutex(memory) }
  }

  /// What waits for the next encoders, as many as write at a time; others begin with nothing.
  private static let waiting = Mutex<[Holder]>([])
  private static var mostWaiting: Int { 4 }
  /// A plan with more steps, or longer names, is given up, so that little is kept.
  private static var mostSteps: Int { 1024 }
  private static var mostNameBytes: Int { 32_768 }

  /// Takes the memory that was used last, or new memory.
  fileprivate static func take(_ limits: ArchiveLimits) -> EncodingMemory {
    // Who would have to wait is faster with nothing.
    let holder = waiting.withLockIfAvailable { $0.popLast() } ?? nil
    guard let memory = holder?.memory.withLock({ $0.take() }), memory.limits == limits else {
      return fresh(limits)
    }
    return memory
  }

  /// Keeps it for the next encoder.
  fileprivate consuming func keep() {
    guard plan.nodes.count <= EncodingMemory.mostSteps,
      plan.nameByteCount <= EncodingMemory.mostNameBytes,
      ends.capacity <= EncodingMemory.mostSteps, tables.keys.count <= EncodingMemory.mostSteps
    else { return }
    let holder = Holder(self)
    _ = EncodingMemory.waiting.withLockIfAvailable {
      if $0.count < EncodingMemory.mostWaiting { $0.append(holder) }
    }
  }
}

extension ObjectEncoder {
  /// Takes memory, with what other archives left in it.
  mutating func prepare() {
    bytes = ByteBuffer(capacity: 4096)
    var memory = EncodingMemory.take(limits)
    exchange(with: &memory)
    elements.root = memory.root
    tables.beginAgain()
  }

  /// Hands on what was learned when the archive is complete; nothing can be written after it.
  mutating func handOn() {
    if hasLayoutNumbers {
      for node in 0..<plan.nodes.count { plan.nodes[node].shape = -1 }
      plan.assembly = AssemblyPlan()
      hasLayoutNumbers = false
    } else {
      for index in 0..<madeShapeCount { plan.nodes[madeShapes[index].node].shape = -1 }
    }
    madeShapeCount = 0
    shapedNodes.removeAll(keepingCapacity: true)
    tablesMark = nil
    var memory = EncodingMemory(limits)
    memory.root = elements.root
    exchange(with: &memory)
    memory.keep()
  }

  private mutating func exchange(with memory: inout EncodingMemory) {
    swap(&plan, &memory.plan)
    swap(&ends, &memory.ends)
    swap(&outerFrames, &memory.outerFrames)
    swap(&tables, &memory.tables)
    swap(&keyNumbers, &memory.keyNumbers)
    swap(&madeShapes, &memory.madeShapes)
    swap(&shapedNodes, &memory.shapedNodes)
    swap(&writtenTables, &memory.writtenTables)
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

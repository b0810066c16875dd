import Synchronization

// What one archive leaves to the next. To learn how records of a type are written, and to number their keys and
// shapes, costs more than to write a small archive, and the next archive mostly has the same types. The cache decides
// no byte: the encoder compares what it expects with what is written (Spec/Decisions/writing.md).

/// A shape that a record got for the first time in an archive.
struct MadeShape: BitwiseCopyable {
  /// The step of the plan at which the record ends.
  var step: Int
  var shape: OptionalShape
  /// The entries of the tables right after.
  var counts: TableCounts
}

/// The tables of a footer, as they were written last.
struct WrittenTables {
  /// Their bytes, without conditional references.
  var bytes: [UInt8] = []
  /// Their entries; none when the tables have changed since.
  var counts = TableCounts()
}

/// What an encoder keeps for the next one: the plan of what it wrote, and the tables of the last archive.
final class EncodingCache {
  /// The parts that an encoder holds itself while it writes.
  fileprivate struct Content: ~Copyable {
    var plan = EncodingPlan(capacity: 64)
    var ends = RawTable<UInt32>(capacity: 64)
    var outerFrames = RawTable<RecordFrame>(capacity: 16)
    var tables = ArchiveTables()
    var keyNumbers = KeyNumbers()
    var madeShapes = RawTable<MadeShape>(capacity: 0)
    var shapedSteps: [Int] = []
    var writtenTables = WrittenTables()
  }

  private let limits: ArchiveLimits
  /// A number that no other cache of the process has.
  let number: UInt64
  private static let count = Atomic<UInt64>(0)
  fileprivate var content = Content()
  /// The root that the first object is expected to have, or ``EncodingPlan/none``.
  fileprivate var root = 0

  /// A cache in which nothing was learned.
  private init(_ limits: ArchiveLimits) {
    self.limits = limits
    number = EncodingCache.count.add(1, ordering: .relaxed).newValue
  }

  private static let pool = ObjectPool()
  /// A plan with more steps, or longer names, is not kept.
  private static var mostSteps: Int { 1024 }
  private static var mostNameBytes: Int { 32_768 }

  /// Takes the cache that was used last, or a new one.
  fileprivate static func take(_ limits: ArchiveLimits) -> EncodingCache {
    guard let cache = pool.take() as? EncodingCache, cache.limits == limits else {
      return EncodingCache(limits)
    }
    return cache
  }

  /// Gives the cache to the next encoder.
  fileprivate func keep() {
    if content.isSmall { EncodingCache.pool.give(self) }
  }
}

extension EncodingCache.Content {
  var isSmall: Bool {
    plan.steps.count <= EncodingCache.mostSteps
      && plan.nameByteCount <= EncodingCache.mostNameBytes
      && plan.assembly.stores.count <= 4 * EncodingCache.mostSteps
      && ends.capacity <= EncodingCache.mostSteps && tables.keys.count <= EncodingCache.mostSteps
  }
}

extension ObjectEncoder {
  /// Takes a cache, with what other archives left in it.
  mutating func prepare() {
    bytes = ByteBuffer(capacity: 4096)
    let cache = EncodingCache.take(limits)
    exchange(with: &cache.content)
    elements.root = cache.root
    self.cache = cache
    tables.beginAgain()
  }

  /// Gives the cache back when the archive is complete.
  ///
  /// Nothing can be written after it.
  mutating func handOn() {
    for index in 0..<madeShapeCount { plan.steps[madeShapes[index].step].shape = .none }
    madeShapeCount = 0
    if !shapedSteps.isEmpty { shapedSteps.removeAll(keepingCapacity: true) }
    tablesMark = nil
    guard let cache else { return }
    self.cache = nil
    cache.root = elements.root
    exchange(with: &cache.content)
    cache.keep()
  }

  private mutating func exchange(with content: inout EncodingCache.Content) {
    swap(&plan, &content.plan)
    swap(&ends, &content.ends)
    swap(&outerFrames, &content.outerFrames)
    swap(&tables, &content.tables)
    swap(&keyNumbers, &content.keyNumbers)
    swap(&madeShapes, &content.madeShapes)
    swap(&shapedSteps, &content.shapedSteps)
    swap(&writtenTables, &content.writtenTables)
  }

  // MARK: Shapes and tables as the archive before had them

  /// Gives the open record the shape that it had in the archive before.
  ///
  /// False unless the shapes so far are those of that archive, in the same order. Then the tables are the same too.
  mutating func takeKnownShape() -> Bool {
    guard madeShapeCount < madeShapes.count else {
      tables.forgetExpected()
      return false
    }
    let known = madeShapes[madeShapeCount]
    guard known.step == frame.step else {
      forgetExpectedShapes()
      return false
    }
    if tablesMark == nil { tablesMark = tables.counts }
    tables.addExpected(upTo: known.counts)
    noteShape()
    return true
  }

  /// Gives the next of the made shapes to its step.
  mutating func noteShape() {
    let made = madeShapes[madeShapeCount]
    plan.steps[made.step].shape = made.shape
    shapedSteps.append(made.step)
    madeShapeCount += 1
  }

  /// Forgets the shapes and table entries of the archive before that this archive has not used.
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

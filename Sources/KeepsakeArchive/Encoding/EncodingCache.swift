import Synchronization

/// A cache that one encoder leaves to the next: the plan of the records, and the shapes of the last archive.
///
/// Learning how records of a type are written, and numbering their keys and shapes, costs more than writing a small
/// archive, and the next archive usually has the same types. The cache decides no byte: the encoder compares what it
/// expects with what is written (Spec/Decisions/writing.md).
final class EncodingCache {
  /// The parts that an encoder holds itself while it writes.
  struct Content: ~Copyable {
    var plan = EncodingPlan(capacity: 64)
    var ends = RawTable<UInt32>(capacity: 64)
    var outerFrames = RawTable<RecordFrame>(capacity: 16)
    var shapes = ShapeBook()
  }

  private let limits: ArchiveLimits
  /// A number that no other cache of the process has.
  let number: UInt64
  private static let count = Atomic<UInt64>(0)
  var content = Content()
  /// The root that the first object is expected to have, or ``EncodingPlan/none``.
  var root = EncodingPlan.none

  private init(_ limits: ArchiveLimits) {
    self.limits = limits
    number = EncodingCache.count.add(1, ordering: .relaxed).newValue
  }

  private static let pool = ObjectPool()
  /// A plan with more steps, or longer names, is not kept.
  private static var mostSteps: Int { 1024 }
  private static var mostNameBytes: Int { 32_768 }

  /// Takes the cache that was used last, or a new one.
  static func take(_ limits: ArchiveLimits) -> EncodingCache {
    guard let cache = pool.take() as? EncodingCache, cache.limits == limits else {
      return EncodingCache(limits)
    }
    return cache
  }

  func give() {
    if isSmall { EncodingCache.pool.give(self) }
  }

  private var isSmall: Bool {
    content.plan.steps.count <= EncodingCache.mostSteps
      && content.plan.nameByteCount <= EncodingCache.mostNameBytes
      && content.plan.assembly.stores.count <= 4 * EncodingCache.mostSteps
      && content.ends.capacity <= EncodingCache.mostSteps
      && content.shapes.tables.keys.count <= EncodingCache.mostSteps
  }
}

import Synchronization

/// A pool of objects that one call leaves for the next.
///
/// It never blocks: a thread that finds the pool locked makes a new object, which is cheaper than waiting.
package final class ObjectPool: Sendable {
  /// A pooled object, to which no other reference exists.
  private struct Pooled: @unchecked Sendable {
    let object: AnyObject
  }

  private let objects = Mutex<[Pooled]>([])
  /// More objects than this are not kept.
  private static var capacity: Int { 4 }

  package init() {}

  /// Takes the object that was given last; nil when the pool is empty or in use.
  package func take() -> AnyObject? {
    let pooled = objects.withLockIfAvailable { objects in
      objects.isEmpty ? nil : objects.removeLast()
    }
    return pooled??.object
  }

  /// Gives an object to the next call, unless the pool is full or in use; it and its parts have no other owner.
  package func give(_ object: AnyObject) {
    let pooled = Pooled(object: object)
    _ = objects.withLockIfAvailable { objects in
      if objects.count < Self.capacity { objects.append(pooled) }
    }
  }
}

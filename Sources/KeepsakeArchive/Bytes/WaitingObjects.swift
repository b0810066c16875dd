import Synchronization

/// Objects that calls leave to those after them, as many as work at a time.
///
/// Who finds the list in use by another thread begins with an object of its own: to wait would take longer.
package final class WaitingObjects: Sendable {
  /// An object that nobody has.
  private struct Waiting: @unchecked Sendable {
    let object: AnyObject
  }

  private let objects = Mutex<[Waiting]>([])
  private static var mostCount: Int { 4 }

  package init() {}

  /// The object that was left last, if there is one.
  package func take() -> AnyObject? {
    let waiting = objects.withLockIfAvailable { objects in
      objects.isEmpty ? nil : objects.removeLast()
    }
    return waiting??.object
  }

  /// Keeps an object for the next call, unless enough wait.
  ///
  /// - Parameter object: An object to which nobody else has a reference, and what it refers to neither.
  package func leave(_ object: AnyObject) {
    let waiting = Waiting(object: object)
    _ = objects.withLockIfAvailable { objects in
      if objects.count < Self.mostCount { objects.append(waiting) }
    }
  }
}

/// Releases deep object graphs without deep recursion.
///
/// Swift releases what an object holds inside the object's own deinitialiser. A list of a million
/// nodes therefore needs a stack that is a million calls deep, wherever it is dropped. Classes that
/// make such graphs take them apart in their deinitialiser:
///
/// ```swift
/// deinit {
///   ObjectTeardown.release(takeLinks()) { $0.takeLinks() }
/// }
///
/// private func takeLinks() -> [Node] {
///   defer { next = nil }
///   return next.map { [$0] } ?? []
/// }
/// ```
public enum ObjectTeardown {
  /// Releases objects, and what they alone hold, one after the other.
  ///
  /// An object that somebody else holds too is let go of and otherwise left as it is.
  ///
  /// - Parameters:
  ///   - objects: The objects to let go of.
  ///   - detach: Takes out of an object what it holds, so that it holds it no longer, and returns
  ///     it.
  /// - Complexity: In proportion to the objects that are released; no recursion.
  public static func release<Object: AnyObject>(
    _ objects: consuming [Object], detach: (Object) -> [Object]
  ) {
    var waiting = objects
    while var object = waiting.popLast() {
      if isKnownUniquelyReferenced(&object) { waiting.append(contentsOf: detach(object)) }
    }
  }
}

/// Releases deep object graphs without deep recursion.
///
/// Swift releases the references of an object inside the object's own deinitialiser. So the release of a list of a
/// million nodes needs a stack of a million calls. Classes that make such graphs take them apart in their
/// deinitialiser:
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
  /// Releases objects, and the objects that they alone hold, in a loop.
  ///
  /// An object that has other owners too is released, and not changed.
  ///
  /// - Parameters:
  ///   - objects: The objects to release.
  ///   - detach: Takes the objects that an object holds out of it, and returns them.
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

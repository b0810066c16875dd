/// A type that makes nodes again at launch: the first place the engine asks.
///
/// It may be the node's own class or any other. Register it with a ``RestorationRegistry``.
@MainActor
public protocol RestorationClass {
  /// The stable name of the class, written into the archive; by default the type's own name.
  static var restorationClassName: String { get }

  /// Makes the node for a path, or returns one that exists.
  ///
  /// Do the least that is needed; the node decodes its state later. The length of the path tells a
  /// pushed node from a presented one of the same class.
  ///
  /// - Parameters:
  ///   - path: The identifiers of all ancestors and of the node itself.
  ///   - coder: What the node wrote when it was saved.
  /// - Returns: The node, or `nil` to leave it and everything below it out; the search then stops.
  /// - Throws: Any error; the node is then left out, and the report says why.
  static func restorableNode(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) throws -> (any RestorableNode)?
}

extension RestorationClass {
  /// The type's own name.
  public static var restorationClassName: String { String(describing: Self.self) }
}

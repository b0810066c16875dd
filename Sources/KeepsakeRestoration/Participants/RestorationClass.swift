/// A type that makes nodes again at launch: the first step of the engine's search.
///
/// It may be the node's own class or any other. Register it with a ``RestorationRegistry``.
@MainActor
public protocol RestorationClass {
  /// The stable name of the class, written into the archive; by default the type's name with its
  /// module and the types that enclose it.
  ///
  /// The default name of a private or local type differs from process to process, so such a type has to state one.
  static var restorationClassName: String { get }

  /// Makes the node for a path, or returns one that exists.
  ///
  /// Do only the minimum; the node decodes its state later. The length of the path distinguishes a pushed node
  /// from a presented one of the same class. The coder has the values that the node wrote when it was saved.
  ///
  /// - Returns: The node, or `nil` to leave it and everything below it out; the search then stops.
  /// - Throws: Any error; the node is then left out, and the report says why.
  static func restorableNode(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) throws -> (any RestorableNode)?
}

extension RestorationClass {
  /// The type's name with its module and the types that enclose it.
  public static var restorationClassName: String { StableName.qualified(Self.self) }
}

/// A type that makes registered objects again at launch, when something refers to them.
///
/// It may be the object's own class or any other. Register it with a ``RestorationRegistry``.
@MainActor
public protocol ObjectRestorationClass {
  /// The stable name of the class, written into the archive; by default the type's name with its
  /// module and the types that enclose it.
  ///
  /// The default name of a private or local type differs from process to process, so such a type has to state one.
  static var restorationClassName: String { get }

  /// Makes the object for a path, with the values that it wrote when it was saved.
  ///
  /// - Returns: The object, or `nil` to leave it out. The coordinator holds it weakly.
  /// - Throws: Any error; the object is then left out, and the report says why.
  static func restorableObject(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) throws -> (any RestorableObject)?
}

extension ObjectRestorationClass {
  /// The type's name with its module and the types that enclose it.
  public static var restorationClassName: String { StableName.qualified(Self.self) }
}

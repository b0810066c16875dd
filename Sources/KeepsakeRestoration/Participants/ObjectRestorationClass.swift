/// A type that makes registered objects again at launch, when something refers to them.
///
/// It may be the object's own class or any other. Register it with a ``RestorationRegistry``.
@MainActor
public protocol ObjectRestorationClass {
  /// The stable name of the class, written into the archive; by default the type's own name.
  static var restorationClassName: String { get }

  /// Makes the object for a path.
  ///
  /// - Parameters:
  ///   - path: The identifiers of all ancestors and of the object itself.
  ///   - coder: What the object wrote when it was saved.
  /// - Returns: The object, or `nil` to leave it out. The coordinator holds it weakly.
  /// - Throws: Any error; the object is then left out, and the report says why.
  static func restorableObject(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) throws -> (any RestorableObject)?
}

extension ObjectRestorationClass {
  /// The type's own name.
  public static var restorationClassName: String { String(describing: Self.self) }
}

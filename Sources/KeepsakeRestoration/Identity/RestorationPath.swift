/// The restoration path of an object: the identifiers of all its ancestors and its own, root first.
///
/// A pushed screen's parent is its navigation controller, a presented screen's parent is the screen
/// that presents it; what lies below it on a stack is no part of its path. A path is an array and
/// never a joined string, so an identifier may hold any character. Rules: Spec/restoration.md,
/// section 2.
public struct RestorationPath: Hashable, Sendable {
  /// The most components that a path of a saved object has.
  static let maximumCount = 512

  /// The identifiers, root first; never empty, and none of them empty.
  public let components: [String]

  /// The identifier of the object itself: the last component.
  public var identifier: String { components.last ?? "" }

  /// The number of components.
  public var count: Int { components.count }

  init(root identifier: String) {
    components = [identifier]
  }

  private init(components: [String]) {
    self.components = components
  }

  /// Makes a path of identifiers, unless there are none or one is empty.
  init?(_ components: [String]) {
    guard !components.isEmpty, !components.contains("") else { return nil }
    self.components = components
  }

  /// The path of the parent; `nil` for a root.
  var parent: RestorationPath? { RestorationPath(Array(components.dropLast())) }

  func appending(_ identifier: String) -> RestorationPath {
    RestorationPath(components: components + [identifier])
  }
}

extension RestorationPath: CustomStringConvertible {
  /// The components between brackets, as in `[Navigation, Detail]`.
  public var description: String {
    "[" + components.joined(separator: ", ") + "]"
  }
}

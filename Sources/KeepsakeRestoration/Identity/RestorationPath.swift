/// The restoration path of an object: the identifiers of all its ancestors and its own, root first.
///
/// A pushed screen's parent is its navigation controller, a presented screen's parent is the screen
/// that presents it; what lies below it on a stack is no part of its path. A path is a sequence of
/// identifiers and never a joined string, so an identifier may hold any character. Rules:
/// Spec/restoration.md, section 2.
public struct RestorationPath: Sendable {
  /// The most components that a path of a saved object has.
  static let maximumCount = 512

  /// One component; the paths of siblings share those of their ancestors.
  private final class Component: Sendable {
    let parent: Component?
    let identifier: String
    let count: Int

    init(_ identifier: String, below parent: Component?) {
      self.parent = parent
      self.identifier = identifier
      count = (parent?.count ?? 0) + 1
    }
  }

  private let last: Component

  /// The identifiers, root first; never empty, and none of them empty.
  ///
  /// - Complexity: In proportion to their number; ``identifier`` and ``count`` are known at once.
  public var components: [String] {
    var components: [String] = []
    components.reserveCapacity(last.count)
    var next: Component? = last
    while let component = next {
      components.append(component.identifier)
      next = component.parent
    }
    components.reverse()
    return components
  }

  /// The identifier of the object itself: the last component.
  public var identifier: String { last.identifier }

  /// The number of components.
  public var count: Int { last.count }

  init(root identifier: String) {
    last = Component(identifier, below: nil)
  }

  private init(_ last: Component) {
    self.last = last
  }

  /// Makes a path of identifiers, unless there are none or one is empty.
  init?(_ components: [String]) {
    guard let first = components.first, !components.contains("") else { return nil }
    self = components.dropFirst().reduce(RestorationPath(root: first)) { $0.appending($1) }
  }

  /// The path of the parent; `nil` for a root.
  var parent: RestorationPath? { last.parent.map { RestorationPath($0) } }

  func appending(_ identifier: String) -> RestorationPath {
    RestorationPath(Component(identifier, below: last))
  }
}

extension RestorationPath: Hashable {
  /// Returns whether two paths have the same components.
  public static func == (left: RestorationPath, right: RestorationPath) -> Bool {
    guard left.count == right.count else { return false }
    var (one, other): (Component?, Component?) = (left.last, right.last)
    while let first = one, let second = other, first !== second {
      guard first.identifier == second.identifier else { return false }
      (one, other) = (first.parent, second.parent)
    }
    return true
  }

  /// Feeds the components to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    var next: Component? = last
    while let component = next {
      hasher.combine(component.identifier)
      next = component.parent
    }
  }
}

extension RestorationPath: CustomStringConvertible {
  /// The components between brackets, as in `[Navigation, Detail]`.
  ///
  /// It is for people: of a component the first 80 characters are shown, of a long path the last 20
  /// components.
  public var description: String {
    var parts: [String] = []
    var next: Component? = last
    while let component = next, parts.count < 20 {
      parts.append(Self.shown(component.identifier))
      next = component.parent
    }
    if next != nil { parts.append("…") }
    return "[" + parts.reversed().joined(separator: ", ") + "]"
  }

  /// An identifier as people are shown it.
  static func shown(_ identifier: String) -> String {
    let isLong = identifier.utf8.count > 80 && identifier.count > 80
    return isLong ? identifier.prefix(80) + "…" : identifier
  }
}

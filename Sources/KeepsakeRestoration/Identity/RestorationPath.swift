import KeepsakeArchive

/// The restoration path of an object: the identifiers of all its ancestors and its own, root first.
///
/// A pushed screen's parent is its navigation controller, a presented screen's parent is the screen
/// that presents it; what lies below it on a stack is no part of its path. A path is a sequence of
/// identifiers and never a joined string, so an identifier may hold any character. Rules:
/// Spec/restoration.md, section 2.
public struct RestorationPath: Sendable {
  /// The most components that a path of a saved object has.
  static let maximumCount = 512

  /// A path as the beginning of others; the paths of siblings share that of their parent.
  ///
  /// A path itself needs no memory of its own, so that most objects, which contain no others, cost none.
  final class Prefix: Sendable {
    let parent: Prefix?
    let identifier: String
    let count: Int

    init(_ identifier: String, below parent: Prefix?) {
      self.parent = parent
      self.identifier = identifier
      count = (parent?.count ?? 0) + 1
    }
  }

  private let ancestors: Prefix?

  /// The identifier of the object itself: the last component.
  public let identifier: String

  /// The identifiers, root first; never empty, and none of them empty.
  ///
  /// - Complexity: In proportion to their number; ``identifier`` and ``count`` are known at once.
  public var components: [String] {
    var components = [identifier]
    components.reserveCapacity(count)
    var next = ancestors
    while let ancestor = next {
      components.append(ancestor.identifier)
      next = ancestor.parent
    }
    components.reverse()
    return components
  }

  /// The number of components.
  public var count: Int { (ancestors?.count ?? 0) + 1 }

  init(root identifier: String) {
    self.init(identifier, below: nil)
  }

  init(_ identifier: String, below ancestors: Prefix?) {
    self.ancestors = ancestors
    self.identifier = identifier
  }

  /// Makes a path of identifiers, unless there are none or one is empty.
  init?(_ components: [String]) {
    guard let first = components.first, !components.contains("") else { return nil }
    self = components.dropFirst().reduce(RestorationPath(root: first)) { $0.appending($1) }
  }

  /// The path of the parent; `nil` for a root.
  var parent: RestorationPath? {
    ancestors.map { RestorationPath($0.identifier, below: $0.parent) }
  }

  /// The path as the beginning of others.
  var prefix: Prefix { Prefix(identifier, below: ancestors) }

  func appending(_ identifier: String) -> RestorationPath {
    RestorationPath(identifier, below: prefix)
  }
}

extension RestorationPath: Hashable {
  /// Returns whether two paths have the same components, byte for byte.
  public static func == (left: RestorationPath, right: RestorationPath) -> Bool {
    guard left.count == right.count, left.identifier.hasSameBytes(as: right.identifier) else {
      return false
    }
    var (one, other) = (left.ancestors, right.ancestors)
    while let first = one, let second = other, first !== second {
      guard first.identifier.hasSameBytes(as: second.identifier) else { return false }
      (one, other) = (first.parent, second.parent)
    }
    return true
  }

  /// Feeds the bytes of the components to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    identifier.hashBytes(into: &hasher)
    var next = ancestors
    while let ancestor = next {
      ancestor.identifier.hashBytes(into: &hasher)
      next = ancestor.parent
    }
  }
}

extension RestorationPath: CustomStringConvertible {
  /// The components between brackets, as in `[Navigation, Detail]`.
  ///
  /// It is for people: of a component the first 80 characters are shown, with control characters escaped,
  /// of a long path the last 20 components.
  public var description: String {
    var parts = [Self.shown(identifier)]
    var next = ancestors
    while let ancestor = next, parts.count < 20 {
      parts.append(Self.shown(ancestor.identifier))
      next = ancestor.parent
    }
    if next != nil { parts.append("…") }
    return "[" + parts.reversed().joined(separator: ", ") + "]"
  }

  /// An identifier as people are shown it.
  static func shown(_ identifier: String) -> String {
    let isLong = identifier.utf8.count > 80 && identifier.count > 80
    return (isLong ? identifier.prefix(80) + "…" : identifier).displayed
  }
}

import KeepsakeArchive

/// The restoration path of an object: the identifiers of all its ancestors and its own, root first.
///
/// The parent of a pushed screen is its navigation controller; the screens below it on the stack are not in its
/// path. The parent of a presented screen is the screen that presents it. A path is a sequence of identifiers and
/// never a joined string, so an identifier may hold any character. Rules: Spec/restoration.md, section 2.
public struct RestorationPath: Sendable {
  /// The maximum number of components in the path of a saved object.
  package static let maximumCount = 512

  /// A path as the prefix of others; siblings share the prefix of their parent.
  ///
  /// Only objects that contain others have a prefix on the heap; a path itself allocates nothing.
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
  /// - Complexity: O(*n*) in their number; ``identifier`` is O(1).
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
  package var count: Int { (ancestors?.count ?? 0) + 1 }

  init(root identifier: String) {
    self.init(identifier, below: nil)
  }

  init(_ identifier: String, below ancestors: Prefix?) {
    self.ancestors = ancestors
    self.identifier = identifier
  }

  /// Makes a path of identifiers; nil when the array or one of the identifiers is empty.
  init?(_ components: [String]) {
    guard let first = components.first, !components.contains("") else { return nil }
    self = components.dropFirst().reduce(RestorationPath(root: first)) { $0.appending($1) }
  }

  /// The path of the parent; `nil` for a root.
  var parent: RestorationPath? {
    ancestors.map { RestorationPath($0.identifier, below: $0.parent) }
  }

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
  /// It is for people: it shows the first 80 characters of a component, with control characters escaped, and the last
  /// 20 components of a long path.
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

  /// An identifier in the form for messages.
  static func shown(_ identifier: String) -> String {
    let isLong = identifier.utf8.count > 80 && identifier.count > 80
    return (isLong ? identifier.prefix(80) + "…" : identifier).displayed
  }
}

extension RestorationPath: Encodable {
  /// Writes the components as an array.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(components)
  }
}

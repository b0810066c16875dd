import KeepsakeArchive

/// An object that takes part, with what it is: asking an object for its kind costs more than a call.
@MainActor
enum Participant {
  case node(any RestorableNode)
  case view(any RestorableView)
  case object(any RestorableObject)

  var object: any RestorableObject {
    switch self {
    case .node(let node): node
    case .view(let view): view
    case .object(let object): object
    }
  }

  /// The type of the object.
  var type: any RestorableObject.Type {
    switch self {
    case .node(let node): Swift.type(of: node)
    case .view(let view): Swift.type(of: view)
    case .object(let object): Swift.type(of: object)
    }
  }

  var node: (any RestorableNode)? {
    if case .node(let node) = self { return node }
    return nil
  }

  var identifier: String? {
    switch self {
    case .node(let node): node.restorationIdentifier
    case .view(let view): view.restorationIdentifier
    case .object(let object): object.restorationIdentifier
    }
  }
}

extension RestorableObject {
  /// The restoration identifier, unless it is empty.
  var savedIdentifier: String? {
    guard let identifier = restorationIdentifier, !identifier.isEmpty else { return nil }
    return identifier
  }
}

extension RestorableNode {
  /// The nodes directly below this one: what it contains, and then what it presents.
  var nodesBelow: [any RestorableNode] {
    guard let presented = restorationPresentedNode else { return restorationChildren }
    return restorationChildren + [presented]
  }

  /// The ordinal of this node in the container that its parent is.
  var ordinalInContainer: UInt32 {
    guard let container = restorationParent as? any RestorableNode else { return 0 }
    let siblings = container.restorationChildren
    var ordinals = Ordinals(of: container, count: siblings.count + 1)
    for sibling in siblings {
      let ordinal = ordinals.next(sibling.restorationIdentifier)
      if sibling === self { return ordinal }
    }
    // What is presented comes after all that is contained.
    return ordinals.next(restorationIdentifier)
  }
}

/// The number of siblings with the same identifier that come first, in a container that tells its
/// children apart by their order; zero in all others.
struct Ordinals {
  private var counts: [NameKey: UInt32]?

  @MainActor
  init(of container: any RestorableNode, count: Int) {
    // A single child has no siblings to be told apart from.
    counts = count > 1 && container.disambiguatesRestorationChildren ? [:] : nil
  }

  var areCounted: Bool { counts != nil }

  /// The ordinal of the next sibling; each one counts, whether it is saved or not.
  mutating func next(_ identifier: String?) -> UInt32 {
    guard counts != nil, let identifier else { return 0 }
    let ordinal = counts?[NameKey(identifier)] ?? 0
    counts?[NameKey(identifier)] = ordinal + 1
    return ordinal
  }
}

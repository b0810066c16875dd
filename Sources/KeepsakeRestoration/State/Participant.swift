import KeepsakeArchive

/// An object of a save or a restore, with its kind: a cast to find the kind costs more than a call.
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
  /// The nodes directly below this one: the contained ones, then the presented one.
  var nodesBelow: [any RestorableNode] {
    guard let presented = restorationPresentedNode else { return restorationChildren }
    return restorationChildren + [presented]
  }

  var ordinalInContainer: UInt32 {
    guard let container = restorationParent as? any RestorableNode else { return 0 }
    let siblings = container.restorationChildren
    var ordinals = Ordinals(of: container, count: siblings.count + 1)
    for sibling in siblings {
      let ordinal = ordinals.next(sibling.restorationIdentifier)
      if sibling === self { return ordinal }
    }
    // A presented node comes after all contained ones.
    return ordinals.next(restorationIdentifier)
  }
}

/// Counts the siblings before each sibling that have the same identifier.
///
/// The count is always zero in a container whose children may not share an identifier.
struct Ordinals {
  private var counts: [NameKey: UInt32]?

  @MainActor
  init(of container: any RestorableNode, count: Int) {
    // A single child has no siblings.
    counts = count > 1 && container.disambiguatesRestorationChildren ? [:] : nil
  }

  var areCounted: Bool { counts != nil }

  /// The ordinal of the next sibling; siblings that are not saved count too.
  mutating func next(_ identifier: String?) -> UInt32 {
    guard counts != nil, let identifier else { return 0 }
    let ordinal = counts?[NameKey(identifier)] ?? 0
    counts?[NameKey(identifier)] = ordinal + 1
    return ordinal
  }
}

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

public import KeepsakeRestoration

/// A stack of controllers; the top controller is visible.
///
/// Its children are the stack, the root first; their order is saved and restored. Children may share an identifier,
/// since their order tells them apart. The stack ends below the first child that is not restored.
@MainActor
open class HeadlessNavigationController: HeadlessViewController {
  /// The visible controller of the stack.
  public var topController: HeadlessViewController? { children.last }

  /// Creates a navigation controller.
  ///
  /// - Parameters:
  ///   - restorationIdentifier: Its identifier, or `nil` to keep it out of the archive.
  ///   - root: The controller at the bottom of the stack, if any.
  public init(restorationIdentifier: String? = nil, root: HeadlessViewController? = nil) {
    super.init(restorationIdentifier: restorationIdentifier)
    if let root { setChildren([root]) }
  }

  /// Puts a controller on top of the stack.
  public func push(_ controller: HeadlessViewController) {
    setChildren(children + [controller])
  }

  /// Removes the top controller of the stack, unless it is the root.
  ///
  /// - Returns: The controller that was removed.
  @discardableResult
  public func pop() -> HeadlessViewController? {
    guard children.count > 1, let top = children.last else { return nil }
    setChildren(Array(children.dropLast()))
    return top
  }

  /// The top controller, which covers the others.
  open override var restorationVisibleChildren: [any RestorableNode] { children.suffix(1) }

  /// Children of a stack may share an identifier.
  open override var disambiguatesRestorationChildren: Bool { true }

  /// Restores the stack, up to the first controller that was not restored.
  open override func attachRestoredChildren(_ children: [(any RestorableNode)?]) {
    var stack: [HeadlessViewController] = []
    for child in children {
      guard let controller = child as? HeadlessViewController else { break }
      stack.append(controller)
    }
    if !stack.isEmpty { setChildren(stack) }
  }
}

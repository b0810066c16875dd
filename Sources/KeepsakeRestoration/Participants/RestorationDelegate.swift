/// The application's part: it decides whether to save and to restore, and makes objects that only it can make.
///
/// Having a delegate is the opt-in; it must implement both ``shouldSaveState(with:)`` and
/// ``shouldRestoreState(with:)``. Spec/restoration.md, section 3, states the order of the calls.
@MainActor
public protocol RestorationDelegate: AnyObject {
  /// The windows whose root nodes are saved, in a stable order.
  var restorationWindows: [any RestorationWindow] { get }

  /// Builds the objects that must exist before the state is restored, such as the window.
  func willFinishLaunching()

  /// Decides whether the state is saved, and may write values of the application.
  ///
  /// - Returns: Whether to save. After `false` an older archive is removed, so that the next launch
  ///   does not bring back the state of two sessions ago.
  /// - Throws: Any error; nothing is then saved, and the older archive stays.
  func shouldSaveState(with coder: inout RestorationEncoder) throws -> Bool

  /// Writes values of the application with the same coder, after ``shouldSaveState(with:)`` has returned `true`.
  ///
  /// - Throws: Any error; nothing is then saved.
  func willEncodeRestorableState(with coder: inout RestorationEncoder) throws

  /// Decides whether the state is restored, before any node is made or decoded.
  ///
  /// - Throws: Any error; nothing is then restored.
  func shouldRestoreState(with coder: borrowing RestorationDecoder) throws -> Bool

  /// Makes a further window, when more windows were saved than exist; called before any node is made.
  ///
  /// ``restorationWindows`` must have the window from then on. The position is the number of windows before it; `nil`
  /// leaves out this window and all further ones.
  func makeRestorationWindow(at position: Int) -> (any RestorationWindow)?

  /// Makes or finds a node that has no restoration class: the second step of the engine's search.
  ///
  /// - Returns: The node, or `nil` to let the engine look for an existing node at exactly this path
  ///   and then for the node's template.
  /// - Throws: Any error; the node is then left out, and the report says why.
  func restorableNode(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) throws -> (any RestorableNode)?

  /// Reads values of the application, after every object has decoded its state.
  ///
  /// - Throws: Any error; the report names it.
  func didDecodeRestorableState(with coder: borrowing RestorationDecoder) throws

  /// Ends the launch: builds the default interface when nothing was restored.
  func didFinishLaunching(_ report: RestoreReport)
}

extension RestorationDelegate {
  /// Writes nothing.
  public func willEncodeRestorableState(with coder: inout RestorationEncoder) throws {}

  /// Makes no window.
  public func makeRestorationWindow(at position: Int) -> (any RestorationWindow)? { nil }

  /// Makes no node.
  public func restorableNode(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) throws -> (any RestorableNode)? { nil }

  /// Reads nothing.
  public func didDecodeRestorableState(with coder: borrowing RestorationDecoder) throws {}
}

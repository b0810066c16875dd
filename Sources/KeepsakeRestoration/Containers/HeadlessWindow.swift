/// A window without a screen: it holds a root controller and nothing else.
@MainActor
open class HeadlessWindow: RestorationWindow {
  /// The root controller.
  open var rootController: HeadlessViewController?

  /// Creates a window without a root.
  public init() {}

  /// The root controller as a node; a node of another make is not taken as root.
  public var restorationRootNode: (any RestorableNode)? {
    get { rootController }
    set { rootController = newValue as? HeadlessViewController }
  }
}

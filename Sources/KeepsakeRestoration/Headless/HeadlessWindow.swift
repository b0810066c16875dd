/// A window without a screen: it holds a root controller and nothing else.
///
/// The windows of one app have one first responder together; ``init(beside:)`` makes a further one.
@MainActor
open class HeadlessWindow: RestorationWindow {
  /// The root controller.
  open var rootController: HeadlessViewController? {
    didSet {
      if oldValue?.window === self { oldValue?.window = nil }
      rootController?.window = self
    }
  }
  let responderScope: ResponderScope

  /// Creates a window without a root.
  ///
  /// - Parameter other: A window of the same app, for its second and further windows.
  public init(beside other: HeadlessWindow? = nil) {
    responderScope = other?.responderScope ?? ResponderScope()
  }

  /// The root controller as a node; a node of another make is not taken as root.
  public var restorationRootNode: (any RestorableNode)? {
    get { rootController }
    set { rootController = newValue as? HeadlessViewController }
  }
}

/// What has one first responder: the windows of an app, or controllers that are in no window.
@MainActor
final class ResponderScope {
  weak var firstResponder: HeadlessView?
}

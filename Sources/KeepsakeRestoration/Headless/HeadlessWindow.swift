/// A window without a screen: it holds a root controller and nothing else.
///
/// The windows of one app have one first responder together; ``init(beside:)`` makes a further one.
@MainActor
open class HeadlessWindow: RestorationWindow {
  /// The windows of one app.
  private final class Group {
    struct Member { weak var window: HeadlessWindow? }
    var members: [Member] = []
  }

  /// The root controller.
  open var rootController: HeadlessViewController? {
    didSet {
      if oldValue?.window === self { oldValue?.window = nil }
      rootController?.window = self
      rootController?.keepFirstResponder()
    }
  }
  private let group: Group

  /// Creates a window without a root.
  ///
  /// - Parameter other: A window of the same app, for its second and further windows.
  public init(beside other: HeadlessWindow? = nil) {
    group = other?.group ?? Group()
    group.members.removeAll { $0.window == nil }
    group.members.append(Group.Member(window: self))
  }

  /// This window and the others of the app.
  var windowsOfApp: [HeadlessWindow] { group.members.compactMap(\.window) }

  /// The root controller as a node; a node of another class is not taken as root.
  public var restorationRootNode: (any RestorableNode)? {
    get { rootController }
    set { rootController = newValue as? HeadlessViewController }
  }
}

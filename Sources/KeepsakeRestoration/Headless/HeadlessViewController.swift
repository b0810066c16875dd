/// A view controller without a screen: identity, views, children and a presented controller.
///
/// Subclass it in an app whose interface is drawn by other means, or in tests. It adopts
/// ``RestorableNode`` from outside the engine, exactly as a controller of any toolkit would.
@MainActor
open class HeadlessViewController: RestorableNode {
  /// The stable name of the class in archives: the name of the class that the object is of.
  open class var restorationTypeName: String { String(reflecting: self) }
  /// Overrides have to call `super`.
  open class var requiresSuperclassCall: Bool { true }

  /// The identifier of this controller; `nil` keeps it and everything below it out of the archive.
  open var restorationIdentifier: String?
  /// The class that is asked to make this controller at the next launch.
  open var restorationClass: (any RestorationClass.Type)?
  /// The name of the template that this controller was made from.
  open var restorationTemplate: String?
  /// Views with state of their own.
  public private(set) var views: [HeadlessView] = []
  /// The contained controllers, bottom first.
  public private(set) var children: [HeadlessViewController] = []
  /// The controller that contains this one.
  public private(set) weak var parent: HeadlessViewController?
  /// The controller that this one itself presents; what is presented from within a container, the outermost
  /// container presents.
  public private(set) var presentedController: HeadlessViewController?
  /// The controller that presents this one.
  public private(set) weak var presentingController: HeadlessViewController?
  /// The window whose root this controller is.
  weak var window: HeadlessWindow?

  /// Creates a controller.
  ///
  /// - Parameter restorationIdentifier: Its identifier, or `nil` to keep it out of the archive.
  public init(restorationIdentifier: String? = nil) {
    self.restorationIdentifier = restorationIdentifier
  }

  /// Adds a view, whose state is saved when it has an identifier.
  ///
  /// - Parameter view: The view.
  public func addView(_ view: HeadlessView) {
    view.controller = self
    views.append(view)
  }

  /// Replaces the contained controllers; those that go lose their parent.
  ///
  /// - Parameter children: The new children, bottom first.
  public func setChildren(_ children: [HeadlessViewController]) {
    let joining = children.filter { $0.parent !== self }
    for child in self.children { child.parent = nil }
    self.children = children
    for child in children { child.parent = self }
    for child in joining { child.keepFirstResponder() }
  }

  /// Presents a controller, in place of any that was presented before.
  ///
  /// A controller that is contained hands it on to its container, and the outermost one presents: the path
  /// of what is presented leads over that one.
  ///
  /// - Parameter controller: The controller.
  open func present(_ controller: HeadlessViewController) {
    if let parent { return parent.present(controller) }
    setPresentedController(controller)
  }

  /// Takes away the presented controller, if this one or a container around it presents one.
  open func dismissPresentedController() {
    if presentedController == nil, let parent { return parent.dismissPresentedController() }
    setPresentedController(nil)
  }

  private func setPresentedController(_ controller: HeadlessViewController?) {
    presentedController?.presentingController = nil
    presentedController = controller
    controller?.presentingController = self
    controller?.keepFirstResponder()
  }

  /// The controller itself, if it has a place in an archive; containers refer to their children by it, since a child
  /// without an identifier is no mistake.
  var savedSelf: HeadlessViewController? {
    (restorationIdentifier ?? "").isEmpty ? nil : self
  }

  /// The children that the user can see; all of them unless a subclass knows better.
  open var restorationVisibleChildren: [any RestorableNode] { children }

  /// Whether children may share an identifier; `false` unless a subclass orders its children.
  open var disambiguatesRestorationChildren: Bool { false }

  /// Puts restored children back; does nothing unless a subclass is a container.
  open func attachRestoredChildren(_ children: [(any RestorableNode)?]) {}

  /// Writes nothing; subclasses write their state and call `super`.
  open func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    coder.confirmSuperclassCall()
  }

  /// Reads nothing; subclasses read their state and call `super`.
  open func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    coder.confirmSuperclassCall()
  }

  /// Does nothing; subclasses wire restored objects to each other.
  open func applicationFinishedRestoringState() {}
}

extension HeadlessViewController {
  /// The container, or else the presenter.
  public var restorationParent: (any RestorableObject)? { parent ?? presentingController }

  /// The contained controllers.
  public var restorationChildren: [any RestorableNode] { children }

  /// The controller that this one itself presents.
  public var restorationPresentedNode: (any RestorableNode)? { presentedController }

  /// The views.
  public var restorationViews: [any RestorableView] { views }

  /// Presents a restored controller.
  public func attachRestoredPresentedNode(_ node: any RestorableNode) {
    guard let controller = node as? HeadlessViewController else { return }
    // A controller that was put into a container after it had presented something still presents it.
    if parent == nil { present(controller) } else { setPresentedController(controller) }
  }
}

// The first responder, of which an app has one.
extension HeadlessViewController {
  /// This controller and all that it contains and presents.
  private var tree: [HeadlessViewController] {
    var tree: [HeadlessViewController] = []
    var seen: Set<ObjectIdentifier> = []
    var pending = [self]
    while let next = pending.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      tree.append(next)
      pending += next.children
      if let presented = next.presentedController { pending.append(presented) }
    }
    return tree
  }

  /// The controllers of all windows of the app, or those that hang together with this one in no window.
  private var controllersOfApp: [HeadlessViewController] {
    var outermost = self
    // A controller that contains itself has no outermost one.
    for _ in 0..<RestorationPath.maximumCount {
      guard let next = outermost.parent ?? outermost.presentingController else { break }
      outermost = next
    }
    guard let window = outermost.window else { return outermost.tree }
    return window.windowsOfApp.compactMap(\.rootController).flatMap(\.tree)
  }

  /// Takes the first responder away from all views of the app but one.
  func resignFirstResponders(but view: HeadlessView) {
    for controller in controllersOfApp {
      for other in controller.views where other !== view { other.resignFirstResponder() }
    }
  }

  /// Lets the first responder of a controller that joins others be the only one among them.
  func keepFirstResponder() {
    for controller in tree {
      for view in controller.views where view.isFirstResponder {
        return resignFirstResponders(but: view)
      }
    }
  }
}

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

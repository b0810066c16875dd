public import KeepsakeRestoration

/// A view controller without a screen: identity, views, children and a presented controller.
///
/// Subclass it in an app that draws its interface by other means, or in tests. It adopts
/// ``/KeepsakeRestoration/RestorableNode`` from outside the engine, exactly as a controller of any toolkit would.
@MainActor
open class HeadlessViewController: RestorableNode {
  /// The stable name of the class in archives: by default the name of the object's own class.
  open class var restorationTypeName: String { HeadlessTypeName.archived(self) }
  /// True, because overrides have to call `super`.
  open class var requiresSuperclassCall: Bool { true }

  /// The identifier of this controller; `nil` keeps the controller and everything below it out of the archive.
  open var restorationIdentifier: String?
  /// The class that makes this controller at the next launch.
  open var restorationClass: (any RestorationClass.Type)?
  /// The name of the template that this controller was made from.
  open var restorationTemplate: String?
  /// Views with state of their own.
  public private(set) var views: [HeadlessView] = []
  /// The contained controllers, bottom first.
  public private(set) var children: [HeadlessViewController] = []
  /// The controller that contains this one.
  public private(set) weak var parent: HeadlessViewController?
  /// The controller that this one presents itself.
  ///
  /// A contained controller leaves presenting to its outermost container.
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
  public func addView(_ view: HeadlessView) {
    view.controller = self
    views.append(view)
  }

  /// Replaces the contained controllers; removed ones lose their parent.
  ///
  /// - Parameter children: The new children, bottom first.
  public func setChildren(_ children: [HeadlessViewController]) {
    let joining = children.filter { $0.parent !== self }
    for child in self.children { child.parent = nil }
    self.children = children
    for child in children { child.parent = self }
    for child in joining { child.keepFirstResponder() }
    childrenChanged()
  }

  /// Called when the contained controllers were set.
  func childrenChanged() {}

  /// Presents a controller, in place of the one that is presented now.
  ///
  /// A contained controller leaves presenting to its outermost container. That container then precedes the presented
  /// controller in its path.
  open func present(_ controller: HeadlessViewController) {
    if let parent { return parent.present(controller) }
    setPresentedController(controller)
  }

  /// Dismisses the controller that this one or a container around it presents.
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

  /// The controller itself when it has an identifier, otherwise nil.
  ///
  /// Containers refer to their children by it, since a child without an identifier is no mistake.
  var savedSelf: HeadlessViewController? {
    (restorationIdentifier ?? "").isEmpty ? nil : self
  }

  /// The children that the user can see: the top of a stack, the selected tab, the columns that are not hidden; all
  /// children of other controllers.
  open var restorationVisibleChildren: [any RestorableNode] { visibleChildren }

  /// Whether children may share an identifier, since their order tells them apart, as in a stack and in columns.
  open var disambiguatesRestorationChildren: Bool { ordersChildren }

  /// Sets the restored children of a stack, and of a tab bar that asks for it; does nothing in other controllers.
  ///
  /// Subclasses that are containers set their restored children.
  open func attachRestoredChildren(_ children: [(any RestorableNode)?]) {
    setRestoredChildren(children.map { $0 as? HeadlessViewController })
  }

  /// Writes the state that the class of this module has; subclasses write their own state and call `super`.
  open func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    coder.confirmSuperclassCall()
    try encodeOwnState(with: &coder)
  }

  /// Reads the state that the class of this module has; subclasses read their own state and call `super`.
  open func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    coder.confirmSuperclassCall()
    try decodeOwnState(with: coder)
  }

  /// Does nothing; subclasses connect restored objects with each other.
  open func applicationFinishedRestoringState() {}

  // Classes of this module override these; classes of apps override the functions above.
  var visibleChildren: [HeadlessViewController] { children }
  var ordersChildren: Bool { false }
  func setRestoredChildren(_ children: [HeadlessViewController?]) {}
  func encodeOwnState(with coder: inout RestorationEncoder) throws {}
  func decodeOwnState(with coder: borrowing RestorationDecoder) throws {}
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
    // A controller that moved into a container after it had presented something still presents it.
    if parent == nil { present(controller) } else { setPresentedController(controller) }
  }
}

// The first responder. An app has only one.
extension HeadlessViewController {
  /// This controller and all controllers that it contains or presents, at any depth.
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

  /// The controllers of all windows of the app; outside of any window, those of the tree that holds this one.
  private var controllersOfApp: [HeadlessViewController] {
    var outermost = self
    // A controller that contains itself has no outermost controller, so the loop has a limit.
    for _ in 0..<RestorationPath.maximumCount {
      guard let next = outermost.parent ?? outermost.presentingController else { break }
      outermost = next
    }
    guard let window = outermost.window else { return outermost.tree }
    return window.windowsOfApp.compactMap(\.rootController).flatMap(\.tree)
  }

  /// Lets every view of the app but one resign as the first responder.
  func resignFirstResponders(but view: HeadlessView) {
    for controller in controllersOfApp {
      for other in controller.views where other !== view { other.resignFirstResponder() }
    }
  }

  /// Keeps the first responder in this controller's tree, and lets all other views of the app resign.
  ///
  /// Called after the controller has joined other controllers, which may have a first responder too.
  func keepFirstResponder() {
    for controller in tree {
      for view in controller.views where view.isFirstResponder {
        return resignFirstResponders(but: view)
      }
    }
  }
}

/// A window without a screen: it only holds a root controller.
///
/// The windows of one app share one first responder; ``init(beside:)`` makes a further window.
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

  /// The root controller as a node; setting a node of another class sets no root.
  public var restorationRootNode: (any RestorableNode)? {
    get { rootController }
    set { rootController = newValue as? HeadlessViewController }
  }
}

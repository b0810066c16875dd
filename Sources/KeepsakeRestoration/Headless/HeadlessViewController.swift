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
  /// The controller that this one or a container around it presents.
  public var presentedController: HeadlessViewController? {
    ownPresentedController ?? parent?.presentedController
  }
  private var ownPresentedController: HeadlessViewController?
  /// The controller that presents this one.
  public private(set) weak var presentingController: HeadlessViewController?
  private lazy var ownResponderScope = ResponderScope()
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
    for child in self.children { child.parent = nil }
    self.children = children
    for child in children { child.parent = self }
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
    guard let presented = presentedController else { return }
    presented.presentingController?.setPresentedController(nil)
  }

  private func setPresentedController(_ controller: HeadlessViewController?) {
    ownPresentedController?.presentingController = nil
    ownPresentedController = controller
    controller?.presentingController = self
  }

  /// The controller itself, when it has a place in an archive; containers refer to what they hold by it,
  /// as it is no mistake that a child has no identifier.
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
  public var restorationPresentedNode: (any RestorableNode)? { ownPresentedController }

  /// The views.
  public var restorationViews: [any RestorableView] { views }

  /// Presents a restored controller.
  public func attachRestoredPresentedNode(_ node: any RestorableNode) {
    guard let controller = node as? HeadlessViewController else { return }
    // A controller that was put into a container after it had presented something still presents it.
    if parent == nil { present(controller) } else { setPresentedController(controller) }
  }

  /// What shares one first responder: the window, or else the outermost controller.
  var responderScope: ResponderScope {
    var outermost = self
    // A controller that contains itself has no outermost one.
    for _ in 0..<RestorationPath.maximumCount {
      guard let next = outermost.parent ?? outermost.presentingController else { break }
      outermost = next
    }
    return outermost.window?.responderScope ?? outermost.ownResponderScope
  }
}

public import KeepsakeRestoration

/// A view without a screen: an identity within the controller that owns it.
@MainActor
open class HeadlessView: RestorableView {
  /// The stable name of the class in archives: by default the name of the object's own class.
  open class var restorationTypeName: String { HeadlessTypeName.archived(self) }
  /// True, because overrides have to call `super`.
  open class var requiresSuperclassCall: Bool { true }

  /// The identifier of this view; `nil` keeps its state out of the archive.
  open var restorationIdentifier: String?
  /// The controller that owns this view.
  public internal(set) weak var controller: HeadlessViewController?

  /// Creates a view.
  ///
  /// - Parameter restorationIdentifier: Its identifier, or `nil` to keep its state out of the archive.
  public init(restorationIdentifier: String? = nil) {
    self.restorationIdentifier = restorationIdentifier
  }

  /// True when the view can receive keyboard input; `false` unless a subclass can.
  open var canBecomeFirstResponder: Bool { false }

  /// True while the view receives keyboard input.
  public private(set) var isFirstResponder = false {
    didSet {
      if isFirstResponder != oldValue { firstResponderChanged() }
    }
  }

  /// Called when the view has become the first responder, or has resigned.
  func firstResponderChanged() {}

  /// Makes this view the first responder; every other view of the app's windows resigns.
  ///
  /// - Returns: True when it is the first responder now.
  @discardableResult
  public func becomeFirstResponder() -> Bool {
    guard canBecomeFirstResponder else { return false }
    controller?.resignFirstResponders(but: self)
    isFirstResponder = true
    return true
  }

  /// Stops receiving keyboard input.
  public func resignFirstResponder() {
    isFirstResponder = false
  }

  /// The controller that owns this view.
  public var restorationParent: (any RestorableObject)? { controller }

  /// Writes nothing; subclasses write their state and call `super`.
  open func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    coder.confirmSuperclassCall()
  }

  /// Reads nothing; subclasses read their state and call `super`.
  open func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
    coder.confirmSuperclassCall()
  }

  /// Does nothing; subclasses connect restored objects with each other.
  open func applicationFinishedRestoringState() {}
}

/// The names of headless classes in archives.
enum HeadlessTypeName {
  private static let module = "KeepsakeHeadless."
  /// The module of these classes in the first states that were saved; states still name it.
  private static let archivedModule = "KeepsakeRestoration."

  /// The name of a class with the module and the types that it is declared in.
  ///
  /// The classes of this module are named as if they were still part of KeepsakeRestoration, so that the bytes of
  /// states stay the same and older states are restored. The classes of apps have their own names.
  static func archived(_ type: AnyClass) -> String {
    let name = String(reflecting: type)
    return name.hasPrefix(module) ? archivedModule + name.dropFirst(module.count) : name
  }
}

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

  /// Whether the view can receive keyboard input: a text field can, and a text view that may be edited.
  open var canBecomeFirstResponder: Bool { takesText }

  /// Whether the user may type into the view.
  var takesText: Bool { false }

  /// Whether the view receives keyboard input.
  public private(set) var isFirstResponder = false {
    didSet {
      if isFirstResponder != oldValue { firstResponderChanged() }
    }
  }

  /// Called when the view has become the first responder, or has resigned.
  func firstResponderChanged() {}

  /// Makes this view the first responder; every other view of the app's windows resigns.
  ///
  /// - Returns: Whether it is the first responder now.
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

  /// Shows what the data source has by now; subclasses connect restored objects with each other and call `super`.
  open func applicationFinishedRestoringState() { restoreEnded() }

  // Classes of this module override these; classes of apps override the functions above.
  func encodeOwnState(with coder: inout RestorationEncoder) throws {}
  func decodeOwnState(with coder: borrowing RestorationDecoder) throws {}
  func restoreEnded() {}
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

/// An object whose state outlives the process: a node of the interface, a view, or any other object that is
/// registered with the coordinator.
///
/// Only an object with a restoration identifier is saved. A save hands it an encoder of its own; at a later launch,
/// the matching object gets a decoder of the same values. Store visual state, selections and references, and the
/// *identifier* of data that the app keeps elsewhere, never the data itself. Rules: Spec/restoration.md, sections 2
/// and 4.
@MainActor
public protocol RestorableObject: AnyObject {
  /// The stable name of the type, written into the archive; by default the type's name with its module and the types
  /// that enclose it.
  ///
  /// Override it before a type is renamed, or register the former name as an alias. The default name of a private or
  /// local type, or of a type that is generic over one, differs from process to process: such a type has to state a
  /// name, otherwise its objects are left out and reported.
  static var restorationTypeName: String { get }

  /// The identifier of this object among its siblings; `nil` or empty keeps it out of the archive.
  ///
  /// The engine sets it on every object that it restores.
  var restorationIdentifier: String? { get set }

  /// The object whose identifier precedes this one's in the path.
  ///
  /// It is the container of a contained node, the presenter of a presented one, the owner of a view,
  /// and `nil` for a window's root.
  var restorationParent: (any RestorableObject)? { get }

  /// True when overrides have to call `super`; `false` by default.
  ///
  /// A base class with state of its own returns `true`, and calls `confirmSuperclassCall()` of the coder in its own
  /// implementations. The report then names an override that forgets `super`.
  static var requiresSuperclassCall: Bool { get }

  /// The class that makes this object at the next launch, if it is a registered object and does not exist by then;
  /// not used for nodes and views.
  ///
  /// An object that its class has made keeps that class and its parent, even if its own properties are `nil`.
  var objectRestorationClass: (any ObjectRestorationClass.Type)? { get }

  /// Writes the state of this object; called once in every save.
  ///
  /// Classes call `super` somewhere in their implementation. Other objects, with coders of their own, may use the same
  /// keys.
  ///
  /// - Throws: Any error; the object then keeps its place but loses its state, and the report names it.
  func encodeRestorableState(with coder: inout RestorationEncoder) throws

  /// Reads the state that the matching object wrote in an earlier launch.
  ///
  /// The objects that it refers to exist, but may not have decoded their own state yet.
  ///
  /// - Throws: Any error; this object then keeps the values that it has read so far, and the report names it and
  ///   their keys. Use ``RestorationDecoder/decode(_:forKey:default:)`` so that a wrong value costs only its own key.
  func decodeRestorableState(with coder: borrowing RestorationDecoder) throws

  /// Tells the object that everything is restored; connect objects with each other here.
  func applicationFinishedRestoringState()
}

extension RestorableObject {
  /// The type's name with its module and the types that enclose it.
  public static var restorationTypeName: String { StableName.qualified(Self.self) }

  /// Overrides need not call `super`.
  public static var requiresSuperclassCall: Bool { false }

  /// No class.
  public var objectRestorationClass: (any ObjectRestorationClass.Type)? { nil }

  /// Writes nothing.
  public func encodeRestorableState(with coder: inout RestorationEncoder) throws {}

  /// Reads nothing.
  public func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {}

  /// Does nothing.
  public func applicationFinishedRestoringState() {}
}

extension StableName {
  /// The name of an object's type in the form for messages.
  @MainActor
  static func shown(of object: any RestorableObject) -> String {
    shown(type(of: object).restorationTypeName)
  }
}

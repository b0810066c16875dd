/// An object whose state outlives the process: a node of the interface, a view, or any other object
/// that was registered with the coordinator.
///
/// Only an object with a restoration identifier is saved. At a save it gets a coder of its own and
/// writes what it needs; at a later launch the matching object gets a coder over the same values.
/// Store visual state, selections and references, with the *identifier* of data that the app keeps
/// elsewhere, never the data itself. Rules: Spec/restoration.md, sections 2 and 4.
@MainActor
public protocol RestorableObject: AnyObject {
  /// The stable name of the type, written into the archive; by default the type's name with the module and
  /// the types that it lies in.
  ///
  /// Override it before a type is renamed, or register the former name as an alias. A type that is private,
  /// local, or generic over such a type has no name that is the same in every process: it has to state one,
  /// or its objects are left out and reported.
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

  /// Whether the implementations of the base class have to be reached by `super`; `false` by default.
  ///
  /// A base class with state of its own returns `true`, and calls `confirmSuperclassCall()` of the coder
  /// in its own implementations. An override that forgets `super` is then named in the report.
  static var requiresSuperclassCall: Bool { get }

  /// The class that makes this object at the next launch, if it is a registered object and does not
  /// exist by then; nodes and views do not use it.
  ///
  /// An object that its class has made keeps that class, and its parent, although it does not say so.
  var objectRestorationClass: (any ObjectRestorationClass.Type)? { get }

  /// Writes the state of this object; called once in every save.
  ///
  /// Classes call `super` somewhere in their implementation.
  ///
  /// - Parameter coder: A coder of this object's own: its keys meet no other object's.
  /// - Throws: Any error; the object then keeps its place and loses its state, and the report names it.
  func encodeRestorableState(with coder: inout RestorationEncoder) throws

  /// Reads the state that a matching object wrote in an earlier launch.
  ///
  /// Objects that it refers to exist, but may not have decoded their own state yet.
  ///
  /// - Parameter coder: A coder over what the matching object wrote.
  /// - Throws: Any error; this object then keeps what it has read so far, and the report names it and the
  ///   keys. Use ``RestorationDecoder/decode(_:forKey:default:)`` where one wrong key should cost one key.
  func decodeRestorableState(with coder: borrowing RestorationDecoder) throws

  /// Tells the object that everything has been restored; the place to wire objects to each other.
  func applicationFinishedRestoringState()
}

extension RestorableObject {
  /// The type's name with the module and the types that it lies in.
  public static var restorationTypeName: String { StableName.qualified(Self.self) }

  /// No base class has to be reached.
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
  /// The name of an object's type as people are shown it.
  @MainActor
  static func shown(of object: any RestorableObject) -> String {
    shown(type(of: object).restorationTypeName)
  }
}

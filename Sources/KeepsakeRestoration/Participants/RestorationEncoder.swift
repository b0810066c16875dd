public import KeepsakeArchive

/// What a coder asks of the save that it belongs to.
@MainActor
protocol EncodingContext: AnyObject {
  /// The id of an object, which is then saved too, or `nil` when it cannot be saved.
  func reference(to object: any RestorableObject) -> ArchiveObjectID?
  func confirmSuperclassCall()
  func ignoreSnapshot()
  func register(_ object: any RestorableObject, identifier: String) throws(RestorationError)
}

/// The coder that one object writes its state with, in a save.
///
/// Every object gets a coder of its own, so equal keys of two objects never meet. Values are
/// written as in any archive; a reference to another restorable object stores where to find it, and
/// has that object saved too. Rules: Spec/restoration.md, section 4.
///
/// ```swift
/// func encodeRestorableState(with coder: inout RestorationEncoder) throws {
///   coder.encode(contactIdentifier, forKey: "contact")
///   coder.encodeReference(lastEditor, forKey: "lastEditor")
/// }
/// ```
@MainActor
public struct RestorationEncoder: ~Copyable {
  @usableFromInline var writer: ArchiveWriter
  private let context: any EncodingContext

  init(_ writer: consuming ArchiveWriter, context: any EncodingContext) {
    self.writer = writer
    self.context = context
  }

  /// Writes a value under a key.
  ///
  /// A duplicate or reserved key is found when the object's record is complete: the object then keeps
  /// its place and loses its state, and the report says why.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key, unique within this object's scope.
  @inlinable
  @inline(__always)
  public mutating func encode<T: ArchiveValue>(_ value: T, forKey key: ArchiveKey) {
    writer.encoder.encode(value, forKey: key)
  }

  /// Makes a reference to another restorable object, and has that object saved too.
  ///
  /// A reference is a value like any other: encode it alone, or in arrays, dictionaries and values of
  /// your own, and find the object again by ``RestorationDecoder/object(for:as:)``. All references to one
  /// object lead to one instance again after a restore.
  ///
  /// - Parameter object: The object, or `nil`.
  /// - Returns: The reference; one to nothing for `nil`, and for an object that cannot be saved, because it
  ///   has no identifier or its view's owner has none. The report names it then.
  public func reference(to object: (any RestorableObject)?) -> ArchiveReference {
    ArchiveReference(object.flatMap { context.reference(to: $0) })
  }

  /// Writes a reference to another restorable object, and has that object saved too.
  ///
  /// - Parameters:
  ///   - object: The object, or `nil`.
  ///   - key: The key, unique within this object's scope.
  public mutating func encodeReference(
    _ object: (any RestorableObject)?, forKey key: ArchiveKey
  ) {
    encode(reference(to: object), forKey: key)
  }

  /// Writes references to several restorable objects, and has them saved too.
  ///
  /// - Parameters:
  ///   - objects: The objects, in their order.
  ///   - key: The key, unique within this object's scope.
  public mutating func encodeReferences(
    _ objects: [any RestorableObject], forKey key: ArchiveKey
  ) {
    encode(objects.map { reference(to: $0) }, forKey: key)
  }

  /// Writes references to several restorable objects under names of their own, and has them saved too.
  ///
  /// - Parameters:
  ///   - objects: The objects by their names; they are reached in the order of the names' bytes.
  ///   - key: The key, unique within this object's scope.
  public mutating func encodeNamedReferences(
    _ objects: [String: any RestorableObject], forKey key: ArchiveKey
  ) {
    var references: [String: ArchiveReference] = [:]
    // What is reached first is saved first, and a dictionary has another order in each process.
    for name in objects.keys.sorted(by: { $0.bytesPrecede($1) }) {
      references[name] = reference(to: objects[name])
    }
    encode(references, forKey: key)
  }

  /// Writes into a named scope of this object, whose keys meet no other scope's.
  ///
  /// A superclass that is meant to be inherited from writes in a scope named after itself, so that
  /// its keys never collide with those of a subclass.
  ///
  /// - Parameters:
  ///   - name: The name of the scope, as a rule that of the declaring type.
  ///   - body: Writes the values of the scope.
  /// - Throws: What `body` throws.
  public mutating func withScope(
    _ name: String, _ body: (inout RestorationEncoder) throws -> Void
  ) throws {
    guard let outer = writer.encoder.enterScope(name) else { return }
    defer { writer.encoder.leaveScope(to: outer) }
    try body(&self)
  }

  /// Confirms that a base class's implementation was reached; only base classes call this.
  ///
  /// See ``RestorableObject/requiresSuperclassCall``.
  public mutating func confirmSuperclassCall() {
    context.confirmSuperclassCall()
  }

  /// Asks that the next launch shows no picture of the interface as it was.
  ///
  /// It holds for the state of this save only, and can be asked for only within one. The next launch
  /// reads it from ``RestorationCoordinator/ignoresSnapshot``.
  public mutating func ignoreSnapshotOnNextLaunch() {
    context.ignoreSnapshot()
  }

  /// Registers an object that is neither a node nor a view, to be saved with them.
  ///
  /// It does what ``RestorationCoordinator/register(_:identifier:)`` does, where there is no coordinator at
  /// hand.
  ///
  /// - Parameters:
  ///   - object: The object; its identifier is set.
  ///   - identifier: Its restoration identifier, not empty.
  /// - Throws: ``RestorationError`` when the identifier is empty, or the object is registered under
  ///   another one.
  public mutating func register(
    _ object: any RestorableObject, identifier: String
  ) throws(RestorationError) {
    try context.register(object, identifier: identifier)
  }
}

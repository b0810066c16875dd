public import KeepsakeArchive

/// The coder that one object writes its state with, in a save.
///
/// Every object gets a coder of its own, so equal keys of two objects never meet. Values are
/// written as in any archive; a reference to another restorable object stores where to find it, and
/// has that object saved too. Rules: Spec/restoration.md, section 4.
///
/// ```swift
/// func encodeRestorableState(with coder: inout RestorationEncoder) throws {
///   coder.encode(contactIdentifier, forKey: "contact")
///   coder.encode(reference: lastEditor, forKey: "lastEditor")
/// }
/// ```
@MainActor
public struct RestorationEncoder: ~Copyable {
  @usableFromInline var writer: ArchiveWriter
  private let session: SaveSession

  init(_ writer: consuming ArchiveWriter, session: SaveSession) {
    self.writer = writer
    self.session = session
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

  /// Writes a reference to another restorable object, which is thereby saved too.
  ///
  /// All references to one object lead to one instance again after a restore. An object that cannot
  /// be saved, because it has no identifier or its view's owner has none, is written as no reference
  /// and named in the report.
  ///
  /// - Parameters:
  ///   - object: The object, or `nil`.
  ///   - key: The key, unique within this object's scope.
  public mutating func encode(
    reference object: (any RestorableObject)?, forKey key: ArchiveKey
  ) {
    writer.encoder.encode(
      ArchiveReference(object.flatMap { session.reference(to: $0) }), forKey: key)
  }

  /// Writes references to several restorable objects, which are thereby saved too.
  ///
  /// - Parameters:
  ///   - objects: The objects, in their order.
  ///   - key: The key, unique within this object's scope.
  public mutating func encode(references objects: [any RestorableObject], forKey key: ArchiveKey) {
    writer.encoder.encode(objects.map { ArchiveReference(session.reference(to: $0)) }, forKey: key)
  }

  /// Writes references to several restorable objects under names of their own, which are thereby
  /// saved too.
  ///
  /// - Parameters:
  ///   - objects: The objects by their names; they are reached in the order of the names' bytes.
  ///   - key: The key, unique within this object's scope.
  public mutating func encode(
    references objects: [String: any RestorableObject], forKey key: ArchiveKey
  ) {
    var references: [String: ArchiveReference] = [:]
    // What is reached first is saved first, and a dictionary has another order in each process.
    for name in objects.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      references[name] = ArchiveReference(objects[name].flatMap { session.reference(to: $0) })
    }
    writer.encoder.encode(references, forKey: key)
  }

  /// Confirms that a base class's implementation was reached; only base classes call this.
  ///
  /// See ``RestorableObject/requiresSuperclassCall``.
  public mutating func confirmSuperclassCall() {
    session.isSuperclassCallConfirmed = true
  }

  /// Asks that the next launch shows no picture of the interface as it was.
  ///
  /// It holds for the state of this save only, and can be asked for only within one. The next launch
  /// reads it from ``RestorationCoordinator/ignoresSnapshot``.
  public mutating func ignoreSnapshotOnNextLaunch() {
    session.ignoresSnapshot = true
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
}

public import KeepsakeArchive

/// The save that a coder belongs to, as the coder uses it.
@MainActor
protocol EncodingContext: AnyObject {
  /// Returns the id of an object and saves it too; nil when it cannot be saved.
  func reference(to object: any RestorableObject) -> ArchiveObjectID?
  func confirmSuperclassCall()
  func ignoreSnapshot()
  func register(_ object: any RestorableObject, identifier: String) throws(RestorationError)
}

/// The coder with which one object writes its state in a save.
///
/// Every object gets a coder of its own, so two objects may use the same keys. Values are written as in any archive;
/// a reference to another restorable object stores the object's id, and saves that object too. Rules:
/// Spec/restoration.md, section 4.
///
/// ```swift
/// func encodeRestorableState(
///   with coder: inout RestorationEncoder
/// ) throws {
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
  /// A duplicate or reserved key is detected when the object's record is complete: the object then keeps its place
  /// but loses its state, and the report says why. Each scope of each object has keys of its own.
  @inlinable
  @inline(__always)
  public mutating func encode<T: ArchiveValue>(_ value: T, forKey key: ArchiveKey) {
    writer.encoder.encode(value, forKey: key)
  }

  /// Makes a reference to another restorable object, and saves that object too.
  ///
  /// A reference is a value like any other: encode it alone, or in arrays, dictionaries and values of your own, and
  /// find the object with ``RestorationDecoder/object(for:as:)``. After a restore, all references to one object lead
  /// to one instance again.
  ///
  /// - Returns: The reference; empty for `nil`, and for an object that cannot be saved, because it has no identifier
  ///   or is a view whose owner has none. The report then names the object.
  public func reference(to object: (any RestorableObject)?) -> ArchiveReference {
    ArchiveReference(object.flatMap { context.reference(to: $0) })
  }

  /// Writes a reference to another restorable object, and saves that object too; an empty one for `nil`.
  public mutating func encodeReference(
    _ object: (any RestorableObject)?, forKey key: ArchiveKey
  ) {
    encode(reference(to: object), forKey: key)
  }

  /// Writes references to several restorable objects, in their order, and saves them too.
  public mutating func encodeReferences(
    _ objects: [any RestorableObject], forKey key: ArchiveKey
  ) {
    encode(objects.map { reference(to: $0) }, forKey: key)
  }

  /// Writes references to several restorable objects under names of their own, and saves them too.
  ///
  /// The objects are saved in the order of the names' bytes.
  public mutating func encodeNamedReferences(
    _ objects: [String: any RestorableObject], forKey key: ArchiveKey
  ) {
    var references: [String: ArchiveReference] = [:]
    // The order of the calls decides the order of the rows, and the order of a dictionary differs from process to
    // process.
    for name in objects.keys.sorted(by: { $0.bytesPrecede($1) }) {
      references[name] = reference(to: objects[name])
    }
    encode(references, forKey: key)
  }

  /// Writes into a named scope of this object; each scope has its own keys.
  ///
  /// A class that is meant to be subclassed writes in a scope with its own name, so that its keys never collide with
  /// those of a subclass. An error of the closure is thrown.
  public mutating func withScope(
    _ name: String, _ body: (inout RestorationEncoder) throws -> Void
  ) throws {
    guard let outer = writer.encoder.enterScope(name) else { return }
    defer { writer.encoder.leaveScope(to: outer) }
    try body(&self)
  }

  /// Confirms that the implementation of a base class was called; only base classes call this.
  ///
  /// See ``RestorableObject/requiresSuperclassCall``.
  public mutating func confirmSuperclassCall() {
    context.confirmSuperclassCall()
  }

  /// Asks the next launch to show no snapshot of the earlier interface.
  ///
  /// This applies to the state of this save only. The next launch reads it from
  /// ``RestorationCoordinator/ignoresSnapshot``.
  public mutating func ignoreSnapshotOnNextLaunch() {
    context.ignoreSnapshot()
  }

  /// Registers an object that is neither a node nor a view, to be saved with them, and sets its identifier.
  ///
  /// It does the same as ``RestorationCoordinator/register(_:identifier:)``, for code without a coordinator.
  ///
  /// - Throws: ``RestorationError`` when the identifier is empty, or the object is registered under
  ///   another one.
  public mutating func register(
    _ object: any RestorableObject, identifier: String
  ) throws(RestorationError) {
    try context.register(object, identifier: identifier)
  }
}

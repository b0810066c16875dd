public import KeepsakeArchive

/// The functions of a restore that its coders use.
@MainActor
protocol DecodingContext: AnyObject {
  var registry: RestorationRegistry { get }
  /// The object that was found or made for an id; any id is allowed.
  func object(for id: ArchiveObjectID) -> (any RestorableObject)?
  /// The identifier of the unrestored object with an id.
  func identifierOfUnrestoredObject(for id: ArchiveObjectID) -> String?
  func confirmSuperclassCall()
  func extendRestoration()
  func register(_ object: any RestorableObject, identifier: String) throws(RestorationError)
  /// Reports that the default was used for a value of a row, or of the application when `row` is nil.
  func reportDefault(ofRow row: Int?, forKey key: String, _ error: any Error)
}

/// The coder with which one object reads its state in a restore.
///
/// It reads only the values of the matching object. An absent key throws or gives `nil`, and one bad key leaves the
/// others readable. Every coder can read the reserved keys.
@MainActor
public struct RestorationDecoder: ~Copyable {
  @usableFromInline let values: ObjectDecoder
  @usableFromInline let log: KeyLog
  @usableFromInline let scopeNumber: Int
  private let context: any DecodingContext
  /// The row of the object; `nil` for the application.
  private let row: Int?

  init(
    values: consuming ObjectDecoder, ofRow row: Int?, context: any DecodingContext, log: KeyLog,
    scopeNumber: Int = 0
  ) {
    self.values = values
    self.row = row
    self.context = context
    self.log = log
    self.scopeNumber = scopeNumber
  }

  /// The keys of this object in this scope, in the order of their bytes.
  public var keys: [ArchiveKey] { values.keys }

  /// The schema version of the object's type when it was saved.
  public var schemaVersion: UInt32 { values.schemaVersion }

  /// Returns whether a key was written, with or without a value.
  public func contains(_ key: ArchiveKey) -> Bool {
    values.contains(key)
  }

  /// Whether a key was written; throws when a written key differs from it only in its Unicode form.
  func isPresent(_ key: ArchiveKey) throws(ArchiveError) -> Bool {
    if values.contains(key) { return true }
    try values.checkSpelling(of: key)
    return false
  }

  /// Opens a named scope of this object; it is empty when it was never written.
  public func scope(_ name: String) -> RestorationDecoder {
    RestorationDecoder(
      values: values.scope(name), ofRow: row, context: context, log: log,
      scopeNumber: log.openScope(name, in: scopeNumber))
  }
}

// Values.
extension RestorationDecoder {
  /// Reads the value of a key; numbers convert when the value fits the type.
  ///
  /// - Throws: `ArchiveError` when the key is absent, or its value is of another type or damaged.
  @inlinable
  @inline(__always)
  public func decode<T: ArchiveValue>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(ArchiveError) -> T {
    let value = try values.decode(type, forKey: key)
    log.add(key.name, inScope: scopeNumber)
    return value
  }

  /// Reads the value of a key, or `nil` when the key is absent or has no value; numbers convert when the value fits.
  ///
  /// - Throws: `ArchiveError` when the value is of another type or damaged.
  @inlinable
  @inline(__always)
  public func decodeIfPresent<T: ArchiveValue>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(ArchiveError) -> T? {
    guard let value = try values.decodeIfPresent(type, forKey: key) else { return nil }
    log.add(key.name, inScope: scopeNumber)
    return value
  }

  /// Reads the value of a key, or returns a default, so that an unreadable value costs only its own key.
  ///
  /// The default is the result when the key is absent or has no value, and when the value is of another type or
  /// damaged; the report names the latter two. Numbers convert when the value fits the type.
  public func decode<T: ArchiveValue>(
    _ type: T.Type = T.self, forKey key: ArchiveKey, default defaultValue: T
  ) -> T {
    do throws(ArchiveError) {
      return try decodeIfPresent(type, forKey: key) ?? defaultValue
    } catch {
      reportUnread(key, error)
      return defaultValue
    }
  }

  /// Reports a value that was not read, so that a default is used in its place.
  func reportUnread(_ key: ArchiveKey, _ error: any Error) {
    context.reportDefault(ofRow: row, forKey: key.name, error)
  }
}

// References.
extension RestorationDecoder {
  /// Finds the object of a reference that was read with this coder.
  ///
  /// - Returns: The one instance that all references to the object lead to; `nil` when the reference is empty or the
  ///   object was not restored. While nodes are still being made, an object that has not been made yet is `nil`.
  /// - Throws: ``RestorationError`` when the object is of another type.
  public func object<T>(
    for reference: ArchiveReference, as type: T.Type = T.self
  ) throws(RestorationError) -> T? {
    try resolve(reference, as: type, "A reference")
  }

  /// Finds the object of the reference under a key, as ``object(for:as:)`` does; `nil` also when the key is absent.
  ///
  /// - Throws: ``RestorationError`` when the key holds no reference, or one to another type.
  public func decodeReference<T>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(RestorationError) -> T? {
    let reference = try read(ArchiveReference.self, forKey: key)
    return try resolve(reference, as: type, "The key \"\(key.name)\"")
  }

  /// Finds the objects of an array of references, in their order, without those that were not restored.
  ///
  /// The result is empty when the key is absent.
  ///
  /// - Throws: ``RestorationError`` when the key holds no references, or one to another type.
  public func decodeReferences<T>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(RestorationError) -> [T] {
    try decodeOptionalReferences(type, forKey: key).compactMap { $0 }
  }

  /// Finds the objects of an array of references, each at its index: `nil` for an object that was not restored.
  ///
  /// The result is empty when the key is absent.
  ///
  /// - Throws: ``RestorationError`` when the key holds no references, or one to another type.
  public func decodeOptionalReferences<T>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(RestorationError) -> [T?] {
    var objects: [T?] = []
    for reference in try read([ArchiveReference].self, forKey: key) ?? [] {
      objects.append(try resolve(reference, as: type, "The key \"\(key.name)\""))
    }
    return objects
  }

  /// Finds the restored objects of a dictionary of references, by their names; empty when the key is absent.
  ///
  /// - Throws: ``RestorationError`` when the key holds no named references, or one to another type.
  public func decodeNamedReferences<T>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(RestorationError) -> [String: T] {
    var objects: [String: T] = [:]
    for (name, reference) in try read([String: ArchiveReference].self, forKey: key) ?? [:] {
      objects[name] = try resolve(reference, as: type, "The key \"\(key.name)\"")
    }
    return objects
  }

  /// The identifier of a referenced object that was not restored, and may be registered or attached later.
  package func identifierOfUnrestoredObject(forKey key: ArchiveKey) -> String? {
    let reference = try? decodeIfPresent(ArchiveReference.self, forKey: key)
    return reference?.objectID.flatMap { context.identifierOfUnrestoredObject(for: $0) }
  }

  private func read<T: ArchiveValue>(
    _ type: T.Type, forKey key: ArchiveKey
  ) throws(RestorationError) -> T? {
    do {
      return try decodeIfPresent(type, forKey: key)
    } catch {
      throw RestorationError(.malformedRecord, error.description, underlyingError: error)
    }
  }

  private func resolve<T>(
    _ reference: ArchiveReference?, as type: T.Type, _ subject: @autoclosure () -> String
  ) throws(RestorationError) -> T? {
    guard let id = reference?.objectID, let object = context.object(for: id) else { return nil }
    guard let typed = object as? T else {
      throw RestorationError(
        .typeMismatch,
        "\(subject()) refers to a \(StableName.shown(of: object)), not to a \(T.self); ask for the type "
          + "that was encoded.")
    }
    return typed
  }
}

// Access to the restore.
extension RestorationDecoder {
  /// Makes a node from a template of the registry, for a restoration class; `nil` when the template makes none.
  ///
  /// ```swift
  /// guard
  ///   let name = try coder.decodeIfPresent(
  ///     String.self, forKey: .template)
  /// else { return nil }
  /// return try coder.instantiateTemplate(
  ///   named: name, at: path)
  /// ```
  ///
  /// - Throws: ``RestorationError`` with the code `unregisteredTemplate`, or the error of the template.
  public func instantiateTemplate(
    named name: String, at path: RestorationPath
  ) throws -> (any RestorableNode)? {
    try context.registry.instantiateTemplate(named: name, at: path)
  }

  /// Registers an object that is neither a node nor a view, to be restored and saved with them; sets its identifier.
  ///
  /// It does the same as ``RestorationCoordinator/register(_:identifier:)``, for code without a coordinator. The
  /// object decodes its saved state after the object that registers it has decoded.
  ///
  /// - Throws: ``RestorationError`` when the identifier is empty, or the object is registered under
  ///   another one.
  public func register(
    _ object: any RestorableObject, identifier: String
  ) throws(RestorationError) {
    try context.register(object, identifier: identifier)
  }

  /// Keeps the restore open until ``RestorationCoordinator/completeRestoration()`` is called.
  ///
  /// That function has to be called once for each call of this one.
  ///
  /// It does the same as ``RestorationCoordinator/extendRestoration()``, for code without a coordinator.
  public func extendRestoration() {
    context.extendRestoration()
  }

  /// Confirms that the implementation of a base class was called; only base classes call this.
  ///
  /// See ``RestorableObject/requiresSuperclassCall``.
  public func confirmSuperclassCall() {
    context.confirmSuperclassCall()
  }
}

public import KeepsakeArchive

/// What a coder asks of the restore that it belongs to.
@MainActor
protocol DecodingContext: AnyObject {
  var registry: RestorationRegistry { get }
  /// The object that was found or made for an id, which may be anything.
  func object(for id: ArchiveObjectID) -> (any RestorableObject)?
  /// The identifier of an object that was not restored, by its id.
  func identifierOfUnrestoredObject(for id: ArchiveObjectID) -> String?
  func confirmSuperclassCall()
  func extendRestoration()
  func register(_ object: any RestorableObject, identifier: String) throws(RestorationError)
  /// Reports a value of a row, or of the application, whose default was used.
  func reportDefault(ofRow row: Int?, forKey key: String, _ error: any Error)
}

/// The coder that one object reads its state with, in a restore.
///
/// It reads what the matching object wrote, and no other. An absent key throws or gives `nil`, and
/// one bad key leaves the others readable. The reserved keys can be read through every coder.
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

  /// Returns whether a key was written, be it with a value or with none.
  ///
  /// - Parameter key: The key.
  /// - Returns: Whether it is there.
  public func contains(_ key: ArchiveKey) -> Bool {
    values.contains(key)
  }

  /// Whether a key was written; an error where one was that differs in its Unicode form alone.
  func isPresent(_ key: ArchiveKey) throws(ArchiveError) -> Bool {
    if values.contains(key) { return true }
    try values.checkSpelling(of: key)
    return false
  }

  /// Opens a named scope of this object.
  ///
  /// - Parameter name: The name that the scope was written under.
  /// - Returns: A coder over the scope; empty when it was never written.
  public func scope(_ name: String) -> RestorationDecoder {
    RestorationDecoder(
      values: values.scope(name), ofRow: row, context: context, log: log,
      scopeNumber: log.openScope(name, in: scopeNumber))
  }
}

// Values.
extension RestorationDecoder {
  /// Reads the value of a key.
  ///
  /// - Parameters:
  ///   - type: The type to read; numbers convert when the value fits.
  ///   - key: The key.
  /// - Returns: The value.
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

  /// Reads the value of a key that may be absent.
  ///
  /// - Parameters:
  ///   - type: The type to read; numbers convert when the value fits.
  ///   - key: The key.
  /// - Returns: The value, or `nil` when the key is absent or has no value.
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

  /// Reads the value of a key, or gives a default in its place, so that one key that cannot be read costs no other.
  ///
  /// - Parameters:
  ///   - type: The type to read; numbers convert when the value fits.
  ///   - key: The key.
  ///   - defaultValue: What is returned when the key is absent or has no value, and when the value is of
  ///     another type or damaged; then the report says so.
  /// - Returns: The value or the default.
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

  /// Reports a value that was not read, so that what it is for keeps its default.
  func reportUnread(_ key: ArchiveKey, _ error: any Error) {
    context.reportDefault(ofRow: row, forKey: key.name, error)
  }
}

// References.
extension RestorationDecoder {
  /// Finds the object that a reference leads to.
  ///
  /// - Parameters:
  ///   - reference: A reference that was read with this coder.
  ///   - type: The type that the object must have.
  /// - Returns: The one instance that all references to the object lead to, or `nil` when there was no
  ///   object or it was not restored. While nodes are still being made, an object that has not been made
  ///   yet is `nil`.
  /// - Throws: ``RestorationError`` when the object is of another type.
  public func object<T>(
    for reference: ArchiveReference, as type: T.Type = T.self
  ) throws(RestorationError) -> T? {
    try resolve(reference, as: type, "A reference")
  }

  /// Finds the object that the reference under a key leads to.
  ///
  /// - Parameters:
  ///   - type: The type that the object must have.
  ///   - key: The key.
  /// - Returns: The object, as ``object(for:as:)`` finds it; `nil` also when the key is absent.
  /// - Throws: ``RestorationError`` when the key holds no reference, or one to another type.
  public func decodeReference<T>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(RestorationError) -> T? {
    let reference = try read(ArchiveReference.self, forKey: key)
    return try resolve(reference, as: type, "The key \"\(key.name)\"")
  }

  /// Finds the objects that an array of references leads to.
  ///
  /// - Parameters:
  ///   - type: The type that the objects must have.
  ///   - key: The key.
  /// - Returns: The objects that were restored, in their order; empty when the key is absent.
  /// - Throws: ``RestorationError`` when the key holds no references, or one to another type.
  public func decodeReferences<T>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(RestorationError) -> [T] {
    try decodeOptionalReferences(type, forKey: key).compactMap { $0 }
  }

  /// Finds the objects that an array of references leads to, each at its place.
  ///
  /// - Parameters:
  ///   - type: The type that the objects must have.
  ///   - key: The key.
  /// - Returns: An element for each reference, `nil` where an object was not restored; empty when the key
  ///   is absent.
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

  /// Finds the objects that a dictionary of references leads to.
  ///
  /// - Parameters:
  ///   - type: The type that the objects must have.
  ///   - key: The key.
  /// - Returns: The objects that were restored, by their names; empty when the key is absent.
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

  /// The identifier of the object that a reference leads to, where that was not restored: it may come later.
  func identifierOfUnrestoredObject(forKey key: ArchiveKey) -> String? {
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

// The restore that the object takes part in.
extension RestorationDecoder {
  /// The registry of the program, for a restoration class that makes its node by a template.
  ///
  /// ```swift
  /// guard let name = try coder.decodeIfPresent(String.self, forKey: .template) else { return nil }
  /// return try coder.registry.instantiateTemplate(named: name, at: path)
  /// ```
  public var registry: RestorationRegistry { context.registry }

  /// Registers an object that is neither a node nor a view, to be restored and saved with them.
  ///
  /// It does what ``RestorationCoordinator/register(_:identifier:)`` does, where there is no coordinator at
  /// hand. What was saved of the object is given to it after the object that registers it has decoded.
  ///
  /// - Parameters:
  ///   - object: The object; its identifier is set.
  ///   - identifier: Its restoration identifier, not empty.
  /// - Throws: ``RestorationError`` when the identifier is empty, or the object is registered under
  ///   another one.
  public func register(
    _ object: any RestorableObject, identifier: String
  ) throws(RestorationError) {
    try context.register(object, identifier: identifier)
  }

  /// Keeps the restore open until ``RestorationCoordinator/completeRestoration()`` is called as many times.
  ///
  /// It does what ``RestorationCoordinator/extendRestoration()`` does, where there is no coordinator at
  /// hand.
  public func extendRestoration() {
    context.extendRestoration()
  }

  /// Confirms that a base class's implementation was reached; only base classes call this.
  ///
  /// See ``RestorableObject/requiresSuperclassCall``.
  public func confirmSuperclassCall() {
    context.confirmSuperclassCall()
  }
}
